import { LIMITS, STATUSES } from "../../contracts/index.ts";
import type { Kind, Status, Volatility } from "../../contracts/index.ts";
import { hexOf } from "../lib/hash.ts";
import type { DocValues } from "./doc-values.ts";
import { CONTESTED, LISTED_COLUMNS, activeAt, statusThen, toStoredEntry } from "./entry-row.ts";
import type { EntryRow, ListedRow, StoredEntry } from "./entry-row.ts";
import { EACH_VALUE, VALUES_AT_ONCE } from "./sql.ts";
import type { Sql } from "./sql.ts";
import type { Counted, TallyStore } from "./tallies.ts";

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
> & { rid: number };

export type InstructionRow = Pick<
  ListedRow,
  "id" | "status" | "expires_at" | "due_at" | "stale_since"
>;

export type PresentedRow = Pick<
  ListedRow,
  | "id"
  | "content"
  | "claim_tag"
  | "evidence_ref"
  | "source"
  | "actor"
  | "created_at"
  | "status"
  | "expires_at"
  | "due_at"
  | "stale_since"
> & { rid: number };

/** Entries that a list looks at for those that it shows; what is older than that is not looked at ([BRF-9]). */
const LOOKED_AT = 1_000;

/** Entries that have expired and wait for a pass, as far as counts take them into account ([CNT-3]). */
const EXPIRED_COUNTED = 5_000;

/** The entries table, and the counts and doc values that follow it. Transactions belong to the caller. */
export class EntryStore {
  readonly #sql: Sql;
  readonly #tallies: TallyStore;
  readonly #docValues: DocValues;

  constructor(sql: Sql, tallies: TallyStore, docValues: DocValues) {
    this.#sql = sql;
    this.#tallies = tallies;
    this.#docValues = docValues;
  }

