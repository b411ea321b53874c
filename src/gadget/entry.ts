import type { Entry, Status } from "../../contracts/index.ts";
import { notFound } from "../../contracts/index.ts";
import { effectiveStatus, staleSince } from "../storage/entry-row.ts";
import type { StoredEntry } from "../storage/entry-row.ts";
import { Supersession } from "../storage/supersession.ts";
import type { Context } from "./context.ts";

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
    restsOnSuperseded: restsOnSuperseded(ctx, [id]).get(id) ?? [],
    origin: entry.origin,
    actor: entry.actor,
  };
}

/**
 * For each id the superseded entries it rests on within 2 hops ([SUP-6]); ids without any are left out.
 * @param asOf only entries that occurred until then replace
 */
export function restsOnSuperseded(
  ctx: Context,
  ids: readonly string[],
  asOf?: number,
): Map<string, string[]> {
  const grounds = ctx.stores.edges.grounds(ids);
  const result = new Map<string, string[]>();
  if (grounds.length === 0) return result;
  const above = ctx.stores.edges.above([...new Set(grounds.map((each) => each.ground))], ctx.now);
  const supersession = new Supersession(above, asOf);
  for (const { id, ground } of grounds) {
    if (!supersession.isSuperseded(ground)) continue;
    const known = result.get(id);
    if (known) known.push(ground);
    else result.set(id, [ground]);
  }
  return result;
}
