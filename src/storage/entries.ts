import { LIMITS } from "../../contracts/index.ts";
import type { Kind, Status, Volatility } from "../../contracts/index.ts";
import { CONTESTED, LISTED_COLUMNS, activeAt, toStoredEntry } from "./entry-row.ts";
import type { EntryRow, ListedRow, StoredEntry } from "./entry-row.ts";
import type { DocValues } from "./doc-values.ts";
import { EACH_VALUE } from "./sql.ts";
import type { Sql } from "./sql.ts";

export type NewEntry = Omit<StoredEntry, "rid"> & { hash: Uint8Array };

/** A place in a list ordered by a time, newest first, and then by id. */
export interface Place {
  at: number;
  id: string;
}

/** Before everything: where a list without a cursor starts. */
export const LIST_START: Place = { at: LIMITS.timeMs + 1, id: "" };

export type NodeRow = Pick<
  ListedRow,
  | "id"
  | "content"
  | "kind"
  | "status"
  | "importance"
  | "expires_at"
  | "due_at"
  | "stale_since"
  | "contested"
>;

export type PresentedRow = Pick<
  ListedRow,
  | "id"
  | "content"
  | "claim_tag"
  | "evidence_ref"
  | "source"
  | "created_at"
  | "status"
  | "expires_at"
  | "due_at"
  | "stale_since"
  | "tags"
>;

/**
 * The entries table, and the doc values that follow it. Every method is one statement but for those;
 * transactions belong to the caller.
 */
export class EntryStore {
  readonly #sql: Sql;
  readonly #docValues: DocValues;

  constructor(sql: Sql, docValues: DocValues) {
    this.#sql = sql;
    this.#docValues = docValues;
  }

