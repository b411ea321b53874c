import { KINDS, STATUSES } from "../../contracts/index.ts";
import type { Kind, Status } from "../../contracts/index.ts";
import type { Sql } from "./sql.ts";

/** Entries of one stored row, which stays inside a page of 4 KB, and the bits of a rid below its chunk. */
export const CHUNK = 256;
const CHUNK_BITS = 8;

/** Bytes of one entry: time, token count, flags. */
const TIME_BYTES = 8;
const COUNT_BYTES = 4;
const CHUNK_BYTES = CHUNK * (TIME_BYTES + COUNT_BYTES + 1);

/** Bits of the flags: kind 0-1, status 2-3. */
const STATUS_SHIFT = 2;
const TWO_BITS = 3;
const EXHAUST = 16;
const EXPIRES = 32;
const PRESENT = 64;

export interface DocValue {
  kind: Kind;
  status: Status;
  exhaust: boolean;
  expiresAt: number | null;
  occurredAt: number;
  tokenCount: number;
}

interface ValueRow {
  rid: number;
  kind: Kind;
  status: Status;
  exhaust: number;
  expires_at: number | null;
  occurred_at: number;
  token_count: number;
}

/**
 * Doc values (as in Lucene): the few facts of every entry that choosing among postings needs, as arrays by rid.
 * Read once when the object has woken, moved by the writes that move `entries`, forgotten when a transaction
 * rolls back. The table holds them packed (migration 0002); `entries` stays the truth of them.
 */
export class DocValues {
  readonly #sql: Sql;
  /** By rid; undefined until something asks. */
  #values: Columns | undefined;
  /** Last chunk with a stored row, -1 without one; undefined until something asks. */
  #sealed: number | undefined;

  constructor(sql: Sql) {
    this.#sql = sql;
    sql.onRollback(() => {
      this.#values = undefined;
      this.#sealed = undefined;
    });
  }

  /** Rids are below this. */
  get size(): number {
    return this.#all().size;
  }

  /** Tokens of title and body. */
  tokenCount(rid: number): number {
    return this.#all().counts[rid] ?? 0;
  }

  get tokenCounts(): Uint32Array {
    return this.#all().counts;
  }

  occurredAt(rid: number): number {
    return this.#all().times[rid] ?? 0;
  }

  kind(rid: number): Kind | undefined {
    return KINDS[this.#flags(rid) & TWO_BITS];
  }

  /** As stored: an entry that `mayExpire` may count as deprecated by now. */
  status(rid: number): Status | undefined {
    return STATUSES[(this.#flags(rid) >> STATUS_SHIFT) & TWO_BITS];
  }

  exhaust(rid: number): boolean {
    return (this.#flags(rid) & EXHAUST) !== 0;
  }

  mayExpire(rid: number): boolean {
    return (this.#flags(rid) & EXPIRES) !== 0;
  }

  has(rid: number): boolean {
    return (this.#flags(rid) & PRESENT) !== 0;
  }

  /** After an insert into `entries`. Every 256th also stores the row of the chunk that it completes. */
  add(rid: number, value: DocValue): void {
    this.#values?.set(rid, value);
    const chunk = rid >> CHUNK_BITS;
    if (chunk <= this.#lastSealed()) this.#patch(rid, value);
    else if (chunk - 1 > this.#lastSealed()) this.#seal();
  }

  /** After an update; writes a row only when a value moved that is already stored. */
  put(rid: number, value: DocValue): void {
    this.#values?.set(rid, value);
    if (rid >> CHUNK_BITS <= this.#lastSealed()) this.#patch(rid, value);
  }

  delete(rid: number): void {
    this.#values?.clear(rid);
    if (rid >> CHUNK_BITS <= this.#lastSealed()) this.#patch(rid, undefined);
  }

  /** After `entries` moved without the calls above: reads these anew, one stored row a chunk. */
  restate(rids: readonly number[]): void {
    this.#values = undefined;
    for (const chunk of new Set(rids.map((rid) => rid >> CHUNK_BITS))) {
      if (chunk <= this.#lastSealed()) this.#store(chunk, this.#chunk(chunk));
    }
  }

  #flags(rid: number): number {
    return this.#all().flags[rid] ?? 0;
  }

  #all(): Columns {
    if (this.#values) return this.#values;
    const values = new Columns();
    const rows = this.#sql.postings<{ chunk: number; data: ArrayBuffer }>(
      "SELECT chunk, data FROM doc_values ORDER BY chunk",
    );
    const tail = this.#rows((this.#lastSealed() + 1) * CHUNK, Number.MAX_SAFE_INTEGER);
    values.reach(Math.max((tail.at(-1)?.rid ?? -1) + 1, ((rows.at(-1)?.chunk ?? -1) + 1) * CHUNK));
    for (const { chunk, data } of rows) values.fill(chunk * CHUNK, data);
    for (const row of tail) values.set(row.rid, toValue(row));
    this.#values = values;
    return values;
  }

  #lastSealed(): number {
    this.#sealed ??=
      this.#sql.postings<{ chunk: number }>(
        "SELECT coalesce(max(chunk), -1) AS chunk FROM doc_values",
      )[0]?.chunk ?? -1;
    return this.#sealed;
  }

  #rows(from: number, before: number): ValueRow[] {
    return this.#sql.postings<ValueRow>(
      `SELECT rid, kind, status, exhaust, expires_at, occurred_at, token_count FROM entries
       WHERE rid >= ? AND rid < ?`,
      from,
      before,
    );
  }

  /** Stores the next chunk. */
  #seal(): void {
    const chunk = this.#lastSealed() + 1;
    this.#store(chunk, this.#chunk(chunk));
    this.#sealed = chunk;
  }

  /** A chunk as `entries` has it. */
  #chunk(chunk: number): Columns {
    const first = chunk * CHUNK;
    const values = new Columns();
    for (const row of this.#rows(first, first + CHUNK)) values.set(row.rid - first, toValue(row));
    return values;
  }

  #patch(rid: number, value: DocValue | undefined): void {
    const chunk = rid >> CHUNK_BITS;
    const row = this.#sql.maybeOne<{ data: ArrayBuffer }>(
      "SELECT data FROM doc_values WHERE chunk = ?",
      chunk,
    );
    if (row === undefined) return;
    const stored = new Columns();
    stored.fill(0, row.data);
    if (stored.replace(rid % CHUNK, value)) this.#store(chunk, stored);
  }

  #store(chunk: number, values: Columns): void {
    this.#sql.run(
      "INSERT INTO doc_values (chunk, data) VALUES (?, ?) ON CONFLICT DO UPDATE SET data = excluded.data",
      chunk,
      values.packed(),
    );
  }
}

