import { tokenise } from "../analysis/analyzer.ts";
import { el } from "./dom.ts";

const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

export function when(ms: number): HTMLElement {
  return el("time", { datetime: new Date(ms).toISOString() }, DATE.format(ms));
}

interface Marked {
  kind: string;
  status: string;
  claimTag: string;
  stale: boolean;
  superseded: boolean;
}

/** What must be known about an entry before it is believed. */
export function badges({ kind, status, claimTag, stale, superseded }: Marked): HTMLElement {
  const names = [kind, status, claimTag, stale && "stale", superseded && "superseded"];
  return el(
    "span",
    { class: "badges" },
    ...names.map((name) => name && el("span", { class: `badge ${name.toLowerCase()}` }, name)),
  );
}

/** The text with the words that were found marked, cut by the analyzer that indexed them. */
export function highlighted(text: string, terms: readonly string[]): HTMLElement {
  // Terms are words as they were asked; what the index matched may be their stem.
  const wanted = new Set(
    terms.flatMap((term) => [term, ...tokenise(term).map(({ stem }) => stem)]),
  );
  const shown = el("p", { class: "text", dir: "auto" });
  let at = 0;
  for (const { token: word, stem, start, end } of tokenise(text)) {
    if (start < at || !(wanted.has(word) || wanted.has(stem))) continue;
    shown.append(text.slice(at, start), el("mark", {}, text.slice(start, end)));
    at = end;
  }
  shown.append(text.slice(at));
  return shown;
}

export const shortId = (id: string) => id.slice(0, 8);
