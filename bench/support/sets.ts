import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { EdgeType, Kind, Status } from "../../contracts/index.ts";

/** Where the development sets are, beside the checkout. Absent on most machines: benches then say so. */
export const DATA = new URL("../../../shared/data/", import.meta.url);

export interface Doc {
  id: string;
  scope: string;
  content: string;
  kind: Kind;
  tags: string[];
  /** Left out: a draft. */
  status?: Status;
  occurredAt: number | undefined;
}

export interface Query {
  id: string;
  scope: string;
  text: string;
  category: string;
  relevant: string[];
  exclude: string[];
  /** When the question was asked; undefined: at the bench's clock. */
  now: number | undefined;
  relevantSessions: string[];
}

/** One loading of a set with the queries that are run against it. */
export interface Variant {
  set: string;
  name: string;
  docs: Doc[];
  links: { src: string; dst: string; type: EdgeType; scope: string }[];
  queries: Query[];
}

export interface RawDoc {
  id: string;
  scope?: string;
  text: string;
  title?: string;
  speaker?: string;
  date?: string;
  status?: string;
}

interface RawQuery {
  id: string;
  scope?: string;
  text: string;
  category: string;
  rel: string[];
  rel_audited?: string[];
  exclude?: string[];
  date?: string;
}

export const available = () => existsSync(DATA);

export function read<T>(path: string): T[] {
  const file = new URL(path, DATA);
  if (!existsSync(file)) return [];
  const text = gunzipSync(readFileSync(file)).toString("utf8");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);
}

export const timeOf = (date: string | null | undefined) => {
  const time = !date ? Number.NaN : Date.parse(date.length === 10 ? date : `${date}Z`);
  return Number.isNaN(time) ? undefined : time;
};

const EDGES: Readonly<Record<string, EdgeType>> = { follows: "follows", supersedes: "supersedes" };

export function variants(only: readonly string[]): Variant[] {
  const names = ["adrs-cometbft", "cacm", "cranfield", "hotpotqa-100", "locomo", "peps"];
  const wanted = (name: string) => only.length === 0 || only.some((each) => name.startsWith(each));
  return [
    ...names.filter(wanted).flatMap(plainSet),
    ...(wanted("longmemeval-s-dev") ? [longMemEval()] : []),
  ];
}

/** `cite` queries run without links, `supersede` with all of them, the others without `supersedes`. */
function plainSet(set: string): Variant[] {
  const chat = set === "locomo";
  const docs = read<RawDoc>(`dev/${set}/docs.jsonl.gz`)
    .map((raw): Doc => ({
      id: raw.id,
      scope: raw.scope ?? "all",
      content: contentOf(raw),
      kind: chat ? "episodic" : "semantic",
      tags: raw.speaker ? [raw.speaker] : [],
      occurredAt: timeOf(raw.date),
    }))
    .filter((doc) => doc.content !== "");
  const scopes = new Map(docs.map((doc) => [doc.id, doc.scope]));
  const links = read<{ src: string; dst: string; type: string }>(`dev/${set}/edges.jsonl.gz`)
    .map(({ src, dst, type }) => ({
      src,
      dst,
      type: EDGES[type] ?? "relates_to",
      scope: scopes.get(src) ?? "",
    }))
    .filter(({ src, dst }) => scopes.has(src) && scopes.has(dst));
  const queries = read<RawQuery>(`dev/${set}/queries.jsonl.gz`)
    .map((raw): Query => ({
      id: raw.id,
      scope: raw.scope ?? "all",
      text: raw.text,
      category: raw.category,
      relevant: raw.rel_audited ?? raw.rel,
      exclude: raw.exclude ?? [],
      now: timeOf(raw.date),
      relevantSessions: [],
    }))
    .filter((query) => query.relevant.length > 0);

  const variant = (
    name: string,
    keep: (q: Query) => boolean,
    link: (type: EdgeType) => boolean,
  ): Variant => ({
    set,
    name,
    docs,
    links: links.filter((each) => link(each.type)),
    queries: queries.filter(keep),
  });
  return [
    variant(
      set,
      (q) => !["cite", "supersede"].includes(q.category),
      (type) => type !== "supersedes",
    ),
    variant(
      `${set}+cite`,
      (q) => q.category === "cite",
      () => false,
    ),
    variant(
      `${set}+supersede`,
      (q) => q.category === "supersede",
      () => true,
    ),
  ].filter((each) => each.queries.length > 0);
}

export function contentOf(raw: RawDoc): string {
  if (raw.speaker) return `${raw.speaker}: ${raw.text}`;
  if (!raw.title || raw.text.startsWith(raw.title)) return raw.text || (raw.title ?? "");
  return raw.text === "" ? raw.title : `${raw.title}\n\n${raw.text}`;
}

interface RawSessionQuery extends RawQuery {
  haystack: [string, string][];
  rel_sessions: string[];
}

/** One workspace a question: its own haystack of sessions, turn after turn. */
function longMemEval(): Variant {
  const set = "longmemeval-s-dev";
  const sessions = new Map(
    read<{ session: string; turns: [string, string][] }>(`dev/${set}/sessions.jsonl.gz`).map(
      (each) => [each.session, each.turns],
    ),
  );
  const raw = read<RawSessionQuery>(`dev/${set}/queries.jsonl.gz`);
  const docs: Doc[] = [];
  const links: Variant["links"] = [];
  for (const query of raw) {
    for (const [session, date] of query.haystack) {
      (sessions.get(session) ?? []).forEach(([role, text], turn) => {
        const id = (index: number) => `${query.id}/${session}#${index}`;
        const occurredAt = timeOf(date);
        docs.push({
          id: id(turn),
          scope: query.id,
          content: `${role}: ${text}`,
          kind: "episodic",
          tags: [],
          occurredAt: occurredAt === undefined ? undefined : occurredAt + turn * 1_000,
        });
        if (turn > 0)
          links.push({ src: id(turn), dst: id(turn - 1), type: "follows", scope: query.id });
      });
    }
  }
  const queries = raw.map((each): Query => ({
    id: each.id,
    scope: each.id,
    text: each.text,
    category: each.category,
    relevant: each.rel.map((doc) => `${each.id}/${doc}`),
    exclude: [],
    now: timeOf(each.date),
    relevantSessions: each.rel_sessions,
  }));
  return { set, name: set, docs, links, queries };
}
