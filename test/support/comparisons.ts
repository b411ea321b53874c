import { analyseEntry } from "../../src/analysis/analyzer.ts";
import { Sql } from "../../src/storage/sql.ts";
import { openStores } from "../../src/storage/stores.ts";
import { factsInMemory, factsOfEntries } from "./doc-values.ts";

interface EntryRow {
  rid: number;
  content: string;
  tags: string;
  token_count: number;
}

/** Two things that must be equal, as plain data. */
export interface Comparison {
  what: string;
  actual: unknown;
  expected: unknown;
}

/**
 * What holds after any sequence of operations ([ANA-7]): the index equals what the analyzer makes of the
 * entries, the tallies equal a recount, the stored doc values those of the entries, and nothing hangs on an
 * entry that is not there. No assertion, so that a Worker under load can be asked as well.
 */
export function comparisonsOf(storage: DurableObjectStorage): Comparison[] {
  const sql = new Sql(storage);
  const { index, docValues } = openStores(sql);
  const entries = sql.all<EntryRow>(
    `SELECT rid, content, token_count,
       (SELECT json_group_array(tag) FROM tags WHERE tags.rid = entries.rid) AS tags
     FROM entries ORDER BY rid`,
  );
  const analysed = entries.map((entry) => ({
    rid: entry.rid,
    ...analyseEntry(entry.content, JSON.parse(entry.tags) as string[]),
  }));

  return [
    {
      what: "token counts",
      actual: entries.map((entry) => entry.token_count),
      expected: analysed.map((entry) => entry.tokenCount),
    },
    {
      what: "indexed rows",
      actual: sql.all(
        "SELECT rowid AS rid, title, body, stems, tags FROM entries_fts ORDER BY rowid",
      ),
      expected: analysed.map(({ tokenCount: _tokenCount, ...row }) => row),
    },
    {
      what: "vocabulary",
      actual: sql.all("SELECT term, doc, cnt FROM entries_vocab ORDER BY term"),
      expected: vocabularyOf(analysed),
    },
    {
      what: "FTS5's own check",
      actual: refusalOf(() => index.check()),
      expected: null,
    },
    { what: "doc values", actual: factsInMemory(docValues), expected: factsOfEntries(sql) },
    { what: "tallies", actual: tallies(sql), expected: recount(sql) },
    { what: "foreign keys", actual: sql.all("PRAGMA foreign_key_check"), expected: [] },
    { what: "orphans", actual: sql.all(ORPHANS), expected: [] },
  ];
}

function refusalOf(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    return String(error);
  }
}

type Analysed = Pick<ReturnType<typeof analyseEntry>, "title" | "body" | "stems" | "tags">;

/** Each token with the entries that hold it and its occurrences, as FTS5 should have counted them. */
function vocabularyOf(rows: readonly Analysed[]) {
  const terms = new Map<string, { doc: number; cnt: number }>();
  for (const { title, body, stems, tags } of rows) {
    const tokens = [title, body, stems, tags].flatMap((column) => column.split(" "));
    const counted = tokens.filter((token) => token !== "");
    for (const token of counted) add(terms, token, "cnt");
    for (const token of new Set(counted)) add(terms, token, "doc");
  }
  return [...terms]
    .map(([term, counts]) => ({ term, ...counts }))
    .sort((a, b) => compareBytes(a.term, b.term));
}

function add(
  terms: Map<string, { doc: number; cnt: number }>,
  token: string,
  count: "doc" | "cnt",
) {
  const counts = terms.get(token) ?? { doc: 0, cnt: 0 };
  counts[count] += 1;
  terms.set(token, counts);
}

const utf8 = new TextEncoder();

function compareBytes(a: string, b: string): number {
  const [left, right] = [utf8.encode(a), utf8.encode(b)];
  const at = left.findIndex((byte, index) => byte !== right[index]);
  return at === -1 ? left.length - right.length : left[at]! - (right[at] ?? -1);
}

/** What is kept of counts, names in order: those who compare it as JSON must not see when a name was first counted. */
function tallies(sql: Sql) {
  const { counts } = sql.one<{ counts: string }>("SELECT counts FROM totals");
  const { entries, edges, tags } = JSON.parse(counts) as {
    entries: object;
    edges: object;
    tags: number;
  };
  return {
    totals: { entries: inOrder(entries), edges: inOrder(edges), tags },
    tags: sql.all("SELECT tag, n FROM tag_counts ORDER BY tag"),
  };
}

const inOrder = (counts: object) =>
  Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The same, counted. */
function recount(sql: Sql) {
  const entries = sql.all<{ key: string; n: number; tokens: number }>(
    `SELECT kind || '|' || status || '|' || volatility || '|' || claim_tag AS key,
       count(*) AS n, sum(token_count) AS tokens FROM entries GROUP BY key`,
  );
  const edges = sql.all<{ type: string; n: number }>(
    "SELECT type, count(*) AS n FROM edges GROUP BY type",
  );
  const tags = sql.all("SELECT tag, count(*) AS n FROM tags GROUP BY tag ORDER BY tag");
  return {
    totals: {
      entries: inOrder(Object.fromEntries(entries.map(({ key, n, tokens }) => [key, [n, tokens]]))),
      edges: inOrder(Object.fromEntries(edges.map(({ type, n }) => [type, n]))),
      tags: tags.length,
    },
    tags,
  };
}

const ORPHANS = `SELECT 'tag' AS what, rid AS entry FROM tags
    WHERE NOT EXISTS (SELECT 1 FROM entries AS e
      WHERE e.rid = tags.rid AND e.id = tags.id AND e.created_at = tags.created_at)
  UNION ALL SELECT 'revision', rid FROM revisions WHERE rid NOT IN (SELECT rid FROM entries)
  UNION ALL SELECT 'recall', rid FROM recalls WHERE rid NOT IN (SELECT rid FROM entries)
  UNION ALL SELECT 'edge', src || dst FROM edges
    WHERE src NOT IN (SELECT id FROM entries) OR dst NOT IN (SELECT id FROM entries)`;