function toValue(row: ValueRow): DocValue {
  return {
    kind: row.kind,
    status: row.status,
    exhaust: row.exhaust === 1,
    expiresAt: row.expires_at,
    occurredAt: row.occurred_at,
    tokenCount: row.token_count,
  };
}

function flagsOf({ kind, status, exhaust, expiresAt }: DocValue): number {
  return (
    PRESENT |
    KINDS.indexOf(kind) |
    (STATUSES.indexOf(status) << STATUS_SHIFT) |
    (exhaust ? EXHAUST : 0) |
    (expiresAt === null ? 0 : EXPIRES)
  );
}

/** The values as one array a column; grows by whole chunks, at least by half. */
class Columns {
  size = 0;
  times = new Float64Array(CHUNK);
  counts = new Uint32Array(CHUNK);
  flags = new Uint8Array(CHUNK);

  set(at: number, value: DocValue): void {
    this.reach(at + 1);
    this.times[at] = value.occurredAt;
    this.counts[at] = value.tokenCount;
    this.flags[at] = flagsOf(value);
  }

  clear(at: number): void {
    if (at >= this.size) return;
    this.times[at] = 0;
    this.counts[at] = 0;
    this.flags[at] = 0;
  }

  /** Sets or clears; false when everything was so already. */
  replace(at: number, value: DocValue | undefined): boolean {
    const before = [this.times[at], this.counts[at], this.flags[at]];
    if (value) this.set(at, value);
    else this.clear(at);
    const after = [this.times[at], this.counts[at], this.flags[at]];
    return after.some((each, column) => each !== before[column]);
  }

  /** Takes over a stored chunk, from position `at` on. */
  fill(at: number, data: ArrayBuffer): void {
    this.reach(at + CHUNK);
    this.times.set(new Float64Array(data, 0, CHUNK), at);
    this.counts.set(new Uint32Array(data, CHUNK * TIME_BYTES, CHUNK), at);
    this.flags.set(new Uint8Array(data, CHUNK * (TIME_BYTES + COUNT_BYTES), CHUNK), at);
  }

  /** The first chunk, as stored. */
  packed(): Uint8Array {
    const data = new Uint8Array(CHUNK_BYTES);
    data.set(bytesOf(this.times), 0);
    data.set(bytesOf(this.counts), CHUNK * TIME_BYTES);
    data.set(this.flags.subarray(0, CHUNK), CHUNK * (TIME_BYTES + COUNT_BYTES));
    return data;
  }

  /** Makes room for positions below `size`. */
  reach(size: number): void {
    if (size > this.times.length) {
      const room = Math.ceil(Math.max(size, this.times.length * 1.5) / CHUNK) * CHUNK;
      this.times = grown(new Float64Array(room), this.times);
      this.counts = grown(new Uint32Array(room), this.counts);
      this.flags = grown(new Uint8Array(room), this.flags);
    }
    this.size = Math.max(this.size, size);
  }
}

function grown<T extends Float64Array | Uint32Array | Uint8Array>(larger: T, from: T): T {
  larger.set(from);
  return larger;
}

function bytesOf(array: Float64Array | Uint32Array): Uint8Array {
  return new Uint8Array(array.buffer, 0, CHUNK * array.BYTES_PER_ELEMENT);
}