  insert(entry: NewEntry): number {
    this.#sql.run(
      `INSERT INTO entries (id, hash, content, source, kind, status, volatility, claim_tag, evidence_ref,
         importance, exhaust, origin, actor, occurred_at, created_at, updated_at, text_at, affirmed_at,
         expires_at, due_at, stale_since, revision, token_count)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
    // Not RETURNING: it opens a savepoint, at which FTS5 writes out all that it holds.
    const { rid } = this.#sql.one<{ rid: number }>("SELECT last_insert_rowid() AS rid");
    this.#tallies.addEntry(entry, 1);
    this.#docValues.add(rid, entry);
    return rid;
  }

  /**
   * Writes every column but content, hash and those that never move. An index on a column that is set is
   * written even when the value is the same, so what does not move is not set.
   */
  save(before: StoredEntry, entry: StoredEntry): void {
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
    this.#tallies.addEntry(before, -1);
    this.#tallies.addEntry(entry, 1);
    this.#docValues.put(entry.rid, entry);
  }

  /** Moves an entry out of the due index; two rows. */
  flagStale(rid: number, since: number): void {
    this.#sql.run("UPDATE entries SET due_at = NULL, stale_since = ? WHERE rid = ?", since, rid);
  }

  saveText(rid: number, content: string, hash: Uint8Array): void {
    this.#sql.run("UPDATE entries SET content = ?, hash = ? WHERE rid = ?", content, hash, rid);
  }

  /** After the text was analysed anew, and is itself as it was. The doc value is the caller's. */
  saveTokenCount(rid: number, tokenCount: number): void {
    const before = this.#sql.one<Counted>(
      `SELECT kind, status, volatility, claim_tag AS claimTag, token_count AS tokenCount
       FROM entries WHERE rid = ?`,
      rid,
    );
    this.#sql.run("UPDATE entries SET token_count = ? WHERE rid = ?", tokenCount, rid);
    this.#tallies.addEntry(before, -1);
    this.#tallies.addEntry({ ...before, tokenCount }, 1);
  }

  /** Cascades to revisions and the recall count. Tags and edges are counted: their stores take them away first. */
  delete(entry: StoredEntry): void {
    this.#sql.run("DELETE FROM entries WHERE rid = ?", entry.rid);
    this.#tallies.addEntry(entry, -1);
    this.#docValues.delete(entry.rid);
  }

  find(id: string): StoredEntry | undefined {
    const row = this.#sql.maybeOne<EntryRow>("SELECT * FROM entries WHERE id = ?", id);
    return row && toStoredEntry(row);
  }

  /** Those of the ids that name an entry. */
  existing(ids: readonly string[]): string[] {
    return this.#sql.allOf<{ id: string }>(EXISTING, ids).map((row) => row.id);
  }

  /** The public id of the entry with these bytes. */
  idByHash(hash: Uint8Array): string | undefined {
    return this.#sql.maybeOne<{ id: string }>("SELECT id FROM entries WHERE hash = ?", hash)?.id;
  }

  /** By the hash in hexadecimal digits, the public ids of the entries with these hashes. */
  idsByHash(hashes: readonly Uint8Array[]): Map<string, string> {
    const rows = this.#sql.allOf<{ hash: ArrayBuffer; id: string }>(BY_HASH, hashes);
    return new Map(rows.map((row) => [hexOf(new Uint8Array(row.hash)), row.id]));
  }

  /** Newest first; equal times by id. */
  recent(n: number, after: Place): Place[] {
    return this.#sql.all<Place>(
      `SELECT * FROM (SELECT created_at AS at, id FROM entries WHERE created_at = ?1 AND id > ?2
         ORDER BY id LIMIT ?3)
       UNION ALL
       SELECT * FROM (SELECT created_at, id FROM entries WHERE created_at < ?1
         ORDER BY created_at DESC, id LIMIT ?3)
       LIMIT ?3`,
      after.at,
      after.id,
      n,
    );
  }

  recentOfKind(kind: Kind, n: number, after: Place): Place[] {
    return STATUSES.flatMap((status) =>
      this.#sql.all<Place>(
        `SELECT * FROM (SELECT created_at AS at, id FROM entries
           WHERE kind = ?4 AND status = ?5 AND created_at = ?1 AND id > ?2 ORDER BY id LIMIT ?3)
         UNION ALL
         SELECT * FROM (SELECT created_at, id FROM entries
           WHERE kind = ?4 AND status = ?5 AND created_at < ?1 ORDER BY created_at DESC, id LIMIT ?3)
         LIMIT ?3`,
        after.at,
        after.id,
        n,
        kind,
        status,
      ),
    )
      .sort(newestFirst)
      .slice(0, n);
  }

  recentWithTag(tag: string, n: number, after: Place): (Place & { kind: Kind })[] {
    return this.#sql.all<Place & { kind: Kind }>(
      `SELECT t.at, t.id, e.kind FROM (
         SELECT * FROM (SELECT created_at AS at, id, rid FROM tags
           WHERE tag = ?4 AND created_at = ?1 AND id > ?2 ORDER BY id LIMIT ?3)
         UNION ALL
         SELECT * FROM (SELECT created_at, id, rid FROM tags
           WHERE tag = ?4 AND created_at < ?1 ORDER BY created_at DESC, id LIMIT ?3)
         LIMIT ?3) AS t
       CROSS JOIN entries AS e ON e.rid = t.rid`,
      after.at,
      after.id,
      n,
      tag,
    );
  }

  /** Captured at or after `since` and still there, counted up to `limit`. */
  countSince(since: number, limit: number): number {
    return this.#sql.one<{ n: number }>(
      "SELECT count(*) AS n FROM (SELECT 1 FROM entries WHERE created_at >= ? LIMIT ?)",
      since,
      limit,
    ).n;
  }

  /** Rows for a list, in the order of the ids. Unknown ids are left out. */
  listed(ids: readonly string[]): ListedRow[] {
    return inOrderOf(ids, this.#sql.allOf<ListedRow>(LISTED, ids));
  }

  /** What a hit shows, whole contents included. */
  presented(rids: readonly number[]): PresentedRow[] {
    return this.#sql.allOf<PresentedRow>(
      `${EACH_VALUE} SELECT e.rid, e.id, e.content, e.claim_tag, e.evidence_ref, e.source, e.actor,
         e.created_at, e.status, e.expires_at, e.due_at, e.stale_since
       FROM each CROSS JOIN entries AS e ON e.rid = each.value`,
      rids,
    );
  }

  /** The effective statuses as of a time, by id ([REC-22]). Reads the revisions of each up to the first since. */
  statusesAt(ids: readonly string[], now: number, asOf: number): Map<string, Status> {
    const rows = this.#sql.allOf<{ id: string; status: Status }>(STATUSES_AT, ids, now, asOf);
    return new Map(rows.map((row) => [row.id, row.status]));
  }

  /** Active canonical entries of kind `instruction`, newest first, among the newest `LOOKED_AT`. */
  instructions(tag: string | null, now: number): InstructionRow[] {
    return this.#sql.all<InstructionRow>(
      `SELECT e.id, e.status, e.expires_at, e.due_at, e.stale_since FROM (
         SELECT rid, created_at, id FROM entries WHERE kind = 'instruction' AND status = 'canonical'
         ORDER BY created_at DESC, id LIMIT ?3) AS c
       CROSS JOIN entries AS e ON e.rid = c.rid
       WHERE (?1 IS NULL OR EXISTS (SELECT 1 FROM tags WHERE tag = ?1 AND rid = e.rid))
         AND ${activeAt("?2")}
       ORDER BY c.created_at DESC, c.id`,
      tag,
      now,
      LOOKED_AT,
    );
  }

  /**
   * Active episodic entries that have the first tag and, unless it is null, the second; newest first, among
   * the newest `LOOKED_AT` that have the first.
   */
  activeEpisodes(tag: string, secondTag: string | null, now: number): string[] {
    return this.#sql
      .all<{ id: string }>(
        `SELECT e.id FROM (
           SELECT rid, created_at, id FROM tags WHERE tag = ?1
           ORDER BY created_at DESC, id LIMIT ?4) AS c
         CROSS JOIN entries AS e ON e.rid = c.rid
         WHERE e.kind = 'episodic'
           AND (?2 IS NULL OR EXISTS (SELECT 1 FROM tags WHERE tag = ?2 AND rid = e.rid))
           AND ${activeAt("?3")}
         ORDER BY c.created_at DESC, c.id`,
        tag,
        secondTag,
        now,
        LOOKED_AT,
      )
      .map((row) => row.id);
  }

  /**
   * Active stale entries, flagged or not yet, `n` of each among the oldest `LOOKED_AT`: oldest first, equal
   * times as captured.
   */
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
         SELECT ${LISTED_COLUMNS}, e.rid, c.since FROM (
           SELECT rid, stale_since AS since FROM entries
           WHERE volatility = ?1 AND stale_since IS NOT NULL ORDER BY stale_since, rid LIMIT ?5) AS c
         CROSS JOIN entries AS e ON e.rid = c.rid
         WHERE ${passes} ORDER BY c.since, c.rid LIMIT ?4)
       UNION ALL
       SELECT * FROM (
         SELECT ${LISTED_COLUMNS}, e.rid, c.since FROM (
           SELECT rid, due_at AS since FROM entries
           WHERE volatility = ?1 AND due_at <= ?3 ORDER BY due_at, rid LIMIT ?5) AS c
         CROSS JOIN entries AS e ON e.rid = c.rid
         WHERE ${passes} ORDER BY c.since, c.rid LIMIT ?4)`,
      volatility,
      tag,
      now,
      n,
      LOOKED_AT,
    );
  }

  /** How many are stale now, flagged or not yet, counted up to `limit`; what has expired is not stale. */
  countStale(volatility: Volatility, now: number, limit: number): number {
    return this.#sql.one<{ n: number }>(
      `SELECT count(*) AS n FROM (
         SELECT 1 FROM (SELECT expires_at FROM entries
           WHERE volatility = ?1 AND stale_since IS NOT NULL ORDER BY stale_since LIMIT ?4)
         WHERE expires_at IS NULL OR expires_at > ?2
         UNION ALL
         SELECT 1 FROM (SELECT expires_at FROM entries
           WHERE volatility = ?1 AND due_at <= ?2 ORDER BY due_at LIMIT ?4)
         WHERE expires_at IS NULL OR expires_at > ?2
         LIMIT ?3)`,
      volatility,
      now,
      limit,
      EXPIRED_COUNTED,
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
   * Entries past their `expiresAt` that no pass has deprecated yet, by kind and stored status; the first
   * `EXPIRED_COUNTED` of them.
   */
  expiredByKindAndStatus(now: number): { kind: Kind; status: Status; n: number }[] {
    return this.#sql.all(
      `SELECT kind, status, count(*) AS n FROM (
         SELECT kind, status FROM entries WHERE expires_at <= ? AND status <> 'deprecated'
         ORDER BY expires_at LIMIT ?)
       GROUP BY kind, status`,
      now,
      EXPIRED_COUNTED,
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

  /** What a graph shows of an entry, in the order of the ids. A row each, and one more where contested. */
  nodes(ids: readonly string[]): NodeRow[] {
    return inOrderOf(ids, this.#sql.allOf<NodeRow>(NODES, ids));
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

const EXISTING = `${EACH_VALUE} SELECT e.id FROM each CROSS JOIN entries AS e ON e.id = each.value`;

const STATUSES_AT = `${EACH_VALUE} SELECT e.id,
  ${statusThen("e", `?${VALUES_AT_ONCE + 1}`, `?${VALUES_AT_ONCE + 2}`)} AS status
  FROM each CROSS JOIN entries AS e ON e.id = each.value`;

const BY_HASH = `${EACH_VALUE} SELECT e.hash, e.id FROM each CROSS JOIN entries AS e ON e.hash = each.value`;

const LISTED = `${EACH_VALUE} SELECT ${LISTED_COLUMNS} FROM each CROSS JOIN entries AS e ON e.id = each.value`;

const NODES = `${EACH_VALUE} SELECT e.rid, e.id, substr(e.content, 1, 200) AS content, e.kind, e.status, e.importance,
  e.expires_at, e.due_at, e.stale_since, ${CONTESTED} AS contested
  FROM each CROSS JOIN entries AS e ON e.id = each.value`;

function inOrderOf<T extends { id: string }>(ids: readonly string[], rows: readonly T[]): T[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

const newestFirst = (a: Place, b: Place) => b.at - a.at || (a.id < b.id ? -1 : 1);
