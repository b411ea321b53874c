import { isPhrase } from "../analysis/phrases.ts";
import type { AnalysedEntry } from "../analysis/analyzer.ts";
import { matchExpression } from "../analysis/match-expression.ts";
import type { Sql } from "./sql.ts";

/** Bytes of memory for posting lists and document frequencies. */
const CACHE_BYTES = 8_000_000;

/** What a term costs beside its postings, and a posting: rid and counts. */
const TERM_BYTES = 150;
const POSTING_BYTES = 8;

/** A list that would take more of the cache than this share is read anew each time. */
const LARGEST_SHARE = 0.25;

/** Places of a term in one aggregated value, which SQLite keeps below 2 MB. */
const PLACES_PER_READ = 150_000;

const COLUMNS = ["title", "body", "stems", "tags"] as const;
/** The second letters of the columns' names tell them apart. */
const COLUMN_OF: Readonly<Record<number, number>> = Object.fromEntries(
  COLUMNS.map((name, at) => [name.charCodeAt(1), at]),
);

/** The entries that hold a term, ascending, and how often each column does. */
export interface PostingList {
  readonly length: number;
  /** Rids; valid up to `length`. */
  readonly docs: Uint32Array;
  /** One byte a column, title lowest, then body, stems, tags; more than 255 count as 255. */
  readonly counts: Uint32Array;
}

interface Term {
  /** Document frequency. */
  df: number;
  list: GrowingList | undefined;
}

/**
 * Posting lists and document frequencies, read from the index through fts5vocab and kept while the object is
 * awake, least recently used out first. They equal the index at every moment: an insert is appended, any other
 * write drops the terms that it touches, a rollback drops everything (docs/ranking.md).
 */
export class Postings {
  readonly #sql: Sql;
  /** Least recently used first. */
  readonly #terms = new Map<string, Term>();
  #bytes = 0;
  readonly #capacity: number;

  constructor(sql: Sql, capacity = CACHE_BYTES) {
    this.#sql = sql;
    this.#capacity = capacity;
    sql.onRollback(() => this.clear());
  }

  /** Entries that hold each token, in any column. */
  documentFrequencies(tokens: readonly string[]): Map<string, number> {
    const unknown = tokens.filter((token) => !this.#terms.has(token));
    if (unknown.length > 0) {
      const rows = this.#sql.postings<{ term: string; doc: number }>(
        "SELECT v.term, v.doc FROM json_each(?) AS j CROSS JOIN entries_vocab AS v ON v.term = j.value",
        JSON.stringify(unknown),
      );
      const found = new Map(rows.map((row) => [row.term, row.doc]));
      for (const token of unknown)
        this.#keep(token, { df: found.get(token) ?? 0, list: undefined });
    }
    return new Map(tokens.map((token) => [token, this.#terms.get(token)?.df ?? 0]));
  }

  /** The list when memory has it. */
  cached(token: string): PostingList | undefined {
    const term = this.#terms.get(token);
    if (term?.list === undefined) return undefined;
    this.#terms.delete(token);
    this.#terms.set(token, term);
    return term.list;
  }

  /** Of a phrase: the entries that hold it, once each; read anew each time, because it is no term of the index. */
  list(token: string): PostingList {
    if (isPhrase(token)) return this.#phrase(token);
    const known = this.cached(token);
    if (known) return known;
    const list = this.#read(token);
    if (list.bytes <= this.#capacity * LARGEST_SHARE) this.#keep(token, { df: list.length, list });
    return list;
  }

  /** Entries with the tag, ascending. */
  tagged(tag: string): PostingList {
    const key = tagKey(tag);
    const known = this.cached(key);
    if (known) return known;
    const row = this.#sql.postings<{ docs: string | null }>(
      "SELECT group_concat(rid) AS docs FROM tags WHERE tag = ?",
      tag,
    )[0];
    const list = new GrowingList();
    list.appendPlaces(row?.docs ?? "", "");
    this.#keep(key, { df: list.length, list });
    return list;
  }

  /** After an entry's row was written to the index for the first time. Its rid is the largest of all. */
  added(rid: number, analysed: AnalysedEntry): void {
    for (const [token, counts] of this.#known(analysed)) {
      const term = this.#terms.get(token);
      if (term === undefined) continue;
      term.df += 1;
      if (term.list) this.#append(token, term.list, rid, counts);
    }
    this.#evict();
  }

  /** After any other write to the index: terms of the text before and after it. */
  changed(tokens: Iterable<string>): void {
    for (const token of tokens) this.#drop(token);
  }

  tagAdded(rid: number, tag: string): void {
    const list = this.#terms.get(tagKey(tag))?.list;
    if (list) this.#append(tagKey(tag), list, rid, 0);
  }

  tagRemoved(tag: string): void {
    this.#drop(tagKey(tag));
  }

  /** After everything may have changed. */
  clear(): void {
    this.#terms.clear();
    this.#bytes = 0;
  }

  /** Counts by column of those tokens of the text that memory knows. */
  #known(analysed: AnalysedEntry): Map<string, number> {
    const counts = new Map<string, number>();
    COLUMNS.forEach((column, at) => {
      for (const token of analysed[column].split(" ")) {
        if (this.#terms.has(token)) counts.set(token, plusOne(counts.get(token) ?? 0, at));
      }
    });
    return counts;
  }

  /** Keeps the list ascending: a rid out of order costs it its place in memory. */
  #append(key: string, list: GrowingList, rid: number, counts: number): void {
    if (rid <= list.last) return this.#drop(key);
    const before = list.bytes;
    list.append(rid, counts);
    this.#bytes += list.bytes - before;
  }

  #read(token: string): GrowingList {
    const list = new GrowingList();
    const [found] = this.#sql.postings<{ places: number }>(
      "SELECT cnt AS places FROM entries_vocab WHERE term = ?",
      token,
    );
    if (found === undefined) return list;
    const reads = Math.ceil(found.places / PLACES_PER_READ);
    const last = reads === 1 ? 0 : this.#lastRid();
    const step = Math.ceil((last + 1) / reads);
    for (let read = 0; read < reads; read++) {
      const bounds = reads === 1 ? [0, Number.MAX_SAFE_INTEGER] : [read * step, (read + 1) * step];
      const [row] = this.#sql.postings<{ docs: string | null; columns: string | null }>(
        `SELECT group_concat(doc) AS docs, group_concat(substr(col, 2, 1), '') AS columns
         FROM entries_postings WHERE term = ? AND doc >= ? AND doc < ?`,
        token,
        ...(bounds as [number, number]),
      );
      list.appendPlaces(row?.docs ?? "", row?.columns ?? "");
    }
    return list;
  }

  #phrase(phrase: string): GrowingList {
    const [row] = this.#sql.postings<{ docs: string | null }>(
      "SELECT group_concat(rowid) AS docs FROM entries_fts WHERE entries_fts MATCH ?",
      matchExpression([phrase]),
    );
    const list = new GrowingList();
    list.appendPlaces(row?.docs ?? "", "");
    return list;
  }

  #lastRid(): number {
    return this.#sql.postings<{ rid: number }>("SELECT max(rid) AS rid FROM entries")[0]?.rid ?? 0;
  }

  #keep(token: string, term: Term): void {
    this.#drop(token);
    this.#terms.set(token, term);
    this.#bytes += bytesOf(token, term);
    this.#evict();
  }

  #drop(token: string): void {
    const term = this.#terms.get(token);
    if (term === undefined) return;
    this.#terms.delete(token);
    this.#bytes -= bytesOf(token, term);
  }

  #evict(): void {
    for (const [token] of this.#terms) {
      if (this.#bytes <= this.#capacity) return;
      this.#drop(token);
    }
  }
}

