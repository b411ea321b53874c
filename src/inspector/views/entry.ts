import type { Edge, Entry, EntrySummary, Revision } from "../../../contracts/entities.ts";
import { el, loading } from "../dom.ts";
import { badges, shortId, when } from "../format.ts";
import { markdown } from "../markdown.ts";
import { hrefOf } from "../router.ts";
import type { Session } from "../session.ts";
import type { View } from "../view.ts";
import { actions } from "./entry-actions.ts";
import { revisionList } from "./revisions.ts";

const SHOWN = 50;

interface Connections {
  edges: Edge[];
  entries: EntrySummary[];
  next: string | null;
}

/** All that is known of one entry, and what the role may do with it. */
export const entryView: View = {
  id: "entry",
  title: null,
  needs: "getEntry",
  render: (session, { id }) => loading(() => load(session, decodeURIComponent(id)), "the entry"),
};

async function load(session: Session, id: string): Promise<Node> {
  const { sphere } = session;
  const [entry, history, connections] = await Promise.all([
    sphere.getEntry(id) as Promise<Entry>,
    sphere.history(id, { n: SHOWN }) as Promise<{ revisions: Revision[]; next: string | null }>,
    sphere.connections(id, { n: SHOWN }) as Promise<Connections>,
  ]);
  return el(
    "article",
    { class: "entry" },
    el("h1", {}, "Entry ", el("code", {}, shortId(id))),
    badges(entry),
    markdown(entry.content),
    actions(session, entry, connections),
    facts(entry),
    el("h2", {}, "Edges"),
    edgeList(id, connections),
    el("h2", {}, "Revisions"),
    revisionList(entry, history.revisions),
    history.next === null ? null : el("p", { class: "quiet" }, `The newest ${SHOWN} are shown.`),
  );
}

function facts(entry: Entry): HTMLElement {
  const ids = (list: readonly string[]) =>
    el(
      "span",
      {},
      ...list.map((id) => el("a", { class: "id", href: hrefOf("entry", id) }, shortId(id))),
    );
  const origin = Object.entries(entry.origin).map(
    ([name, values]) => `${name}: ${values.join(", ")}`,
  );
  const rows: [string, Node | string | number | null][] = [
    ["id", el("code", {}, entry.id)],
    ["tags", entry.tags.map((tag) => `#${tag}`).join(" ")],
    ["evidence", entry.evidenceRef],
    ["source", entry.source],
    ["captured by", entry.actor],
    ["origin", origin.join(" · ")],
    ["occurred", when(entry.occurredAt)],
    ["captured", when(entry.createdAt)],
    ["updated", when(entry.updatedAt)],
    ["expires", entry.expiresAt === null ? null : when(entry.expiresAt)],
    ["volatility", entry.volatility],
    ["importance", entry.importance],
    ["stale since", entry.staleSince === null ? null : when(entry.staleSince)],
    ["revision", entry.revision],
    ["recalled", `${entry.recallCount} times`],
    ["superseded by", entry.supersededBy.length === 0 ? null : ids(entry.supersededBy)],
    [
      "rests on superseded",
      entry.restsOnSuperseded.length === 0 ? null : ids(entry.restsOnSuperseded),
    ],
  ];
  const told = rows.filter(([, value]) => value !== null && value !== "");
  return el(
    "dl",
    { class: "facts" },
    ...told.flatMap(([name, value]) => [el("dt", {}, name), el("dd", { dir: "auto" }, value)]),
  );
}

function edgeList(id: string, { edges, entries, next }: Connections): HTMLElement {
  if (edges.length === 0) return el("p", { class: "empty" }, "No edges.");
  const titles = new Map(entries.map((entry) => [entry.id, entry.content.slice(0, 100)]));
  const lines = edges.map(({ src, dst, type, weight, provenance }) => {
    const other = src === id ? dst : src;
    return el(
      "li",
      {},
      el("span", { class: "edge" }, src === id ? `${type} →` : `← ${type}`),
      " ",
      el("a", { href: hrefOf("entry", other), dir: "auto" }, titles.get(other) ?? shortId(other)),
      el("span", { class: "quiet" }, ` ${provenance}, weight ${weight}`),
    );
  });
  return el(
    "div",
    {},
    el("ul", { class: "plain" }, ...lines),
    next === null ? null : el("p", { class: "quiet" }, `The first ${SHOWN} are shown.`),
  );
}
