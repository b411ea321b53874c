import { isPhrase } from "../analysis/phrases.ts";
import type { AnalysedEntry } from "../analysis/analyzer.ts";
import { matchExpression } from "../analysis/match-expression.ts";
import { BODY, COLUMNS, plusOne } from "../lib/packed-counts.ts";
import type { PostingList } from "../lib/packed-counts.ts";
import type { Sql } from "./sql.ts";

export interface PostingsLimits {
  /** Bytes of memory for posting lists and document frequencies. */
  capacity: number;
  /** Places of a term in one aggregated value, which SQLite keeps below 2 MB: a place takes at most 10 bytes. */
  placesPerRead: number;
}

const LIMITS: PostingsLimits = { capacity: 8_000_000, placesPerRead: 150_000 };

/** What a term costs in V8's heap, what its list does beside its postings (measured), and a posting: rid and counts. */
const TERM_BYTES = 80;
const LIST_BYTES = 520;
const POSTING_BYTES = 8;

/** A list that would take more of the cache than this share is read anew each time. */
const LARGEST_SHARE = 0.25;

/** The second letters of the columns' names tell them apart. */
const SECOND_LETTERS = COLUMNS.map((name) => name.charCodeAt(1));

const columnAt = (names: string, at: number) => SECOND_LETTERS.indexOf(names.charCodeAt(at + 1));

interface Term {
  /** Document frequency. */
  df: number;
  list: GrowingList | undefined;
  /** It was counted in texts, to save reading its list. */
  spared?: boolean;
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
  readonly #limits: PostingsLimits;

  constructor(sql: Sql, limits: Partial<PostingsLimits> = {}) {
    this.#sql = sql;
    this.#limits = { ...LIMITS, ...limits };
    sql.onRollback(() => this.clear());
  }