function bytesOf(token: string, { list }: Term): number {
  return TERM_BYTES + 2 * token.length + (list?.bytes ?? 0);
}

/** No token of the index holds a space. */
const tagKey = (tag: string) => `tag ${tag}`;

/** Most that a column counts to. */
const MOST = 255;

function plusOne(counts: number, column: number): number {
  const shift = 8 * column;
  return ((counts >>> shift) & MOST) === MOST ? counts : (counts + (1 << shift)) >>> 0;
}

/** What a posting of the text would count of the token. */
export function packedCounts(text: Omit<AnalysedEntry, "tokenCount">, token: string): number {
  let counts = 0;
  COLUMNS.forEach((column, at) => {
    const padded = ` ${text[column]} `;
    const sought = ` ${token} `;
    for (let found = padded.indexOf(sought); found >= 0;) {
      counts = plusOne(counts, at);
      found = padded.indexOf(sought, found + sought.length - 1);
    }
  });
  return counts;
}

class GrowingList implements PostingList {
  length = 0;
  docs = new Uint32Array(4);
  counts = new Uint32Array(4);

  get bytes(): number {
    return this.docs.length * POSTING_BYTES;
  }

  get last(): number {
    return this.length === 0 ? -1 : (this.docs[this.length - 1] ?? -1);
  }

  append(doc: number, counts: number): void {
    if (this.length === this.docs.length) this.#resize(Math.ceil(this.length * 1.5));
    this.docs[this.length] = doc;
    this.counts[this.length] = counts;
    this.length += 1;
  }

  /**
   * Appends places as SQLite aggregates them.
   *
   * @param docs rids, ascending, joined by commas; one that repeats is one posting.
   * @param columns the second letter of each place's column; absent for places that count in the body.
   */
  appendPlaces(docs: string, columns: string): void {
    let doc = 0;
    let place = 0;
    for (let at = 0; at <= docs.length; at++) {
      const digit = docs.charCodeAt(at) - ZERO;
      if (digit >= 0) {
        doc = doc * 10 + digit;
        continue;
      }
      if (at > 0)
        this.#place(doc, columns === "" ? 1 : (COLUMN_OF[columns.charCodeAt(place)] ?? 1));
      place += 1;
      doc = 0;
    }
    this.#resize(this.length);
  }

  #place(doc: number, column: number): void {
    if (doc !== this.last) this.append(doc, 0);
    this.counts[this.length - 1] = plusOne(this.counts[this.length - 1] ?? 0, column);
  }

  #resize(length: number): void {
    const room = Math.max(4, length);
    const [docs, counts] = [new Uint32Array(room), new Uint32Array(room)];
    docs.set(this.docs.subarray(0, this.length));
    counts.set(this.counts.subarray(0, this.length));
    this.docs = docs;
    this.counts = counts;
  }
}

const ZERO = "0".charCodeAt(0);
