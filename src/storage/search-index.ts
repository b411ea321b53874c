import type { Kind, Status, Volatility } from "../../contracts/index.ts";
import { ANALYZER_VERSION, analyseEntry } from "../analysis/analyzer.ts";
import type { AnalysedEntry } from "../analysis/analyzer.ts";
import type { DocValues } from "./doc-values.ts";
import { CONTESTED, activeAt, statusThen } from "./entry-row.ts";
import { Postings } from "./postings.ts";
import type { PostingsLimits } from "./postings.ts";
import { ScopedPostings } from "./scoped-postings.ts";
import type { PostingReads } from "./scoped-postings.ts";
import { leavesSeparator } from "./separators.ts";
import { EACH_VALUE } from "./sql.ts";
import type { Sql } from "./sql.ts";

/** Characters of an analysed text that ranking reads of one entry: 500,000 bytes times a pool do not fit. */
const READ_CHARS = 32_768;

/** One entry as scoring, filtering and reranking see it. */
export interface IndexedRow {
  rid: number;
  id: string;
  title: string;
  body: string;
  tags: string;
  /** 1 when the body was cut at `READ_CHARS`. */
  cut: number;
  token_count: number;
  kind: Kind;
  status: Status;
  volatility: Volatility;
  exhaust: number;
  importance: number;
  occurred_at: number;
  text_at: number | null;
  expires_at: number | null;
  /** 1 when some `supersedes` edge enters it. */
  contested: number;
}

/** Filters inside the index query; null means any. `now` decides what is expired. */
export interface IndexFilter {
  tag: string | null;
  kind: Kind | null;
  status: Status | null;
  since: number | null;
  until: number | null;
  /** Only entries that occurred until then replace. */
  asOf: number | null;
  includeInactive: boolean;
  includeExhaust: boolean;
  now: number;
}

// By bytes first, which SQLite knows without reading the text.
const INDEXED_COLUMNS = `e.rid, e.id, f.title, f.tags,
  iif(octet_length(f.body) > ${READ_CHARS}, substr(f.body, 1, ${READ_CHARS}), f.body) AS body,
  (octet_length(f.body) > ${READ_CHARS} AND length(f.body) > ${READ_CHARS}) AS cut,
  e.token_count, e.kind, e.status, e.volatility, e.exhaust, e.importance, e.occurred_at, e.text_at,
  e.expires_at, ${CONTESTED} AS contested`;

/**
 * The FTS5 table. Written in the caller's transaction, never by recall, setStatus or links ([STO-6]).
 * What it holds in memory of itself is `postings`.
 */
export class SearchIndex {
  readonly #sql: Sql;
  readonly #docValues: DocValues;
  readonly postings: Postings;

  /** What recall reads of them; within a scope, its entries only. */
  readonly reads: PostingReads;

  /** @param scope the index whose lists are kept already, and the tags that an entry needs to be read of it */
  constructor(
    sql: Sql,
    docValues: DocValues,
    limits?: Partial<PostingsLimits>,
    scope?: { index: SearchIndex; tags: readonly string[] },
  ) {
    this.#sql = sql;
    this.#docValues = docValues;
    this.postings = scope?.index.postings ?? new Postings(sql, limits);
    this.reads = scope ? new ScopedPostings(this.postings, scope.tags) : this.postings;
  }

  insert(rid: number, analysed: AnalysedEntry): void {
    this.#insert(rid, analysed);
    this.postings.added(rid, analysed);
  }

  /**
   * Also where there is no row yet, as in an index that a migration has made anew. Deleted and inserted with a
   * flush between: in one flush, secure-delete takes the low bit of the first byte of a position list's length
   * for the mark of a deletion, and leaves old postings of 128 to 191 bytes, 256 to 319, … (a word that stands
   * as often) in an older segment, from where they come back when the entry changes again or is forgotten.
   */
  replace(rid: number, analysed: AnalysedEntry): void {
    this.postings.changed([...this.#tokensOf(rid), ...tokensOf(analysed)]);
    this.#sql.run("DELETE FROM entries_fts WHERE rowid = ?", rid);
    this.#flush();
    this.#insert(rid, analysed);
  }

  /**
   * Takes the entry out of every index block ([FGT-3]). FTS5 also keeps a separator for each block, the
   * beginning of a word and at times all of it, and secure-delete leaves those: only making the index anew
   * from its stored text clears them. That costs time by the size of the workspace, so it is done when the
   * beginning of a word that is gone is really left behind, which few entries do.
   */
  erase(rid: number): void {
    const tokens = this.#tokensOf(rid);
    this.postings.changed(tokens);
    this.#sql.run("DELETE FROM entries_fts WHERE rowid = ?", rid);
    if (leavesSeparator(this.#sql, tokens)) {
      this.#sql.run("INSERT INTO entries_fts (entries_fts) VALUES ('rebuild')");
    }
  }

  #insert(rid: number, analysed: AnalysedEntry): void {
    this.#sql.run(
      "INSERT INTO entries_fts (rowid, title, body, stems, tags) VALUES (?, ?, ?, ?, ?)",
      rid,
      analysed.title,
      analysed.body,
      analysed.stems,
      analysed.tags,
    );
  }

  /** Brings what is pending into the blocks of the index: fts5vocab reads only those. */
  #flush(): void {
    this.#sql.all("SELECT doc FROM entries_vocab WHERE term = ''");
  }

