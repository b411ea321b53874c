import { LIMITS } from "../../contracts/limits.ts";
import type { MaintenanceApi, PassSummary, TickRecord } from "../../contracts/maintenance.ts";

/** What a tick may spend ([MNT-10]). */
export interface Budget {
  /** Calls over the binding, that of the record included. */
  calls: number;
  ms: number;
  /** Workspaces of one claim, and of the call that runs their passes. */
  workspaces: number;
}

/**
 * The platform documents 32 invocations of Workers for one request, and ends a scheduled one after 15
 * minutes; a claim is held for 14. The passes of a claim are subrequests of the main Worker's invocation.
 */
export const BUDGET: Budget = { calls: 31, ms: 10 * 60_000, workspaces: 500 };

export interface TickOptions {
  /** The scheduled time: a late or repeated tick asks the same question. */
  now: number;
  /** Milliseconds, for the budget. */
  clock: () => number;
  budget?: Budget;
}

/**
 * One tick ([MNT-7]): claims what is due and runs it, round by round, until nothing is due or the budget is
 * spent; then it is recorded. A call that fails costs its round only: what it had claimed is due again when
 * its lease ends.
 */
export async function runTick(
  maintenance: MaintenanceApi,
  { now, clock, budget = BUDGET }: TickOptions,
): Promise<TickRecord> {
  const startedAt = clock();
  const timeLeft = () => budget.ms - (clock() - startedAt);
  const record = emptyRecord(now);
  /** Workspaces of calls that failed: nobody else's until their leases end. */
  let held = 0;
  // A round is two calls, and the record is one.
  while (record.calls + 3 <= budget.calls && timeLeft() > 0) {
    const work = await attempt(record, () =>
      maintenance.claimDue({ now, limit: budget.workspaces }),
    );
    if (work === null) break;
    record.unreachable = Math.max(record.unreachable, work.unreachable);
    record.leftOver = held + work.left;
    if (work.claims.length === 0) break;
    const summary = await attempt(record, () =>
      maintenance.runStalenessPass(work.claims, {
        now,
        limit: LIMITS.passRows.max,
        timeMs: Math.max(timeLeft(), 0),
      }),
    );
    if (summary === null) held += work.claims.length;
    add(record, summary ?? { ...NOTHING, leftOver: work.claims.length });
  }
  record.ms = clock() - startedAt;
  record.calls += 1;
  await maintenance.recordTick(record);
  return record;
}

/** A call that is counted; null when it fails. The main Worker has the line in its log that says why. */
async function attempt<T>(record: TickRecord, call: () => Promise<T>): Promise<T | null> {
  record.calls += 1;
  try {
    return await call();
  } catch {
    record.failedCalls += 1;
    return null;
  }
}

function add(record: TickRecord, summary: PassSummary): void {
  record.visited += summary.visited;
  record.flagged += summary.flagged;
  record.expired += summary.expired;
  record.failed += summary.failed;
  record.leftOver += summary.leftOver;
}

const NOTHING: PassSummary = { visited: 0, flagged: 0, expired: 0, failed: 0, leftOver: 0 };

function emptyRecord(now: number): TickRecord {
  return { event: "tick", tick: now, ...NOTHING, calls: 0, ms: 0, unreachable: 0, failedCalls: 0 };
}
