import type { ClaimTag, EntrySummary, Kind, Status, Volatility } from "../../contracts/index.ts";
import { LIMITS } from "../../contracts/index.ts";
import { cut } from "../lib/text.ts";

/** An entry as the gadget handles it: the row, with names in camelCase and JSON columns parsed. */
export interface StoredEntry {
  rid: number;
  id: string;
  content: string;
  source: string | null;
  kind: Kind;
  status: Status;
  volatility: Volatility;
  claimTag: ClaimTag;
  evidenceRef: string | null;
  /** 0 is unset. */
  importance: number;
  exhaust: boolean;
  origin: Record<string, string[]>;
  actor: string;
  occurredAt: number;
  createdAt: number;
  updatedAt: number;
  textAt: number | null;
  affirmedAt: number | null;
  expiresAt: number | null;
  dueAt: number | null;
  staleSince: number | null;
  revision: number;
  tokenCount: number;
}

/** What a list needs of a row; `content` may be a beginning, as long as it is longer than a list shows. */
export interface ListedRow {
  id: string;
  content: string;
  source: string | null;
  actor: string;
  kind: Kind;
  status: Status;
  volatility: Volatility;
  claim_tag: ClaimTag;
  evidence_ref: string | null;
  importance: number;
  exhaust: number;
  occurred_at: number;
  created_at: number;
  updated_at: number;
  expires_at: number | null;
  due_at: number | null;
  stale_since: number | null;
  /** JSON array, sorted. */
  tags: string;
  /** 1 when some `supersedes` edge enters it: whether it is superseded is the resolver's word. */
  contested: number;
}

/** Entries that one look up the `supersedes` edges follows at most ([SUP-7]). */
export const CLOSURE_LIMIT = 10_000;

/** True when some `supersedes` edge enters `e`, an alias of entries; reads a row at most. */
export const CONTESTED = `EXISTS (SELECT 1 FROM edges AS x WHERE x.dst = e.id
  AND x.type = 'supersedes')`;

/** The first value before a later change of the field, as of `asOf`; null when it has not changed since. */
const beforeLater = (alias: string, value: string, field: string, asOf: string) => `(SELECT ${value}
  FROM revisions AS r WHERE r.rid = ${alias}.rid AND r.at > ${asOf}
    AND json_type(r.changes, '$.${field}') IS NOT NULL ORDER BY r.revision LIMIT 1)`;

/** The effective status; as of `asOf`, where that is not null, from the revisions since ([REC-22]). */
export const statusThen = (alias: string, now: string, asOf: string): string => `CASE
  WHEN ${asOf} IS NULL THEN iif(${alias}.expires_at <= ${now}, 'deprecated', ${alias}.status)
  WHEN coalesce(${beforeLater(alias, "coalesce(r.changes ->> '$.expiresAt[0]', 9e15)", "expiresAt", asOf)},
    ${alias}.expires_at) <= min(${now}, ${asOf}) THEN 'deprecated'
  ELSE coalesce(${beforeLater(alias, "r.changes ->> '$.status[0]'", "status", asOf)}, ${alias}.status) END`;

/** What is deprecated counts as canonical while only entries later than `asOf` replace it ([REC-22]). */
const statusAt = (alias: string, now: string, asOf: string) =>
  `CASE WHEN ${asOf} IS NOT NULL AND ${statusThen(alias, now, asOf)} = 'deprecated' AND EXISTS (
    SELECT 1 FROM edges AS y JOIN entries AS later ON later.id = y.src
    WHERE y.dst = ${alias}.id AND y.type = 'supersedes'
      AND later.occurred_at > ${asOf}) THEN 'canonical' ELSE ${statusThen(alias, now, asOf)} END`;

/**
 * What the `Supersession` resolver would say of `e`, an alias of entries, as SQL: for lists that must read on
 * until they have enough. `now` and `asOf` are names of parameters.
 */
