/** The place in the fragment: `#/recall?q=words`, `#/entry/<id>`. It never reaches the server. */
export interface Place {
  view: string;
  /** What stands behind the view's name; empty when nothing does. */
  id: string;
  params: URLSearchParams;
}

export function currentPlace(): Place {
  const [path = "", search = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [view = "", id = ""] = path.split("/");
  return { view, id, params: new URLSearchParams(search) };
}

export function hrefOf(view: string, id = "", params?: URLSearchParams): string {
  const search = params === undefined || params.size === 0 ? "" : `?${params.toString()}`;
  return `#/${view}${id === "" ? "" : `/${encodeURIComponent(id)}`}${search}`;
}

/** Goes there; the view is drawn anew also when that is where we are. */
export function go(href: string): void {
  if (location.hash === href) dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = href;
}
