import type { Entry, Status } from "../../contracts/index.ts";
import { notFound } from "../../contracts/index.ts";
import { effectiveStatus, staleSince } from "../storage/entry-row.ts";
import type { StoredEntry } from "../storage/entry-row.ts";
import { heldBack } from "../retrieval/claims.ts";
import { Supersession } from "../storage/supersession.ts";
import type { Context } from "./context.ts";
import { groundsOf } from "./grounds.ts";

/** The entry, or `not_found`. */
export function requireEntry(ctx: Context, id: string): StoredEntry {
  const entry = ctx.stores.entries.find(id);
  if (entry === undefined) throw notFound(id);
  return entry;
}

/** The status that reads show: an entry past its `expiresAt` is deprecated ([STA-3]). */
export function statusNow(
  ctx: Context,
  entry: { status: Status; expiresAt: number | null },
): Status {
  return effectiveStatus(entry.status, entry.expiresAt, ctx.now);
}

export function getEntry(ctx: Context, id: string): Entry {
  const { stores, now } = ctx;
  const entry = requireEntry(ctx, id);
  const heads = new Supersession(stores.edges.above([id], now)).headsOf(id);
  const since = staleSince(entry, now);
  const grounding = groundsOf(ctx, [id]).get(id);
  return {
    id: entry.id,
    content: entry.content,
    truncated: false,
    kind: entry.kind,
    status: statusNow(ctx, entry),
    volatility: entry.volatility,
    claimTag: entry.claimTag,
    evidenceRef: entry.evidenceRef,
    importance: entry.importance,
    tags: stores.tags.of(entry.rid),
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
  };
}
