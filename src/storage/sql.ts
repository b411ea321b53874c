import { withinScope } from "./scope.ts";

/** What may be bound. Booleans and dates are left out on purpose: workerd would store them as words. */
export type Binding = string | number | null | Uint8Array;

type Row = Record<string, SqlStorageValue>;

export interface RowCounts {
  rowsRead: number;
  rowsWritten: number;
  /** Rows of posting lists and doc values, which an object reads once and keeps: not in `rowsRead` ([CNT-4]). */
  postingsRead: number;
}

/** Bound values of one statement of `allOf`; the platform allows 100. What else is bound comes after them. */
export const VALUES_AT_ONCE = 64;

/** A table `each (value)`: null in places without a value, which joins with nothing. */
export const EACH_VALUE = `WITH each (value) AS (VALUES ${Array(VALUES_AT_ONCE).fill("(?)").join(", ")})`;

/**
 * The only door to SQLite. Statements are constant strings (workerd caches them by identity), values are
 * always bound, every cursor is read to its end at once, and rows read and written are counted.
 */
export class Sql {
  readonly #storage: DurableObjectStorage;
  readonly #counts: RowCounts;
  readonly #beforeCommit: (() => void)[] = [];
  readonly #onRollback: (() => void)[] = [];
  /** Tags as a JSON array; null for the whole workspace. */
  readonly #scope: string | null;

  constructor(storage: DurableObjectStorage, within?: { sql: Sql; tags: readonly string[] }) {
    this.#storage = storage;
    const none = { rowsRead: 0, rowsWritten: 0, postingsRead: 0 };
    this.#counts = within === undefined ? none : within.sql.#counts;
    this.#scope = within === undefined ? null : JSON.stringify(within.tags);
  }

  /** The same database, of which `all` and what is made of it read only the entries with all these tags. */
  within(tags: readonly string[]): Sql {
    return new Sql(this.#storage, { sql: this, tags });
  }

  all<T extends object>(query: string, ...bindings: Binding[]): T[] {
    const cursor = this.#cursor(query, bindings);
    const rows = cursor.toArray();
    this.#counts.rowsRead += cursor.rowsRead;
    this.#counts.rowsWritten += cursor.rowsWritten;
    return rows as T[];
  }

  #cursor(query: string, bindings: Binding[]) {
    const scoped = this.#scope === null ? query : withinScope(query, bindings.length);
    const scope = this.#scope === null || scoped === query ? [] : [this.#scope];
    return this.#storage.sql.exec<Row>(scoped, ...bindings, ...scope);
  }

  /**
   * The rows of each value, in no order; `query` begins with `EACH_VALUE` and reads the table `each (value)`. Not by
   * json_each, of which SQLite reads, and the platform bills, a row a value.
   */
  allOf<T extends object>(query: string, values: readonly Binding[], ...others: Binding[]): T[] {
    const rows: T[] = [];
    for (let from = 0; from < values.length; from += VALUES_AT_ONCE) {
      const some = values.slice(from, from + VALUES_AT_ONCE);
      const nulls = Array<null>(VALUES_AT_ONCE - some.length).fill(null);
      rows.push(...this.all<T>(query, ...some, ...nulls, ...others));
    }
    return rows;
  }

  /** A read of what the object keeps in memory while it is awake. */
  postings<T extends object>(query: string, ...bindings: Binding[]): T[] {
    const cursor = this.#storage.sql.exec<Row>(query, ...bindings);
    const rows = cursor.toArray();
    this.#counts.postingsRead += cursor.rowsRead;
    return rows as T[];
  }

  /** As `postings`, row by row: for rows that would not fit into memory together. */
  eachPosting<T extends object>(
    visit: (row: T) => void,
    query: string,
    ...bindings: Binding[]
  ): void {
    const cursor = this.#storage.sql.exec<Row>(query, ...bindings);
    for (const row of cursor) visit(row as T);
    this.#counts.postingsRead += cursor.rowsRead;
  }

  maybeOne<T extends object>(query: string, ...bindings: Binding[]): T | undefined {
    const rows = this.all<T>(query, ...bindings);
    if (rows.length > 1) throw new Error(`Expected at most one row, got ${rows.length}: ${query}`);
    return rows[0];
  }

  one<T extends object>(query: string, ...bindings: Binding[]): T {
    const row = this.maybeOne<T>(query, ...bindings);
    if (row === undefined) throw new Error(`Expected one row, got none: ${query}`);
    return row;
  }

  run(query: string, ...bindings: Binding[]): void {
    this.all(query, ...bindings);
  }

  /** All or nothing. The callback must be synchronous: SQLite would commit under a promise that rejects. */
  transaction<T>(work: () => T extends PromiseLike<unknown> ? never : T): T {
    const { rowsWritten } = this.#counts;
    try {
      return this.#storage.transactionSync(() => {
        const result: T = work();
        if (result instanceof Promise) throw new Error("A transaction must not be asynchronous.");
        for (const write of this.#beforeCommit) write();
        return result;
      });
    } catch (error) {
      if (this.#counts.rowsWritten > rowsWritten) for (const forget of this.#onRollback) forget();
      throw error;
    }
  }

  /** `write` writes what memory has gathered of a transaction; called as the last act of every one. */
  beforeCommit(write: () => void): void {
    this.#beforeCommit.push(write);
  }

  /** `forget` drops what memory holds of the database; called after a transaction that had written rolled back. */
  onRollback(forget: () => void): void {
    this.#onRollback.push(forget);
  }

  /** Rows read and written by `work`. Statements inside it must not be counted twice: do not nest. */
  counted<T>(work: () => T): { result: T; counts: RowCounts } {
    const before = { ...this.#counts };
    const result = work();
    return {
      result,
      counts: {
        rowsRead: this.#counts.rowsRead - before.rowsRead,
        rowsWritten: this.#counts.rowsWritten - before.rowsWritten,
        postingsRead: this.#counts.postingsRead - before.postingsRead,
      },
    };
  }

  /** Bytes of the pages in use: what is erased leaves it, though the file stays as large as it was. */
  get databaseSize(): number {
    return this.#storage.sql.databaseSize;
  }
}

/** SQLite's errors have no code of their own in workerd, only a text that names it. */
export function isOutOfRoom(error: unknown): boolean {
  return error instanceof Error && error.message.includes("SQLITE_FULL");
}
