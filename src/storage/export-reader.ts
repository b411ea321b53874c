import type { EntryRow } from "./entry-row.ts";
import type { Sql } from "./sql.ts";

/** An entry as it is stored, with what stands beside it. */
export interface ExportedEntryRow extends EntryRow {
  /** JSON array, sorted. */
  tags: string;
  recall_count: number;
}

export interface ExportedRevisionRow {
  revision: number;
  changes: string;
  content: string | null;
  reason: string | null;
  actor: string;
  at: number;
}

export interface ExportedEdgeRow {
  src: string;
  dst: string;
  type: string;
  weight: number;
  provenance: string;
  metadata: string | null;
  created_at: number;
  updated_at: number;
}

export interface ExportedEventRow {
  seq: number;
  at: number;
  actor: string;
  method: string;
  action: string;
  entry: string;
  changes: string | null;
}

/** Reads every row that an export has, one at a time and in an order that rows alone decide ([EXP-2]). */
export class ExportReader {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** The first and the last line of the audit log; lines leave it at its start only. */
  log(): { first: number; last: number } | null {
    const first = this.#sql.maybeOne<{ seq: number }>(
      "SELECT seq FROM events WHERE seq > 0 ORDER BY seq LIMIT 1",
    );
    const last = this.#sql.maybeOne<{ seq: number }>(
      "SELECT seq FROM events WHERE seq > 0 ORDER BY seq DESC LIMIT 1",
    );
    return first && last ? { first: first.seq, last: last.seq } : null;
  }

  entryAfter(id: string): ExportedEntryRow | undefined {
    return this.#entry("e.id > ? ORDER BY e.id LIMIT 1", id);
  }

  entry(id: string): ExportedEntryRow | undefined {
    return this.#entry("e.id = ?", id);
  }

  revisionAfter(rid: number, revision: number): ExportedRevisionRow | undefined {
    return this.#sql.maybeOne(
      `SELECT revision, changes, content, reason, actor, at FROM revisions
       WHERE rid = ? AND revision > ? ORDER BY revision LIMIT 1`,
      rid,
      revision,
    );
  }

  /** In the order of the table: by dst, type, weight descending and src. */
  edgeAfter(place: Pick<ExportedEdgeRow, "dst" | "type" | "weight" | "src">) {
    const { dst, type, weight, src } = place;
    const first = (where: string, ...values: (string | number)[]) =>
      this.#sql.maybeOne<ExportedEdgeRow>(
        `SELECT * FROM edges WHERE ${where} ORDER BY dst, type, weight DESC, src LIMIT 1`,
        ...values,
      );
    return (
      first("dst = ? AND type = ? AND weight = ? AND src > ?", dst, type, weight, src) ??
      first("dst = ? AND type = ? AND weight < ?", dst, type, weight) ??
      first("dst = ? AND type > ?", dst, type) ??
      first("dst > ?", dst)
    );
  }

  eventAfter(seq: number): ExportedEventRow | undefined {
    return this.#sql.maybeOne(
      `SELECT seq, at, actor, method, action, entry, changes FROM events
       WHERE seq > ? ORDER BY seq LIMIT 1`,
      seq,
    );
  }

  #entry(where: string, id: string): ExportedEntryRow | undefined {
    return this.#sql.maybeOne(
      `SELECT e.*, coalesce((SELECT count FROM recalls WHERE rid = e.rid), 0) AS recall_count,
         (SELECT json_group_array(tag) FROM (SELECT tag FROM tags WHERE rid = e.rid ORDER BY tag)) AS tags
       FROM entries AS e WHERE ${where}`,
      id,
    );
  }
}
