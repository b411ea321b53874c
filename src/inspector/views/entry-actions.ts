import type { Edge, Entry } from "../../../contracts/entities.ts";
import { EDGE_TYPES, type EdgeType, STATUSES, type Status } from "../../../contracts/vocabulary.ts";
import { hasErrorCode } from "../../client/index.ts";
import { dialog, el, failure } from "../dom.ts";
import { shortId } from "../format.ts";
import { go, hrefOf } from "../router.ts";
import type { Session } from "../session.ts";

/** Buttons for what the role may do with the entry; none for what it may not. */
export function actions(
  session: Session,
  entry: Entry,
  connections: { edges: Edge[]; next: string | null },
): HTMLElement {
  const offered: [string, string, () => void][] = [
    ["append", "Append", () => append(session, entry)],
    ["update", "Edit", () => update(session, entry)],
    ["setStatus", "Status", () => setStatus(session, entry)],
    ["link", "Link", () => link(session, entry)],
    ["forget", "Forget", () => forget(session, entry, connections)],
  ];
  const buttons = offered
    .filter(([method]) => session.can(method))
    .map(([method, name, open]) =>
      el("button", { onclick: open, class: method === "forget" ? "danger" : null }, name),
    );
  return el("div", { class: "actions" }, ...buttons);
}

const reload = (id: string) => go(hrefOf("entry", id));

/** A form in a dialog: refusals are shown in it, and what was typed stays. */
function ask(
  heading: string,
  verb: string,
  fields: Node[],
  act: () => Promise<void>,
  danger = false,
): void {
  const said = el("div", { "aria-live": "assertive" });
  const submit = el("button", { class: danger ? "danger" : "primary" }, verb);
  const run = async (event: Event) => {
    event.preventDefault();
    submit.disabled = true;
    try {
      await act();
      box.close();
    } catch (error) {
      said.replaceChildren(failure(error));
    } finally {
      submit.disabled = false;
    }
  };
  const cancel = el("button", { type: "button", onclick: () => box.close() }, "Cancel");
  const form = el(
    "form",
    { onsubmit: (event) => void run(event) },
    ...fields,
    said,
    el("div", { class: "actions" }, submit, cancel),
  );
  const box = dialog(heading, form);
}

function labelled(name: string, control: HTMLElement): HTMLElement {
  return el("label", {}, el("span", {}, name), control);
}

function append({ sphere }: Session, { id, revision }: Entry): void {
  const text = el("textarea", { rows: 6, required: true, dir: "auto" });
  ask("Append to the entry", "Append", [labelled("Text to add", text)], async () => {
    await sphere.append(id, text.value, { ifRevision: revision });
    reload(id);
  });
}

/** Compare-and-set: when somebody else was faster, their text is shown beside what was typed. */
function update({ sphere }: Session, entry: Entry): void {
  let { revision } = entry;
  const text = el("textarea", { rows: 12, required: true, dir: "auto" });
  text.value = entry.content;
  const theirs = el("div", {});
  ask("Edit the entry", "Save", [labelled("Text", text), theirs], async () => {
    try {
      await sphere.update(entry.id, text.value, { ifRevision: revision });
    } catch (error) {
      const details = Object(error) as { details?: { revision?: number } };
      if (
        hasErrorCode(error) &&
        error.code === "conflict" &&
        details.details?.revision !== undefined
      ) {
        const now = (await sphere.getEntry(entry.id)) as Entry;
        revision = now.revision;
        theirs.replaceChildren(
          el("h3", {}, `It says now (revision ${now.revision})`),
          el("pre", { class: "theirs", dir: "auto", tabindex: 0 }, now.content),
          el(
            "p",
            { class: "quiet" },
            "Nothing was saved. Save again to replace this text with yours.",
          ),
        );
      }
      throw error;
    }
    reload(entry.id);
  });
}

function select(values: readonly string[], chosen?: string): HTMLSelectElement {
  return el(
    "select",
    {},
    ...values.map((value) => el("option", { value, selected: value === chosen }, value)),
  );
}

function setStatus({ sphere }: Session, { id, status, revision }: Entry): void {
  const to = select(STATUSES, status);
  const reason = el("input", { type: "text" });
  ask("Set the status", "Set", [labelled("Status", to), labelled("Reason", reason)], async () => {
    const why = reason.value.trim();
    await sphere.setStatus(id, to.value as Status, {
      ifRevision: revision,
      ...(why !== "" && { reason: why }),
    });
    reload(id);
  });
}

function link({ sphere }: Session, { id }: Entry): void {
  const type = select(EDGE_TYPES);
  const dst = el("input", { type: "text", required: true });
  ask(
    "Link the entry",
    "Link",
    [labelled("Type", type), labelled("Id of the other entry", dst)],
    async () => {
      await sphere.link(id, dst.value.trim(), type.value as EdgeType);
      reload(id);
    },
  );
}

function forget(
  { sphere }: Session,
  entry: Entry,
  { edges, next }: { edges: Edge[]; next: string | null },
): void {
  const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? "" : "s"}`;
  const goes = el(
    "ul",
    {},
    el("li", {}, `its text (${entry.content.length} characters)`),
    el(
      "li",
      {},
      `${next === null ? count(edges.length, "edge") : `more than ${edges.length} edges`}`,
    ),
    el("li", {}, count(entry.revision - 1, "earlier revision")),
    el("li", {}, count(entry.tags.length, "tag")),
  );
  const about = el(
    "p",
    {},
    `Entry ${shortId(entry.id)} is erased at once, and cannot be brought back from here. What goes:`,
  );
  ask(
    "Forget the entry?",
    "Forget for good",
    [about, goes],
    async () => {
      await sphere.forget(entry.id);
      go(hrefOf("recall"));
    },
    true,
  );
}
