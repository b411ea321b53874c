import type { StalenessRun } from "../../contracts/index.ts";
import type { Sql } from "./sql.ts";

/** Maintenance runs that are kept ([MNT-3]). */
const RUNS_KEPT = 200;

export class RunStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  add(run: StalenessRun): void {
    this.#sql.run(
      `INSERT INTO runs (at, "trigger", scanned, flagged, expired, remaining, next_due_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      run.at,
      run.trigger,
      run.scanned,
      run.flagged,
      run.expired,
      run.remaining,
      run.nextDueAt,
    );
    this.#sql.run("DELETE FROM runs WHERE run <= (SELECT max(run) FROM runs) - ?", RUNS_KEPT);
  }

  /** The number of the last run, 0 before the first. Numbers only grow. */
  lastRun(): number {
    return this.#sql.one<{ run: number }>("SELECT coalesce(max(run), 0) AS run FROM runs").run;
  }

  newest(n: number): StalenessRun[] {
    return this.#sql.all<StalenessRun>(
      `SELECT at, "trigger", scanned, flagged, expired, remaining, next_due_at AS nextDueAt
       FROM runs ORDER BY run DESC LIMIT ?`,
      n,
    );
  }
}
