import { EACH_VALUE, VALUES_AT_ONCE } from "./sql.ts";
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

/** An entry's values before the changes since a time. */
export interface Before {
  revision: number;
  /** By the names of a revision's `changes`; only what has changed since. */
  fields: Record<string, unknown>;
  /** Null when the text has not changed since. */
  content: string | null;
  /** False when revisions of before are not kept any more: it may have been otherwise still ([HIS-2]). */
  exact: boolean;
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

  /**
   * What later changes changed, as it was at a time, by rid; entries that did not change since are left out.
   * Reads every kept revision of the entries, and one row more of each whose text has changed since.
   */
  before(rids: readonly number[], asOf: number): Map<number, Before> {
    const rows = this.#sql.allOf<{
      rid: number;
      revision: number;
      changes: string;
      has_text: number;
      later: number;
    }>(BEFORE, rids, asOf);
    const result = new Map<number, Before>();
    for (const [rid, all] of Map.groupBy(rows, (row) => row.rid)) {
      const since = all.filter((row) => row.later === 1).sort((a, b) => a.revision - b.revision);
      const first = since[0];
      if (first === undefined) continue;
      const fields: Record<string, unknown> = {};
      for (const row of since.toReversed()) {
        const changes = JSON.parse(row.changes) as Record<string, [unknown, unknown]>;
        for (const [field, [value]] of Object.entries(changes)) fields[field] = value;
      }
      const text = since.find((row) => row.has_text === 1);
      result.set(rid, {
        revision: first.revision - 1,
        fields,
        content: text === undefined ? null : this.#contentBefore(rid, text.revision),
        // Revision 1 has no row, and of the others the oldest may be gone ([HIS-2]).
        exact: first.revision === 2 || all.length > since.length,
      });
    }
    return result;
  }

  #contentBefore(rid: number, revision: number): string {
    return this.#sql.one<{ content: string }>(
      "SELECT content FROM revisions WHERE rid = ? AND revision = ?",
      rid,
      revision,
    ).content;
  }

  count(rid: number): number {
    return this.#sql.one<{ n: number }>("SELECT count(*) AS n FROM revisions WHERE rid = ?", rid).n;
  }
}

const BEFORE = `${EACH_VALUE} SELECT r.rid, r.revision, r.changes, r.content IS NOT NULL AS has_text,
  r.at > ?${VALUES_AT_ONCE + 1} AS later
  FROM each CROSS JOIN revisions AS r ON r.rid = each.value`;
