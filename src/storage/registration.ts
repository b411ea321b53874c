import type { Sql } from "./sql.ts";

/**
 * The earliest due time that a directory is known to have of this workspace ([MNT-6]); null when none is.
 * It may be later than what the directory has, never earlier: what is not before it need not be told.
 */
export class RegistrationStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  known(): number | null {
    const query = "SELECT value FROM meta WHERE key = 'registered_due_at'";
    return this.#sql.maybeOne<{ value: number }>(query)?.value ?? null;
  }

  /** The directory has heard of `dueAt`. */
  set(dueAt: number): void {
    this.#sql.run(
      `INSERT INTO meta (key, value) VALUES ('registered_due_at', ?)
       ON CONFLICT DO UPDATE SET value = excluded.value`,
      dueAt,
    );
  }

  /** After a pass the directory forgets what was due before, and may hold `nextDueAt` instead; null: nothing. */
  raise(nextDueAt: number | null): void {
    if (nextDueAt === null) {
      this.#sql.run("DELETE FROM meta WHERE key = 'registered_due_at'");
    } else {
      this.#sql.run(
        "UPDATE meta SET value = ?1 WHERE key = 'registered_due_at' AND value < ?1",
        nextDueAt,
      );
    }
  }
}
