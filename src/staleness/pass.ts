import type { StalenessRun } from "../../contracts/index.ts";
import type { Stores } from "../storage/stores.ts";

/** Where `remaining` stops counting ([MNT-3]), and at so many times `limit`, so that a pass costs what it flags. */
const REMAINING_LIMIT = 1_000;
const REMAINING_TIMES = 10;

export interface PassDeps {
  stores: Stores;
  now: number;
  /** The actor that asked for the run. */
  trigger: string;
  /** Deprecates an expired entry, with its revision and its line of the audit log. */
  deprecate: (id: string, reason: string) => void;
}

/**
 * Flags what is due, oldest first, and deprecates what has expired, at most `limit` of each. Costs one run
 * plus the rows it changes: due and expiring entries are found through their own indexes ([MNT-1], [MNT-2]).
 */
export function runStalenessPass(deps: PassDeps, limit: number): StalenessRun {
  const { stores, now, trigger } = deps;
  const expired = stores.entries.expired(now, limit);
  for (const id of expired) deps.deprecate(id, "expired");

  const due = stores.entries.due(now, limit);
  for (const { rid, dueAt } of due) stores.entries.flagStale(rid, dueAt);
  stores.events.trim(limit);

  const full = expired.length === limit || due.length === limit;
  const run: StalenessRun = {
    at: now,
    trigger,
    scanned: expired.length + due.length,
    flagged: due.length,
    expired: expired.length,
    remaining: full
      ? stores.entries.countDue(now, Math.min(REMAINING_LIMIT, REMAINING_TIMES * limit))
      : 0,
    nextDueAt: stores.entries.earliestDue(),
  };
  stores.runs.add(run);
  stores.registration.raise(run.nextDueAt);
  return run;
}
