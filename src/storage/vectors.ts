import type { Sql } from "./sql.ts";

/** Vectors that an awake object keeps and compares with a query; beyond, only what words and edges found is. */
export const VECTORS_COMPARED = 20_000;
/** Characters of a content that are embedded. */
const EMBEDDED_CHARS = 4_000;
const CURSOR = "embedded:";

export interface MissingVector {
  rid: number;
  /** Of the content, in hex: a vector is of this text and no other. */
  hash: string;
  content: string;
}

interface Kept {
  data: Int8Array;
  /** One over the length. */
  scale: number;
}

/**
 * Vectors of one model, by rid, as int8: cosine does not ask for more. An entry has none while its text waits to be
 * embedded. They are read once, and kept while the object is awake.
 */
export class VectorStore {
  readonly #sql: Sql;
  readonly #most: number;
  #model: string | null = null;
  #kept = new Map<number, Kept>();
  #tooMany = false;

  constructor(sql: Sql, most = VECTORS_COMPARED) {
    this.#sql = sql;
    this.#most = most;
    sql.onRollback(() => {
      this.#model = null;
    });
  }

  /** The model that the walk is embedding with; null before the first vector. */
  model(): string | null {
    const key = this.#cursors()[0]?.key;
    return key === undefined ? null : key.slice(CURSOR.length);
  }

  /** Of the stored vectors of the model. */
  dimensions(model: string): number | undefined {
    this.#load(model);
    return this.#kept.values().next().value?.data.length;
  }

