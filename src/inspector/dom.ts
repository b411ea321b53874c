export type Child = Node | string | number | null | false | undefined;
type Props = Record<
  string,
  string | number | boolean | null | undefined | ((event: Event) => void)
>;

/**
 * An element. Children that are strings become text nodes, so nothing an entry holds is parsed as markup. A
 * function is a listener (`onclick`); `true` sets an empty attribute; false, null and undefined set none.
 */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  apply(element, props);
  element.append(...present(children));
  return element;
}

/** The same for SVG. */
export function svg(tag: string, props: Props = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  apply(element, props);
  element.append(...present(children));
  return element;
}

function apply(element: Element, props: Props): void {
  for (const [name, value] of Object.entries(props)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

function present(children: readonly Child[]): (Node | string)[] {
  return children
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (typeof child === "number" ? String(child) : child));
}

/** Shows `load`'s result in a region, and until then, and if it fails, says so. */
export function loading(load: () => Promise<Node>, what: string): HTMLElement {
  const region = el("div", { class: "region", "aria-busy": "true" });
  region.append(el("p", { class: "quiet", role: "status" }, `Loading ${what} …`));
  void load()
    .then((node) => region.replaceChildren(node))
    .catch((error: unknown) => region.replaceChildren(failure(error)))
    .finally(() => region.removeAttribute("aria-busy"));
  return region;
}

export function failure(error: unknown): HTMLElement {
  const { code, message } = Object(error) as { code?: string; message?: string };
  return el(
    "div",
    { class: "notice error", role: "alert" },
    code === undefined ? null : el("code", {}, code),
    ` ${message ?? String(error)}`,
  );
}

/** Opens a modal dialog with a heading and removes it when it closes. */
export function dialog(heading: string, ...children: Child[]): HTMLDialogElement {
  const id = `dialog-${crypto.randomUUID()}`;
  const box = el("dialog", { "aria-labelledby": id }, el("h2", { id }, heading), ...children);
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}
