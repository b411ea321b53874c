import type { Sql } from "./sql.ts";

export type Action =
  | "captured"
  | "updated"
  | "deprecated"
  | "superseded"
  | "forgotten"
  | "linked"
  | "unlinked"
  | "affirmed";

export interface NewEvent {
  at: number;
  actor: string;
  method: string;
  action: Action;
  /** Public id; may name an entry that is gone. */
  entry: string;
  /** What changed, never content. */
  changes?: Record<string, unknown>;
}

export interface EventRow {
  seq: number;
  at: number;
  action: Action;
  entry: string;
}

/** Events that a pass leaves in the log ([MNT-4]). */
const EVENTS_KEPT = 100_000;

/** The audit log: append-only. */
export class EventStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  add(event: NewEvent): void {
    this.#sql.run(
      "INSERT INTO events (at, actor, method, action, entry, changes) VALUES (?, ?, ?, ?, ?, ?)",
      event.at,
      event.actor,
      event.method,
      event.action,
      event.entry,
      event.changes === undefined ? null : JSON.stringify(event.changes),
    );
  }

  /** Events of one action at or after `since`, counted up to `limit`. With a tag: of entries that have it. */
  count(action: Action, since: number, tag: string | null, limit: number): number {
    return this.#sql.one<{ n: number }>(
      `SELECT count(*) AS n FROM (
         SELECT 1 FROM events AS v
         WHERE v.action = ?1 AND v.at >= ?2
           AND (?3 IS NULL OR EXISTS (
             SELECT 1 FROM entries AS e JOIN tags AS t ON t.rid = e.rid
             WHERE e.id = v.entry AND t.tag = ?3))
         LIMIT ?4)`,
      action,
      since,
      tag,
      limit,
    ).n;
  }

  /** The newest events of an action whose entry still exists. */
  newest(action: Action, since: number, tag: string | null, n: number): EventRow[] {
    return this.#sql.all<EventRow>(
      `SELECT v.seq, v.at, v.action, v.entry FROM events AS v JOIN entries AS e ON e.id = v.entry
       WHERE v.action = ?1 AND v.at >= ?2
         AND (?3 IS NULL OR EXISTS (SELECT 1 FROM tags WHERE tag = ?3 AND rid = e.rid))
       ORDER BY v.at DESC, v.seq DESC LIMIT ?4`,
      action,
      since,
      tag,
      n,
    );
  }

  /** Removes at most `limit` of the events beyond the newest `EVENTS_KEPT`. */
  trim(limit: number): void {
    this.#sql.run(
      `DELETE FROM events WHERE seq IN (
         SELECT seq FROM events WHERE seq <= (SELECT max(seq) FROM events) - ?1 ORDER BY seq LIMIT ?2)`,
      EVENTS_KEPT,
      limit,
    );
  }
}
