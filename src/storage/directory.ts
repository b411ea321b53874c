import type { Sql } from "./sql.ts";

/** A workspace and the time (milliseconds) at which its staleness pass is due. */
export interface DueWorkspace {
  workspace: string;
  dueAt: number;
}

/**
 * When each workspace is next due ([MNT-6]). `due_at` is what a pass is run for; `later_at` is the earliest
 * time noted since that is not before it. A write that comes between a pass and its settling would be lost
 * without the second: the pass knows nothing of it, and what it reports would overwrite it.
 */
export class DirectoryStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
    sql.run(
      `CREATE TABLE IF NOT EXISTS due_workspaces (
         workspace TEXT PRIMARY KEY,
         due_at INTEGER NOT NULL,
         later_at INTEGER
       ) STRICT, WITHOUT ROWID`,
    );
    sql.run("CREATE INDEX IF NOT EXISTS due_workspaces_due ON due_workspaces (due_at, workspace)");
  }

  /** Keeps the earlier time, and remembers the other. Writes nothing when it learns nothing. */
  note(workspace: string, dueAt: number): void {
    this.#sql.run(
      `INSERT INTO due_workspaces (workspace, due_at) VALUES (?, ?)
       ON CONFLICT (workspace) DO UPDATE SET
         due_at = min(due_at, excluded.due_at),
         later_at = CASE WHEN excluded.due_at < due_at THEN later_at ELSE excluded.due_at END
       WHERE excluded.due_at < due_at OR later_at IS NULL OR excluded.due_at < later_at`,
      workspace,
      dueAt,
    );
  }

  /** Longest due first. */
  listDue(now: number, limit: number): DueWorkspace[] {
    return this.#sql.all<DueWorkspace>(
      `SELECT workspace, due_at AS dueAt FROM due_workspaces
       WHERE due_at <= ? ORDER BY due_at, workspace LIMIT ?`,
      now,
      limit,
    );
  }

  /**
   * Records what a pass for `seenDueAt` found to be next due, null for never. Only the time that the pass
   * was run for is replaced; what was noted meanwhile stays when it is earlier.
   */
  settle(workspace: string, seenDueAt: number, nextDueAt: number | null): void {
    this.#sql.transaction(() => {
      const known = this.#sql.maybeOne<{ dueAt: number; laterAt: number | null }>(
        `SELECT due_at AS dueAt, later_at AS laterAt FROM due_workspaces WHERE workspace = ?`,
        workspace,
      );
      const noted = known?.dueAt === seenDueAt ? known.laterAt : (known?.dueAt ?? null);
      const next = earliest(noted, nextDueAt);
      this.#sql.run("DELETE FROM due_workspaces WHERE workspace = ?", workspace);
      if (next !== null) this.note(workspace, next);
    });
  }
}

function earliest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}
