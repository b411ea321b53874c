import type {
  BoundedCount,
  ClaimTag,
  Kind,
  Stats,
  Status,
  Volatility,
} from "../../contracts/index.ts";
import {
  CLAIM_TAGS,
  CONTRACT_VERSION,
  KINDS,
  STATUSES,
  VOLATILITIES,
} from "../../contracts/index.ts";
import type { Context } from "./context.ts";

/** Where a count that would cost rows stops ([BRF-3]). */
export const COUNT_LIMIT = 1_000;

/** Maintenance runs that statistics show. */
const RUNS_SHOWN = 5;

export interface Counts {
  entries: number;
  byKind: Record<Kind, number>;
  byStatus: Record<Status, number>;
  byVolatility: Record<Volatility, number>;
  byClaimTag: Record<ClaimTag, number>;
}

/** From the tallies; what expired since the last pass counts as deprecated ([STA-3], [CNT-3]). */
export function counts(ctx: Context): Counts {
  const result: Counts = {
    entries: 0,
    byKind: zeros(KINDS),
    byStatus: zeros(STATUSES),
    byVolatility: zeros(VOLATILITIES),
    byClaimTag: zeros(CLAIM_TAGS),
  };
  for (const tally of ctx.stores.tallies.entries()) {
    result.entries += tally.n;
    result.byKind[tally.kind] += tally.n;
    result.byStatus[tally.status] += tally.n;
    result.byVolatility[tally.volatility] += tally.n;
    result.byClaimTag[tally.claimTag] += tally.n;
  }
  for (const { status, n } of ctx.stores.entries.expiredByKindAndStatus(ctx.now)) {
    result.byStatus[status] -= n;
    result.byStatus.deprecated += n;
  }
  return result;
}

export function staleCounts(ctx: Context): Record<Volatility, BoundedCount> {
  const entries = VOLATILITIES.map((volatility) => {
    const n = ctx.stores.entries.countStale(volatility, ctx.now, COUNT_LIMIT + 1);
    return [volatility, bounded(n)];
  });
  return Object.fromEntries(entries) as Record<Volatility, BoundedCount>;
}

/** @param more whether the count stopped before it had seen all */
export function bounded(n: number, more = false): BoundedCount {
  if (n > COUNT_LIMIT) return `${COUNT_LIMIT}+`;
  return more ? `${n}+` : n;
}

export function getStats(ctx: Context): Stats {
  const { stores } = ctx;
  const byType = stores.tallies.edges();
  return {
    contractVersion: CONTRACT_VERSION,
    ...counts(ctx),
    stale: staleCounts(ctx),
    edges: { total: Object.values(byType).reduce((sum, n) => sum + n, 0), byType },
    tags: stores.tallies.tagCount(),
    databaseSize: ctx.grant.tags === undefined ? ctx.sql.databaseSize : null,
    usage: ctx.grant.tags === undefined ? Object.fromEntries(ctx.usage) : {},
    nextDueAt: stores.entries.earliestDue(),
    runs: stores.runs.newest(RUNS_SHOWN),
  };
}

export function getTags(ctx: Context): { tag: string; count: number }[] {
  return ctx.stores.tallies.tags();
}

export function getCount(ctx: Context): number {
  return ctx.stores.tallies.corpus().entryCount;
}

export function zeros<K extends string>(keys: readonly K[]): Record<K, number> {
  return Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;
}