  /** What is kept, in bytes; never more than the capacity. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Entries that hold each token, in any column. */
  documentFrequencies(tokens: readonly string[]): Map<string, number> {
    const known = tokens.map((token) => [token, this.#used(token)?.df] as const);
    const unknown = known.filter(([, df]) => df === undefined).map(([token]) => token);
    const read = this.#readFrequencies(unknown);
    // Kept only now: what is kept may push out what was known.
    for (const [token, df] of read) this.#keep(token, { df, list: undefined });
    return new Map(known.map(([token, df]) => [token, df ?? read.get(token) ?? 0]));
  }

  /** The list when memory has it. */
  cached(token: string): PostingList | undefined {
    const term = this.#terms.get(token);
    return term?.list && this.#used(token)?.list;
  }

  recurs(token: string): boolean {
    return this.#terms.get(token)?.spared === true;
  }

  /** Of a phrase: the entries that hold it, once each; read anew each time, because it is no term of the index. */
  list(token: string): PostingList {
    if (isPhrase(token)) return this.#phrase(token);
    const known = this.cached(token);
    if (known) return known;
    const list = this.#places(
      `SELECT group_concat(doc) AS docs, group_concat(col, '') AS columns
       FROM (SELECT doc, col FROM entries_postings WHERE term = ? LIMIT ? OFFSET ?)`,
      token,
    );
    return this.#kept(token, list);
  }

  /**
   * Packed counts of each token in each of the entries, token by token: from the lists that memory has, and for
   * the other tokens from the entries' own texts. A phrase counts 1 where it stands.
   */
  countsIn(rids: readonly number[], tokens: readonly string[]): Uint32Array[] {
    const unread = tokens.filter((token) => !isPhrase(token) && !this.cached(token));
    for (const token of unread) {
      const term = this.#terms.get(token);
      if (term) term.spared = true;
    }
    const read = unread.length === 0 ? [] : this.#countsInTexts(rids, unread);
    return tokens.map((token) => {
      const at = unread.indexOf(token);
      return read[at] ?? countsFrom(this.list(token), rids);
    });
  }

  /** Entries with the tag, ascending. */
  tagged(tag: string): PostingList {
    const key = tagKey(tag);
    const known = this.cached(key);
    if (known) return known;
    const list = this.#places(
      `SELECT group_concat(rid) AS docs, NULL AS columns
       FROM (SELECT rid FROM tags WHERE tag = ? ORDER BY rid LIMIT ? OFFSET ?)`,
      tag,
    );
    return this.#kept(key, list);
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
    this.#evict();
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

  #readFrequencies(tokens: readonly string[]): Map<string, number> {
    if (tokens.length === 0) return new Map();
    const rows = this.#sql.postings<{ term: string; doc: number }>(
      "SELECT v.term, v.doc FROM json_each(?) AS j CROSS JOIN entries_vocab AS v ON v.term = j.value",
      JSON.stringify(tokens),
    );
    const found = new Map(rows.map((row) => [row.term, row.doc]));
    return new Map(tokens.map((token) => [token, found.get(token) ?? 0]));
  }

  #countsInTexts(rids: readonly number[], tokens: readonly string[]): Uint32Array[] {
    const counts = tokens.map(() => new Uint32Array(rids.length));
    const places = new Map(rids.map((rid, at) => [rid, at]));
    this.#sql.eachPosting<AnalysedEntry & { rid: number }>(
      (row) => {
        const at = places.get(row.rid) ?? 0;
        tokens.forEach((token, term) => {
          const list = counts[term];
          if (list) list[at] = packedCounts(row, token);
        });
      },
      `SELECT f.rowid AS rid, f.title, f.body, f.stems, f.tags
       FROM json_each(?) AS j CROSS JOIN entries_fts AS f ON f.rowid = j.value`,
      JSON.stringify(rids),
    );
    return counts;
  }

  #phrase(phrase: string): GrowingList {
    return this.#places(
      `SELECT group_concat(rid) AS docs, NULL AS columns
       FROM (SELECT rowid AS rid FROM entries_fts WHERE entries_fts MATCH ? LIMIT ? OFFSET ?)`,
      matchExpression([phrase]),
    );
  }

  /** A list from a query that gives its places one a row, ascending, as many at a time as one value may hold. */
  #places(query: string, sought: string): GrowingList {
    const { placesPerRead } = this.#limits;
    const list = new GrowingList();
    for (let from = 0; ; from += placesPerRead) {
      const [row] = this.#sql.postings<{ docs: string | null; columns: string | null }>(
        query,
        sought,
        placesPerRead,
        from,
      );
      const places = list.appendPlaces(row?.docs ?? "", row?.columns ?? "");
      if (places < placesPerRead) return list;
    }
  }

  #used(token: string): Term | undefined {
    const term = this.#terms.get(token);
    if (term === undefined) return undefined;
    this.#terms.delete(token);
    this.#terms.set(token, term);
    return term;
  }

  #kept(token: string, list: GrowingList): GrowingList {
    const { capacity } = this.#limits;
    if (list.bytes <= capacity * LARGEST_SHARE) this.#keep(token, { df: list.length, list });
    return list;
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
      if (this.#bytes <= this.#limits.capacity) return;
      this.#drop(token);
    }
  }
}

function bytesOf(token: string, { list }: Term): number {
  return TERM_BYTES + 2 * token.length + (list?.bytes ?? 0);
}

/** No token of the index holds a space. */
const tagKey = (tag: string) => `tag ${tag}`;

function countsFrom(list: PostingList, rids: readonly number[]): Uint32Array {
  return Uint32Array.from(rids, (rid) => {
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((list.docs[middle] ?? 0) < rid) low = middle + 1;
      else high = middle;
    }
    return list.docs[low] === rid && low < list.length ? (list.counts[low] ?? 0) : 0;
  });
}

/** What a posting of the text would count of the token. */
function packedCounts(text: Omit<AnalysedEntry, "tokenCount">, token: string): number {
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
    return LIST_BYTES + this.docs.length * POSTING_BYTES;
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
   * @param columns the names of the places' columns, one after the other; empty for places that count in the body.
   * @returns how many places there were.
   */
  appendPlaces(docs: string, columns: string): number {
    let doc = 0;
    let place = 0;
    let name = 0;
    for (let at = 0; at <= docs.length; at++) {
      const digit = docs.charCodeAt(at) - ZERO;
      if (digit >= 0) {
        doc = doc * 10 + digit;
        continue;
      }
      if (at > 0) {
        const column = columns === "" ? BODY : columnAt(columns, name);
        this.#place(doc, column);
        name += COLUMNS[column]?.length ?? 0;
      }
      place += 1;
      doc = 0;
    }
    this.#resize(this.length);
    return docs === "" ? 0 : place;
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
