import type { Hit, RecallResult } from "../../../contracts/entities.ts";
import { KINDS, STATUSES } from "../../../contracts/vocabulary.ts";
import { el, loading } from "../dom.ts";
import { when } from "../format.ts";
import { go, hrefOf, type Place } from "../router.ts";
import type { Session } from "../session.ts";
import type { View } from "../view.ts";
import { hitCard } from "./hit.ts";

/** Asks as an agent would, but observes: looking must not change what agents get ([REC-18]). */
export const recallView: View = {
  id: "recall",
  title: "Recall",
  needs: "recall",
  render(session, { params }) {
    const queries = [params.get("q") ?? "", params.get("with") ?? ""].filter((q) => q !== "");
    const columns = queries.map((query) =>
      loading(() => results(session, query, params), `what “${query}” finds`),
    );
    return el(
      "div",
      {},
      el("h1", { class: "visually-hidden" }, "Recall"),
      form(params),
      queries.length === 0
        ? el(
            "p",
            { class: "empty" },
            "Ask something, in words or with a time (“last week”). Recall says what it found, and why.",
          )
        : el("div", { class: queries.length === 2 ? "columns" : "" }, ...columns),
    );
  },
};

function form(params: URLSearchParams): HTMLElement {
  const shown: HTMLFormElement = el(
    "form",
    {
      class: "ask",
      role: "search",
      onsubmit: (event) => {
        event.preventDefault();
        go(hrefOf("recall", "", filled(shown)));
      },
    },
    field("Query", "q", params, "search"),
    el("button", { class: "primary" }, "Recall"),
    el(
      "details",
      { open: [...params.keys()].some((name) => name !== "q") },
      el("summary", {}, "Options"),
      el(
        "div",
        { class: "options" },
        field("Beside another query", "with", params),
        field("Tag", "tag", params),
        choice("Kind", "kind", KINDS, params),
        choice("Status", "status", STATUSES, params),
        field("Hits", "topK", params, "number"),
        field("Hops", "hops", params, "number"),
        field("Since", "since", params, "date"),
        field("Until", "until", params, "date"),
        field("As of", "asOf", params, "date"),
        tick("Inactive too", "includeInactive", params),
        tick("Exhaust too", "includeExhaust", params),
      ),
    ),
  );
  return shown;
}

function filled(shown: HTMLFormElement): URLSearchParams {
  const given = [...new FormData(shown)].map(([name, value]) => [name, String(value).trim()]);
  return new URLSearchParams(given.filter(([, value]) => value !== ""));
}

function field(label: string, name: string, params: URLSearchParams, type = "text"): HTMLElement {
  return el(
    "label",
    {},
    el("span", {}, label),
    el("input", { name, type, value: params.get(name) }),
  );
}

function choice(label: string, name: string, values: readonly string[], params: URLSearchParams) {
  const options = ["", ...values].map((value) =>
    el("option", { value, selected: params.get(name) === value }, value === "" ? "any" : value),
  );
  return el("label", {}, el("span", {}, label), el("select", { name }, ...options));
}

function tick(label: string, name: string, params: URLSearchParams): HTMLElement {
  const box = el("input", { name, type: "checkbox", value: "true", checked: params.has(name) });
  return el("label", { class: "tick" }, box, el("span", {}, label));
}

type Options = NonNullable<Parameters<Session["sphere"]["recall"]>[1]>;

/** The options that the address names; what is no number is left to the contract to refuse. */
export function optionsOf(params: Place["params"]): Options {
  const options: Record<string, unknown> = { explain: true, observe: true };
  for (const name of ["tag", "kind", "status"])
    if (params.has(name)) options[name] = params.get(name);
  for (const name of ["topK", "hops"])
    if (params.has(name)) options[name] = Number(params.get(name));
  for (const name of ["since", "until", "asOf"]) {
    if (params.has(name)) options[name] = Date.parse(params.get(name) ?? "");
  }
  // A day is inclusive: until its last millisecond.
  if (typeof options["until"] === "number") options["until"] += 24 * 3_600_000 - 1;
  for (const name of ["includeInactive", "includeExhaust"])
    if (params.has(name)) options[name] = true;
  return options as Options;
}

async function results({ sphere }: Session, query: string, params: URLSearchParams): Promise<Node> {
  const options = optionsOf(params);
  const [found, wider] = await Promise.all([
    sphere.recall(query, options) as Promise<RecallResult>,
    sphere.recall(query, {
      ...options,
      includeInactive: true,
      includeExhaust: true,
    }) as Promise<RecallResult>,
  ]);
  const shown = new Set(found.hits.map(({ id }) => id));
  const dropped = wider.hits.filter(({ id }) => !shown.has(id));
  const best = Math.max(...found.hits.map(({ score }) => score));
  return el(
    "section",
    { class: "results", "aria-label": `Results for ${query}` },
    summary(query, found),
    el("ol", { class: "hits" }, ...found.hits.map((hit) => el("li", {}, hitCard(hit, best)))),
    leftOut(dropped),
  );
}

function summary(query: string, { hits, queryUsed, window, asOf, reason, degraded }: RecallResult) {
  const end = (ms: number | null) => (ms === null ? "open" : when(ms));
  return el(
    "div",
    { class: "summary", role: "status" },
    el("h2", {}, query),
    el(
      "p",
      { class: "quiet" },
      reason === null
        ? `${hits.length} ${hits.length === 1 ? "hit" : "hits"}`
        : `Nothing: ${reason}`,
      " · searched ",
      el("code", {}, queryUsed === "" ? "(no words)" : queryUsed),
      ...(window === null ? [] : [" · window ", end(window.since), " – ", end(window.until)]),
      ...(asOf === null ? [] : [" · as of ", when(asOf)]),
      ...(degraded.length === 0 ? [] : [` · failed arms: ${degraded.join(", ")}`]),
    ),
  );
}

/** What the same question finds among inactive entries and exhaust, with the reason that it is not above. */
function leftOut(dropped: readonly Hit[]): Node | null {
  if (dropped.length === 0) return null;
  const reasonOf = ({ status, supersededBy }: Hit) => {
    if (supersededBy !== undefined && supersededBy.length > 0) return "superseded";
    return status === "deprecated" ? "deprecated" : "exhaust, or beyond the number of hits";
  };
  const lines = dropped.map((hit) =>
    el(
      "li",
      {},
      el("span", { class: "badge" }, reasonOf(hit)),
      " ",
      el("a", { href: hrefOf("entry", hit.id), dir: "auto" }, hit.content.slice(0, 120)),
    ),
  );
  return el(
    "details",
    { class: "left-out" },
    el("summary", {}, `Left out: ${dropped.length}`),
    el("ul", {}, ...lines),
  );
}