  insert(entry: NewEntry): number {
    const { rid } = this.#sql.one<{ rid: number }>(
      `INSERT INTO entries (id, hash, content, source, kind, status, volatility, claim_tag, evidence_ref,
         importance, exhaust, origin, actor, occurred_at, created_at, updated_at, text_at, affirmed_at,
         expires_at, due_at, stale_since, revision, token_count)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING rid`,
      entry.id,
      entry.hash,
      entry.content,
      entry.source,
      entry.kind,
      entry.status,
      entry.volatility,
      entry.claimTag,
      entry.evidenceRef,
      entry.importance,
      entry.exhaust ? 1 : 0,
      JSON.stringify(entry.origin),
      entry.actor,
      entry.occurredAt,
      entry.createdAt,
      entry.updatedAt,
      entry.textAt,
      entry.affirmedAt,
      entry.expiresAt,
      entry.dueAt,
      entry.staleSince,
      entry.revision,
      entry.tokenCount,
    );
    this.#docValues.add(rid, entry);
    return rid;
  }

  /**
   * Writes every column but content, hash and those that never move. An index on a column that is set is
   * written even when the value is the same, so what does not move is not set.
   */
  save(entry: StoredEntry): void {
    this.#sql.run(
      `UPDATE entries SET source = ?, kind = ?, status = ?, volatility = ?, claim_tag = ?,
         evidence_ref = ?, importance = ?, origin = ?, updated_at = ?, text_at = ?, affirmed_at = ?,
         expires_at = ?, due_at = ?, stale_since = ?, revision = ?, token_count = ?
       WHERE rid = ?`,
      entry.source,
      entry.kind,
      entry.status,
      entry.volatility,
      entry.claimTag,
      entry.evidenceRef,
      entry.importance,
      JSON.stringify(entry.origin),
      entry.updatedAt,
      entry.textAt,
      entry.affirmedAt,
      entry.expiresAt,
      entry.dueAt,
      entry.staleSince,
      entry.revision,
      entry.tokenCount,
      entry.rid,
    );
    this.#docValues.put(entry.rid, entry);
  }

  /** Moves an entry out of the due index; two rows. */
  flagStale(rid: number, since: number): void {
    this.#sql.run("UPDATE entries SET due_at = NULL, stale_since = ? WHERE rid = ?", since, rid);
  }

  saveText(rid: number, content: string, hash: Uint8Array): void {
    this.#sql.run("UPDATE entries SET content = ?, hash = ? WHERE rid = ?", content, hash, rid);
  }

  /** Cascades to tags, edges, revisions and the recall count; the index is the caller's. */
  delete(rid: number): void {
    this.#sql.run("DELETE FROM entries WHERE rid = ?", rid);
    this.#docValues.delete(rid);
  }

  find(id: string): StoredEntry | undefined {
    const row = this.#sql.maybeOne<EntryRow>("SELECT * FROM entries WHERE id = ?", id);
    return row && toStoredEntry(row);
  }

  exists(id: string): boolean {
    return this.#sql.maybeOne("SELECT 1 AS found FROM entries WHERE id = ?", id) !== undefined;
  }

  /** The public id of the entry with these bytes. */
  idByHash(hash: Uint8Array): string | undefined {
    return this.#sql.maybeOne<{ id: string }>("SELECT id FROM entries WHERE hash = ?", hash)?.id;
  }

  /** Newest first; equal times by id. */
  recent(n: number, after: Place): ListedRow[] {
    return this.#sql.all<ListedRow>(
      `SELECT ${LISTED_COLUMNS} FROM entries AS e
       WHERE e.created_at <= ?1 AND (e.created_at < ?1 OR e.id > ?2)
       ORDER BY e.created_at DESC, e.id LIMIT ?3`,
      after.at,
      after.id,
      n,
    );
  }

  recentOfKind(kind: Kind, n: number, after: Place): ListedRow[] {
    return this.#sql.all<ListedRow>(
      `SELECT ${LISTED_COLUMNS} FROM entries AS e
       WHERE e.kind = ?4 AND e.created_at <= ?1 AND (e.created_at < ?1 OR e.id > ?2)
       ORDER BY e.created_at DESC, e.id LIMIT ?3`,
      after.at,
      after.id,
      n,
      kind,
    );
  }

  recentWithTag(tag: string, kind: Kind | null, n: number, after: Place): ListedRow[] {
    return this.#sql.all<ListedRow>(
      `SELECT ${LISTED_COLUMNS} FROM tags AS t JOIN entries AS e ON e.rid = t.rid
       WHERE t.tag = ?4 AND (?5 IS NULL OR e.kind = ?5)
         AND e.created_at <= ?1 AND (e.created_at < ?1 OR e.id > ?2)
       ORDER BY e.created_at DESC, e.id LIMIT ?3`,
      after.at,
      after.id,
      n,
      tag,
      kind,
    );
  }

  /** Rows for a list, in the order of the ids. Unknown ids are left out. */
  listed(ids: readonly string[]): ListedRow[] {
    return this.#sql.all<ListedRow>(
      `SELECT ${LISTED_COLUMNS} FROM json_each(?) AS j JOIN entries AS e ON e.id = j.value
       ORDER BY j.key`,
      JSON.stringify(ids),
    );
  }

  /** What a hit shows, whole contents included. */
  presented(rids: readonly number[]): PresentedRow[] {
    return this.#sql.allOf<PresentedRow>(
      `${EACH_VALUE} SELECT e.id, e.content, e.claim_tag, e.evidence_ref, e.source, e.created_at, e.status,
         e.expires_at, e.due_at, e.stale_since,
         (SELECT json_group_array(tag) FROM (SELECT tag FROM tags WHERE rid = e.rid ORDER BY tag)) AS tags
       FROM each CROSS JOIN entries AS e ON e.rid = each.value`,
      rids,
    );
  }

  /** Active canonical entries of kind `instruction`, newest first. */
  instructions(tag: string | null, now: number, n: number): ListedRow[] {
    return this.#sql.all<ListedRow>(
      `SELECT ${LISTED_COLUMNS} FROM entries AS e
       WHERE e.kind = 'instruction' AND e.status = 'canonical'
         AND (?1 IS NULL OR EXISTS (SELECT 1 FROM tags WHERE tag = ?1 AND rid = e.rid))
         AND ${activeAt("?2")}
       ORDER BY e.created_at DESC, e.id LIMIT ?3`,
      tag,
      now,
      n,
    );
  }

  /** Active episodic entries that have the first tag and, unless it is null, the second; newest first. */
  activeEpisodes(tag: string, secondTag: string | null, now: number, n: number): ListedRow[] {
    return this.#sql.all<ListedRow>(
      `SELECT ${LISTED_COLUMNS} FROM tags AS t CROSS JOIN entries AS e ON e.rid = t.rid
       WHERE t.tag = ?1 AND e.kind = 'episodic'
         AND (?2 IS NULL OR EXISTS (SELECT 1 FROM tags WHERE tag = ?2 AND rid = e.rid))
         AND ${activeAt("?3")}
       ORDER BY e.created_at DESC, e.id LIMIT ?4`,
      tag,
      secondTag,
      now,
      n,
    );
  }

  /** Active stale entries, flagged or not yet, `n` of each: oldest first, equal times as captured. */
  stale(
    volatility: Volatility,
    tag: string | null,
    now: number,
    n: number,
  ): (ListedRow & { rid: number; since: number })[] {
    const passes = `(?2 IS NULL OR EXISTS (SELECT 1 FROM tags WHERE tag = ?2 AND rid = e.rid))
      AND ${activeAt("?3")}`;
    return this.#sql.all(
      `SELECT * FROM (
         SELECT ${LISTED_COLUMNS}, e.rid, e.stale_since AS since FROM entries AS e
         WHERE e.volatility = ?1 AND e.stale_since IS NOT NULL AND ${passes}
         ORDER BY e.stale_since, e.rid LIMIT ?4)
       UNION ALL
       SELECT * FROM (
         SELECT ${LISTED_COLUMNS}, e.rid, e.due_at AS since FROM entries AS e
         WHERE e.volatility = ?1 AND e.due_at <= ?3 AND ${passes}
         ORDER BY e.due_at, e.rid LIMIT ?4)`,
      volatility,
      tag,
      now,
      n,
    );
  }

  /** How many are stale now, flagged or not yet, counted up to `limit`; what has expired is not stale. */
  countStale(volatility: Volatility, now: number, limit: number): number {
    return this.#sql.one<{ n: number }>(
      `SELECT count(*) AS n FROM (
         SELECT 1 FROM entries WHERE volatility = ?1 AND stale_since IS NOT NULL
           AND (expires_at IS NULL OR expires_at > ?2)
         UNION ALL
         SELECT 1 FROM entries WHERE volatility = ?1 AND due_at <= ?2
           AND (expires_at IS NULL OR expires_at > ?2)
         LIMIT ?3)`,
      volatility,
      now,
      limit,
    ).n;
  }

  /** Oldest due first; no contents, which could be half a megabyte each. */
  due(now: number, limit: number): { rid: number; dueAt: number }[] {
    return this.#sql.all(
      `SELECT rid, due_at AS dueAt FROM (
         SELECT * FROM (SELECT rid, due_at FROM entries WHERE volatility = 'state' AND due_at <= ?1
           ORDER BY due_at, rid LIMIT ?2)
         UNION ALL
         SELECT * FROM (SELECT rid, due_at FROM entries WHERE volatility = 'volatile' AND due_at <= ?1
           ORDER BY due_at, rid LIMIT ?2))
       ORDER BY due_at, rid LIMIT ?2`,
      now,
      limit,
    );
  }

  /** Ids of active entries past their `expiresAt`, oldest first; no contents, as in `due`. */
  expired(now: number, limit: number): string[] {
    return this.#sql
      .all<{ id: string }>(
        `SELECT id FROM entries WHERE expires_at <= ?1 AND status <> 'deprecated'
         ORDER BY expires_at, rid LIMIT ?2`,
        now,
        limit,
      )
      .map((row) => row.id);
  }

  /**
   * Entries past their `expiresAt` that no pass has deprecated yet, by kind and stored status. The pluses keep
   * the planner from walking an index that holds every entry.
   */
  expiredByKindAndStatus(now: number): { kind: Kind; status: Status; n: number }[] {
    return this.#sql.all(
      `SELECT kind, status, count(*) AS n FROM entries
       WHERE expires_at <= ? AND status <> 'deprecated' GROUP BY +kind, +status`,
      now,
    );
  }

  countDue(now: number, limit: number): number {
    return this.#sql.one<{ n: number }>(
      `SELECT count(*) AS n FROM (
         SELECT 1 FROM entries WHERE volatility = 'state' AND due_at <= ?1
           AND (expires_at IS NULL OR expires_at > ?1)
         UNION ALL SELECT 1 FROM entries WHERE volatility = 'volatile' AND due_at <= ?1
           AND (expires_at IS NULL OR expires_at > ?1)
         UNION ALL SELECT 1 FROM entries WHERE expires_at <= ?1 AND status <> 'deprecated'
         LIMIT ?2)`,
      now,
      limit,
    ).n;
  }

  /** What a graph shows of an entry, in the order of the ids. */
  nodes(ids: readonly string[]): NodeRow[] {
    return this.#sql.all<NodeRow>(
      `SELECT e.id, substr(e.content, 1, 200) AS content, e.kind, e.status, e.importance, e.expires_at,
         e.due_at, e.stale_since, ${CONTESTED} AS contested
       FROM json_each(?) AS j JOIN entries AS e ON e.id = j.value ORDER BY j.key`,
      JSON.stringify(ids),
    );
  }

  /** When the next entry becomes stale or expires; null when none ever does. Three index seeks. */
  earliestDue(): number | null {
    return this.#sql.one<{ at: number | null }>(
      `SELECT min(at) AS at FROM (
         SELECT min(due_at) AS at FROM entries WHERE volatility = 'state' AND due_at IS NOT NULL
         UNION ALL
         SELECT min(due_at) FROM entries WHERE volatility = 'volatile' AND due_at IS NOT NULL
         UNION ALL
         SELECT min(expires_at) FROM entries WHERE expires_at IS NOT NULL AND status <> 'deprecated')`,
    ).at;
  }
}
