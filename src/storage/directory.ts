import { DIRECTORY_MIGRATIONS } from "../../migrations/directory/index.ts";
import { migrate } from "./migrate.ts";
import type { Sql } from "./sql.ts";

/** A workspace that a pass may be run on now. Times are milliseconds. */
export interface ClaimedWorkspace {
  workspace: string;
  dueAt: number;
}

/** A workspace as the directory knows it. */
export interface KnownWorkspace extends ClaimedWorkspace {
  /** From when it may be claimed: later than `dueAt` under a lease, or after a failure. */
  readyAt: number;
  /** Passes that failed since the last one that did not. */
  failures: number;
  /** The code of the last failure. */
  error: string | null;
}

/** How a claim ended. */
export type Settlement = { workspace: string; claim: string } & (
  | { nextDueAt: number | null; progressed: boolean }
  | { error: string }
  | { released: true }
);

/** The wait after a first failure; it doubles with each one after it, up to a day ([MNT-11]). */
const FIRST_WAIT_MS = 15 * 60_000;
const LONGEST_WAIT_MS = 24 * 3_600_000;
/** Where the count of what is left stops. */
const LEFT_LIMIT = 1_000;

/**
 * When each workspace is next due, and who is at work on it ([MNT-6], [MNT-9]). `due_at` is what a pass is
 * run for. A time that is noted while a claim is held is kept beside it: the pass may have run before the
 * write that it stands for, so that what the pass reports must not overwrite it.
 */
export class DirectoryStore {
  readonly #sql: Sql;

  constructor(sql: Sql, now: number) {
    this.#sql = sql;
    migrate(sql, DIRECTORY_MIGRATIONS, now);
  }

  /** Keeps the earlier time. Writes nothing when it learns nothing. */
  note(workspace: string, dueAt: number): void {
    this.#sql.run(
      `INSERT INTO workspaces (workspace, due_at, ready_at) VALUES (?1, ?2, ?2)
       ON CONFLICT (workspace) DO UPDATE SET
         due_at = iif(claim IS NULL, excluded.due_at, due_at),
         ready_at = iif(claim IS NULL AND failures = 0, excluded.due_at, ready_at),
         noted_at = iif(claim IS NULL, NULL, excluded.due_at)
       WHERE excluded.due_at < iif(claim IS NULL, due_at, coalesce(noted_at, excluded.due_at + 1))`,
      workspace,
      dueAt,
    );
  }

  /** Takes at most `limit` workspaces that are ready at `now`, longest ready first, until `leaseUntil`. */
  claim(now: number, limit: number, claim: string, leaseUntil: number): ClaimedWorkspace[] {
    const claimed = this.#sql.all<ClaimedWorkspace>(
      `UPDATE workspaces SET claim = ?, ready_at = ?,
         due_at = min(due_at, coalesce(noted_at, due_at)), noted_at = NULL
       WHERE workspace IN (
         SELECT workspace FROM workspaces WHERE ready_at <= ? ORDER BY ready_at, workspace LIMIT ?)
       RETURNING workspace, due_at AS dueAt`,
      claim,
      leaseUntil,
      now,
      limit,
    );
    return claimed.sort((a, b) => a.dueAt - b.dueAt || (a.workspace < b.workspace ? -1 : 1));
  }

  /** How many are ready at `now`, counted up to 1,000. */
  countReady(now: number): number {
    return this.#sql.one<{ n: number }>(
      "SELECT count(*) AS n FROM (SELECT 1 FROM workspaces WHERE ready_at <= ? LIMIT ?)",
      now,
      LEFT_LIMIT,
    ).n;
  }

  /** Ends a claim. One whose lease has ended, and that was given to somebody else, changes nothing. */
  settle(settlement: Settlement, now: number): void {
    this.#sql.transaction(() => {
      const held = this.#sql.maybeOne<Held>(
        `SELECT due_at AS dueAt, noted_at AS notedAt, failures, error FROM workspaces
         WHERE workspace = ? AND claim = ?`,
        settlement.workspace,
        settlement.claim,
      );
      if (held === undefined) return;
      const next = stateAfter(settlement, held, now);
      if (next === null) this.#remove(settlement.workspace);
      else this.#free(settlement.workspace, next);
    });
  }

  /** What is known of a workspace, the times that were noted under its claim among it. */
  find(workspace: string): KnownWorkspace | null {
    const known = this.#sql.maybeOne<KnownWorkspace>(
      `SELECT workspace, min(due_at, coalesce(noted_at, due_at)) AS dueAt, ready_at AS readyAt,
         failures, error FROM workspaces WHERE workspace = ?`,
      workspace,
    );
    return known ?? null;
  }

  /** At most `limit` workspaces whose last pass failed, most failures first. */
  failing(limit: number): KnownWorkspace[] {
    return this.#sql.all<KnownWorkspace>(
      `SELECT workspace, due_at AS dueAt, ready_at AS readyAt, failures, error FROM workspaces
       WHERE failures > 0 ORDER BY failures DESC, workspace LIMIT ?`,
      limit,
    );
  }

  #remove(workspace: string): void {
    this.#sql.run("DELETE FROM workspaces WHERE workspace = ?", workspace);
  }

  #free(workspace: string, { dueAt, readyAt, failures, error }: Free): void {
    this.#sql.run(
      `UPDATE workspaces SET due_at = ?, ready_at = ?, failures = ?, error = ?,
         claim = NULL, noted_at = NULL WHERE workspace = ?`,
      dueAt,
      readyAt,
      failures,
      error,
      workspace,
    );
  }
}

interface Free {
  dueAt: number;
  readyAt: number;
  failures: number;
  error: string | null;
}

interface Held extends Omit<Free, "readyAt"> {
  notedAt: number | null;
}

/** What the directory holds of a workspace after its claim; null when nothing is due any more. */
function stateAfter(settlement: Settlement, held: Held, now: number): Free | null {
  if ("nextDueAt" in settlement) {
    const dueAt = earliest(settlement.nextDueAt, held.notedAt);
    if (dueAt === null) return null;
    // A pass that changed nothing, and still reports due work, will do no better in the same tick.
    const readyAt = settlement.progressed ? dueAt : Math.max(dueAt, now + 1);
    return { dueAt, readyAt, failures: 0, error: null };
  }
  const dueAt = Math.min(held.dueAt, held.notedAt ?? held.dueAt);
  if ("released" in settlement) return { ...held, dueAt, readyAt: dueAt };
  const failures = held.failures + 1;
  const wait = Math.min(FIRST_WAIT_MS * 2 ** held.failures, LONGEST_WAIT_MS);
  return { dueAt, readyAt: now + wait, failures, error: settlement.error };
}

function earliest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}
