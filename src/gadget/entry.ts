import type { Entry, Status } from "../../contracts/index.ts";
import { MiniSphereError, notFound } from "../../contracts/index.ts";
import { effectiveStatus, staleSince } from "../storage/entry-row.ts";
import type { StoredEntry } from "../storage/entry-row.ts";
import { heldBack } from "../retrieval/claims.ts";
import type { Context } from "./context.ts";
import { groundsOf } from "./grounds.ts";
import { supersession } from "./supersession-at.ts";

/** The entry, or `not_found`. */
export function requireEntry(ctx: Context, id: string): StoredEntry {
  const entry = ctx.stores.entries.find(id);
  if (entry === undefined) throw notFound(id);
  return entry;
}

const notFoundAsOf = (id: string, asOf: number) =>
  new MiniSphereError(
    "not_found",
    `Entry ${id} had neither happened nor been told by then; ask as of a later time, or without asOf.`,
    { id, asOf },
  );

/** The status that reads show: an entry past its `expiresAt` is deprecated ([STA-3]). */
export function statusNow(
  ctx: Context,
  entry: { status: Status; expiresAt: number | null },
): Status {
  return effectiveStatus(entry.status, entry.expiresAt, ctx.now);
}

export function getEntry(
  ctx: Context,
  id: string,
  { asOf }: { asOf?: number | undefined } = {},
): Entry {
  const { stores, now } = ctx;
  const today = requireEntry(ctx, id);
  if (asOf !== undefined && Math.min(today.occurredAt, today.createdAt) > asOf) {
    throw notFoundAsOf(id, asOf);
  }
  const before =
    asOf === undefined ? undefined : stores.revisions.before([today.rid], asOf).get(today.rid);
  const { tags: tagsThen, ...fields } = (before?.fields ?? {}) as Partial<Entry>;
  const entry: StoredEntry = {
    ...today,
    ...fields,
    content: before?.content ?? today.content,
    revision: before?.revision ?? today.revision,
  };
  const heads = supersession(ctx, [id], asOf).headsOf(id);
  const since = staleSince(today, now);
  const grounding = groundsOf(ctx, [id], asOf).get(id);
  return {
    id: entry.id,
    content: entry.content,
    truncated: false,
    kind: entry.kind,
    status: effectiveStatus(entry.status, entry.expiresAt, Math.min(now, asOf ?? now)),
    volatility: entry.volatility,
    claimTag: entry.claimTag,
    evidenceRef: entry.evidenceRef,
    importance: entry.importance,
    tags: tagsThen ?? stores.tags.of(entry.rid),
    source: entry.source,
    occurredAt: entry.occurredAt,
    createdAt: entry.createdAt,
    updatedAt: entry.updatedAt,
    stale: since !== null,
    superseded: heads.length > 0,
    exhaust: entry.exhaust,
    expiresAt: entry.expiresAt,
    revision: entry.revision,
    recallCount: stores.recalls.of(entry.rid),
    staleSince: since,
    supersededBy: heads,
    fork: heads.length > 1,
    restsOnSuperseded: grounding?.superseded ?? [],
    ...(grounding && heldBack(entry.claimTag, grounding)),
    origin: entry.origin,
    actor: entry.actor,
    ...(asOf !== undefined && { asOf: { at: asOf, exact: before?.exact ?? true } }),
  };
}
