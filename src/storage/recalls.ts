import type { Sql } from "./sql.ts";

/** How often each entry was presented as a direct hit. One row written per hit, no index. */
export class RecallStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  bump(ids: readonly string[]): void {
    if (ids.length === 0) return;
    this.#sql.run(
      `INSERT INTO recalls (rid, count)
       SELECT e.rid, 1 FROM json_each(?) AS j JOIN entries AS e ON e.id = j.value WHERE true
       ON CONFLICT DO UPDATE SET count = count + 1`,
      JSON.stringify(ids),
    );
  }

  of(rid: number): number {
    return (
      this.#sql.maybeOne<{ count: number }>("SELECT count FROM recalls WHERE rid = ?", rid)
        ?.count ?? 0
    );
  }
}
