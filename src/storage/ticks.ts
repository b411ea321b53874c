import type { TickRecord } from "../../contracts/maintenance.ts";
import type { Sql } from "./sql.ts";

/** Ticks that are kept: ten days of one every 15 minutes ([MNT-12]). */
const TICKS_KEPT = 1_000;

export class TickStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  add(record: TickRecord): void {
    this.#sql.run(
      `INSERT INTO ticks (tick, visited, flagged, expired, failed, left_over, calls, ms, unreachable,
         failed_calls) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      record.tick,
      record.visited,
      record.flagged,
      record.expired,
      record.failed,
      record.leftOver,
      record.calls,
      record.ms,
      record.unreachable,
      record.failedCalls,
    );
    this.#sql.run("DELETE FROM ticks WHERE seq <= (SELECT max(seq) FROM ticks) - ?", TICKS_KEPT);
  }

  /** The last `n`, newest first. */
  newest(n: number): TickRecord[] {
    return this.#sql
      .all<Omit<TickRecord, "event">>(
        `SELECT tick, visited, flagged, expired, failed, left_over AS leftOver, calls, ms, unreachable,
           failed_calls AS failedCalls FROM ticks ORDER BY seq DESC LIMIT ?`,
        n,
      )
      .map((row) => ({ event: "tick", ...row }));
  }
}