  /** Entries whose text has no vector of the model: changed ones, then those the walk has not come to. */
  missing(model: string | null, limit: number): MissingVector[] {
    const changed = this.#sql.all<MissingVector>(
      `SELECT e.rid, hex(e.hash) AS hash, substr(e.content, 1, ${EMBEDDED_CHARS}) AS content
       FROM vectors AS v CROSS JOIN entries AS e ON e.rid = v.rid WHERE v.model = '' ORDER BY v.rid LIMIT ?`,
      limit,
    );
    const known = new Set(changed.map(({ rid }) => rid));
    const others = this.#sql.all<MissingVector>(
      `SELECT rid, hex(hash) AS hash, substr(content, 1, ${EMBEDDED_CHARS}) AS content
       FROM entries WHERE rid > ? ORDER BY rid LIMIT ?`,
      this.#cursor(model),
      limit - changed.length,
    );
    return [...changed, ...others.filter(({ rid }) => !known.has(rid))];
  }

  /** The walk goes on behind these; a text that has changed meanwhile waits again. */
  save(model: string, embedded: readonly { of: MissingVector; vector: readonly number[] }[]): void {
    let upTo = this.#cursor(model);
    this.#load(model);
    for (const { of, vector } of embedded) {
      const data = quantised(vector);
      const [row] = this.#sql.all<{ rid: number; same: number }>(
        "SELECT rid, hex(hash) = ? AS same FROM entries WHERE rid = ?",
        of.hash,
        of.rid,
      );
      upTo = Math.max(upTo, of.rid);
      if (row === undefined) continue;
      this.#sql.run(
        `INSERT INTO vectors (rid, model, data) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET model = excluded.model, data = excluded.data`,
        of.rid,
        row.same === 1 ? model : "",
        row.same === 1 ? new Uint8Array(data.buffer) : new Uint8Array(),
      );
      if (row.same === 1) this.#keep(of.rid, data);
    }
    this.startWith(model, upTo);
    this.forgotten(0);
  }

  /** From here on, vectors of this model are what is missing. */
  startWith(model: string, upTo = 0): void {
    this.#sql.run(
      "DELETE FROM meta WHERE key >= 'embedded:' AND key < 'embedded;' AND key <> ?",
      CURSOR + model,
    );
    this.#sql.run(
      "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
      CURSOR + model,
      upTo,
    );
  }

  /** The text is another one. */
  outdate(rid: number): void {
    this.#sql.run("UPDATE vectors SET model = '', data = x'' WHERE rid = ?", rid);
    this.#kept.delete(rid);
  }

  /** After the entry is gone, and its vector with it: the next entry may get its rid, and is not embedded. */
  forgotten(rid: number): void {
    this.#kept.delete(rid);
    if (this.#cursors().length === 0) return;
    this.#sql.run(
      `UPDATE meta SET value = (SELECT coalesce(max(rid), 0) FROM entries)
       WHERE key >= 'embedded:' AND key < 'embedded;' AND value > (SELECT coalesce(max(rid), 0) FROM entries)`,
    );
  }

  /** The nearest of all that `admits`, nearest first; nothing where there are too many to compare. */
  nearest(
    model: string,
    query: readonly number[],
    limit: number,
    admits: (rid: number) => boolean,
  ): { doc: number; score: number }[] {
    this.#load(model);
    if (this.#tooMany) return [];
    const best: { doc: number; score: number }[] = [];
    const scaled = normalised(query);
    for (const [doc, kept] of this.#kept) {
      const score = cosine(scaled, kept);
      if (best.length === limit && score <= (best.at(-1)?.score ?? 0)) continue;
      if (!admits(doc)) continue;
      let at = best.length;
      while (at > 0 && (best[at - 1]?.score ?? 0) < score) at -= 1;
      best.splice(at, 0, { doc, score });
      if (best.length > limit) best.pop();
    }
    return best;
  }

  /** Cosines of the entries that have a vector. */
  similarities(model: string, query: readonly number[], rids: readonly number[]) {
    this.#load(model);
    const scaled = normalised(query);
    return rids.flatMap((doc) => {
      const kept = this.#kept.get(doc) ?? (this.#tooMany ? this.#read(model, doc) : undefined);
      return kept === undefined ? [] : [{ doc, score: cosine(scaled, kept) }];
    });
  }

  #cursors(): { key: string; value: number }[] {
    return this.#sql.all(
      "SELECT key, value FROM meta WHERE key >= 'embedded:' AND key < 'embedded;'",
    );
  }

  #cursor(model: string | null): number {
    return this.#cursors().find(({ key }) => key === CURSOR + model)?.value ?? 0;
  }

  #keep(rid: number, data: Int8Array): void {
    if (data.length === 0 || this.#tooMany) return;
    if (this.#kept.size >= this.#most && !this.#kept.has(rid)) {
      this.#tooMany = true;
      this.#kept.clear();
      return;
    }
    let squares = 0;
    for (const each of data) squares += each * each;
    if (squares > 0) this.#kept.set(rid, { data, scale: 1 / Math.sqrt(squares) });
  }

  #load(model: string): void {
    if (this.#model === model) return;
    this.#model = model;
    this.#kept = new Map();
    this.#tooMany = false;
    this.#sql.eachPosting<{ rid: number; data: ArrayBuffer }>(
      ({ rid, data }) => this.#keep(rid, new Int8Array(data)),
      "SELECT rid, data FROM vectors WHERE model = ? LIMIT ?",
      model,
      this.#most + 1,
    );
  }

  #read(model: string, rid: number): Kept | undefined {
    const row = this.#sql.maybeOne<{ data: ArrayBuffer }>(
      "SELECT data FROM vectors WHERE rid = ? AND model = ?",
      rid,
      model,
    );
    if (row === undefined) return undefined;
    const data = new Int8Array(row.data);
    const length = Math.sqrt(data.reduce((sum, each) => sum + each * each, 0));
    return length === 0 ? undefined : { data, scale: 1 / length };
  }
}

function cosine(query: Float32Array, { data, scale }: Kept): number {
  let sum = 0;
  for (let at = 0; at < query.length; at += 1) sum += (query[at] ?? 0) * (data[at] ?? 0);
  return sum * scale;
}

function normalised(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (each) => (length === 0 ? 0 : each / length));
}

/** By the largest of its numbers; empty for a vector of zeros, which has no direction. */
function quantised(vector: readonly number[]): Int8Array<ArrayBuffer> {
  const largest = vector.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
  if (largest === 0) return new Int8Array();
  return Int8Array.from(vector, (each) => Math.round((each / largest) * 127));
}
