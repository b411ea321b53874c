import type { Sql } from "./sql.ts";

export interface RevisionRow {
  revision: number;
  changes: string;
  /** At most 401 characters of the text before the change. */
  content: string | null;
  reason: string | null;
  actor: string;
  at: number;
}

export interface NewRevision {
  rid: number;
  revision: number;
  changes: Record<string, [unknown, unknown]>;
  content: string | null;
  reason: string | null;
  actor: string;
  at: number;
}

/** Revisions of one entry that are kept ([HIS-2]): each may hold half a megabyte of old text. */
const REVISIONS_KEPT = 200;

export class RevisionStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  add(revision: NewRevision): void {
    this.#sql.run(
      `INSERT INTO revisions (rid, revision, changes, content, reason, actor, at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      revision.rid,
      revision.revision,
      JSON.stringify(revision.changes),
      revision.content,
      revision.reason,
      revision.actor,
      revision.at,
    );
    this.#sql.run(
      "DELETE FROM revisions WHERE rid = ? AND revision <= ?",
      revision.rid,
      revision.revision - REVISIONS_KEPT,
    );
  }

  /** Newest first, those older than `before` when given. */
  list(rid: number, n: number, before: number | null): RevisionRow[] {
    return this.#sql.all<RevisionRow>(
      `SELECT revision, changes, substr(content, 1, 401) AS content, reason, actor, at FROM revisions
       WHERE rid = ?1 AND (?2 IS NULL OR revision < ?2) ORDER BY revision DESC LIMIT ?3`,
      rid,
      before,
      n,
    );
  }

  count(rid: number): number {
    return this.#sql.one<{ n: number }>("SELECT count(*) AS n FROM revisions WHERE rid = ?", rid).n;
  }
}
