import type { ChangeLine } from "../../contracts/index.ts";
import type { Sql } from "./sql.ts";

export type Action = ChangeLine["what"];

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
  actor: string;
  action: Action;
  entry: string;
  /** JSON of `NewEvent.changes`. */
  changes: string | null;
}

/** Events that a pass leaves in the log ([MNT-4]). */
const EVENTS_KEPT = 100_000;

/** Actions that the brief counts; only these are indexed. Captures it counts from entries and tags. */
type Counted = "updated" | "superseded" | "deprecated" | "forgotten";
const COUNTED = "action IN ('updated', 'superseded', 'deprecated', 'forgotten')";

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

  /** Events of one action at or after `since`, counted up to `limit`. */
  count(action: Counted, since: number, limit: number): number {
    return this.#sql.one<{ n: number }>(
      `SELECT count(*) AS n FROM (
         SELECT 1 FROM events WHERE action = ? AND ${COUNTED} AND at >= ? LIMIT ?)`,
      action,
      since,
      limit,
    ).n;
  }

  /** How many of the newest `limit` of them are of entries that have the tag, and how many that is of. */
  countWithTag(
    action: Counted,
    since: number,
    tag: string,
    limit: number,
  ): { n: number; of: number } {
    return this.#sql.one<{ n: number; of: number }>(
      `SELECT count(t.tag) AS n, count(*) AS of FROM (
         SELECT entry FROM events WHERE action = ?1 AND ${COUNTED} AND at >= ?2
         ORDER BY at DESC, seq DESC LIMIT ?4) AS v
       LEFT JOIN entries AS e ON e.id = v.entry LEFT JOIN tags AS t ON t.rid = e.rid AND t.tag = ?3`,
      action,
      since,
      tag,
      limit,
    );
  }

  /** The newest `n` lines written before the one of that number, newest first. */
  page(before: number | null, n: number): EventRow[] {
    return this.#sql.all<EventRow>(
      `SELECT seq, at, actor, action, entry, changes FROM events
       WHERE seq < coalesce(?, 9e15) ORDER BY seq DESC LIMIT ?`,
      before,
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
