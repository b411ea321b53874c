import { EACH_VALUE } from "./sql.ts";
import type { Sql } from "./sql.ts";

/** How often each entry was presented as a direct hit. One row written per hit, no index. */
export class RecallStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  bump(rids: readonly number[]): void {
    if (rids.length === 0) return;
    this.#sql.allOf(
      `${EACH_VALUE} INSERT INTO recalls (rid, count)
       SELECT value, 1 FROM each WHERE value IS NOT NULL ON CONFLICT DO UPDATE SET count = count + 1`,
      rids,
    );
  }

  /** By rid; an entry that was never recalled is left out. */
  counts(rids: readonly number[]): Map<number, number> {
    const rows = this.#sql.allOf<{ rid: number; count: number }>(
      `${EACH_VALUE} SELECT r.rid, r.count FROM each CROSS JOIN recalls AS r ON r.rid = each.value`,
      rids,
    );
    return new Map(rows.map((row) => [row.rid, row.count]));
  }

  of(rid: number): number {
    return (
      this.#sql.maybeOne<{ count: number }>("SELECT count FROM recalls WHERE rid = ?", rid)
        ?.count ?? 0
    );
  }
}