const supersededAt = (now: string, asOf: string) => `EXISTS (
  WITH RECURSIVE up(id, status) AS (
    SELECT s.id, ${statusAt("s", now, asOf)} FROM edges AS x JOIN entries AS s ON s.id = x.src
    WHERE x.dst = e.id AND x.type = 'supersedes'
      AND (${asOf} IS NULL OR s.occurred_at <= ${asOf})
      AND NOT (${statusAt("s", now, asOf)} = 'draft' AND ${statusAt("e", now, asOf)} = 'canonical')
    UNION
    SELECT s.id, ${statusAt("s", now, asOf)} FROM up JOIN edges AS x ON x.dst = up.id
      JOIN entries AS s ON s.id = x.src
    WHERE x.type = 'supersedes'
      AND (${asOf} IS NULL OR s.occurred_at <= ${asOf})
      AND NOT (${statusAt("s", now, asOf)} = 'draft' AND up.status = 'canonical')
    LIMIT ${CLOSURE_LIMIT})
  SELECT 1 FROM up WHERE status <> 'deprecated'
    AND NOT (status = 'draft' AND ${statusAt("e", now, asOf)} = 'canonical'))`;

/** True when `e` is neither deprecated nor expired nor superseded, as of `asOf` where that is not null. */
export const activeAt = (now: string, asOf = "NULL") =>
  `(${statusAt("e", now, asOf)} <> 'deprecated' AND NOT ${supersededAt(now, asOf)})`;

/** The columns of `ListedRow`, of `entries AS e`. */
export const LISTED_COLUMNS = `e.id, substr(e.content, 1, 401) AS content, e.source, e.actor, e.kind, e.status,
  e.volatility, e.claim_tag, e.evidence_ref, e.importance, e.exhaust, e.occurred_at, e.created_at,
  e.updated_at, e.expires_at, e.due_at, e.stale_since,
  (SELECT json_group_array(tag) FROM (SELECT tag FROM tags WHERE rid = e.rid ORDER BY tag)) AS tags,
  ${CONTESTED} AS contested`;

export interface EntryRow extends Omit<ListedRow, "tags" | "contested"> {
  rid: number;
  origin: string;
  text_at: number | null;
  affirmed_at: number | null;
  revision: number;
  token_count: number;
}

export function toStoredEntry(row: EntryRow): StoredEntry {
  return {
    rid: row.rid,
    id: row.id,
    content: row.content,
    source: row.source,
    kind: row.kind,
    status: row.status,
    volatility: row.volatility,
    claimTag: row.claim_tag,
    evidenceRef: row.evidence_ref,
    importance: row.importance,
    exhaust: row.exhaust === 1,
    origin: JSON.parse(row.origin) as Record<string, string[]>,
    actor: row.actor,
    occurredAt: row.occurred_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    textAt: row.text_at,
    affirmedAt: row.affirmed_at,
    expiresAt: row.expires_at,
    dueAt: row.due_at,
    staleSince: row.stale_since,
    revision: row.revision,
    tokenCount: row.token_count,
  };
}

/** `deprecated` also from the moment an entry expires: reads are right before a pass has run ([STA-3]). */
export function effectiveStatus(status: Status, expiresAt: number | null, now: number): Status {
  return expiresAt !== null && expiresAt <= now ? "deprecated" : status;
}

/** When it became stale, or null while it is fresh; never for what is not active ([STL-1], [STA-3]). */
export function staleSince(
  row: {
    status: Status;
    dueAt: number | null;
    staleSince: number | null;
    expiresAt: number | null;
  },
  now: number,
): number | null {
  if (effectiveStatus(row.status, row.expiresAt, now) === "deprecated") return null;
  if (row.staleSince !== null) return row.staleSince;
  return row.dueAt !== null && row.dueAt <= now ? row.dueAt : null;
}

/** The same of a row as SQLite returns it. */
export function isStale(
  row: Pick<ListedRow, "status" | "due_at" | "stale_since" | "expires_at">,
  now: number,
): boolean {
  const { status, due_at, stale_since, expires_at } = row;
  return (
    staleSince({ status, dueAt: due_at, staleSince: stale_since, expiresAt: expires_at }, now) !==
    null
  );
}

export function toSummary(row: ListedRow, now: number, superseded: boolean): EntrySummary {
  const status = effectiveStatus(row.status, row.expires_at, now);
  return {
    id: row.id,
    ...cut(row.content, LIMITS.listedChars),
    kind: row.kind,
    status,
    volatility: row.volatility,
    claimTag: row.claim_tag,
    evidenceRef: row.evidence_ref,
    importance: row.importance,
    tags: JSON.parse(row.tags) as string[],
    source: row.source,
    actor: row.actor,
    occurredAt: row.occurred_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    stale: isStale(row, now),
    superseded,
    exhaust: row.exhaust === 1,
  };
}