  #tokensOf(rid: number): string[] {
    const row = this.#sql.maybeOne<AnalysedEntry>(
      "SELECT title, body, stems, tags FROM entries_fts WHERE rowid = ?",
      rid,
    );
    return row === undefined ? [] : tokensOf(row);
  }

  /** What passes the filter, newest first: the answer to a query that is only a time. */
  newestPassing(filter: IndexFilter, limit: number): IndexedRow[] {
    return this.#sql.all<IndexedRow>(
      `SELECT ${INDEXED_COLUMNS} FROM entries AS e CROSS JOIN entries_fts AS f ON f.rowid = e.rid
       WHERE e.occurred_at BETWEEN coalesce(?3, 0) AND coalesce(?4, 9e15)
         AND (?1 IS NULL OR e.kind = ?1)
         AND (?2 IS NULL OR ${statusThen("e", "?6", "?10")} = ?2)
         AND (?7 OR e.exhaust = 0)
         AND (?8 IS NULL OR EXISTS (SELECT 1 FROM tags WHERE tag = ?8 AND rid = e.rid))
         AND (?5 OR ${activeAt("?6", "?10")})
       ORDER BY e.occurred_at DESC, e.id LIMIT ?9`,
      filter.kind,
      filter.status,
      filter.since,
      filter.until,
      filter.includeInactive ? 1 : 0,
      filter.now,
      filter.includeExhaust ? 1 : 0,
      filter.tag,
      limit,
      filter.asOf,
    );
  }

  /** The indexed rows of the given entries, by public id. */
  rows(ids: readonly string[]): IndexedRow[] {
    return this.#sql.allOf<IndexedRow>(
      `${EACH_VALUE} SELECT ${INDEXED_COLUMNS} FROM each CROSS JOIN entries AS e ON e.id = each.value
         CROSS JOIN entries_fts AS f ON f.rowid = e.rid`,
      ids,
    );
  }

  /** The indexed rows of the given entries, by rid. */
  rowsByRid(rids: readonly number[]): IndexedRow[] {
    return this.#sql.allOf<IndexedRow>(
      `${EACH_VALUE} SELECT ${INDEXED_COLUMNS} FROM each CROSS JOIN entries AS e ON e.rid = each.value
         CROSS JOIN entries_fts AS f ON f.rowid = e.rid`,
      rids,
    );
  }

  /** FTS5's own check that the index is sound and equals the stored analysed text; throws when not. */
  check(): void {
    this.#sql.run("INSERT INTO entries_fts (entries_fts, rank) VALUES ('integrity-check', 1)");
  }

  /**
   * Re-analyses at most `limit` entries after a change of the analyzer; true when none is left. The version
   * is stamped only at the end, so an interrupted walk goes on where it stopped ([ANA-8]).
   * @param recounted writes the new token count of each
   */
  reindexStep(limit: number, recounted: (rid: number, tokenCount: number) => void): boolean {
    const state = this.#sql.all<{ key: string; value: number }>("SELECT key, value FROM meta");
    const meta = new Map(state.map((row) => [row.key, row.value]));
    if (meta.get("analyzer_version") === ANALYZER_VERSION) return true;

    const rows = this.#sql.all<{ rid: number; content: string; tags: string }>(
      `SELECT e.rid, e.content,
         (SELECT json_group_array(tag) FROM (SELECT tag FROM tags WHERE rid = e.rid ORDER BY tag)) AS tags
       FROM entries AS e WHERE e.rid > ? ORDER BY e.rid LIMIT ?`,
      meta.get("reindexed_rid") ?? 0,
      limit,
    );
    for (const row of rows) {
      const analysed = analyseEntry(row.content, JSON.parse(row.tags) as string[]);
      this.replace(row.rid, analysed);
      recounted(row.rid, analysed.tokenCount);
    }
    this.#docValues.restate(rows.map(({ rid }) => rid));
    const done = rows.length < limit;
    this.postings.clear();
    if (done) this.#sql.run("DELETE FROM meta WHERE key = 'reindexed_rid'");
    this.#sql.run(
      "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
      done ? "analyzer_version" : "reindexed_rid",
      done ? ANALYZER_VERSION : (rows.at(-1)?.rid ?? 0),
    );
    return done;
  }
}

function tokensOf({ title, body, stems, tags }: Omit<AnalysedEntry, "tokenCount">): string[] {
  return [...new Set(`${title} ${body} ${stems} ${tags}`.split(" "))];
}
