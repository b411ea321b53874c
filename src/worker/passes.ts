import type { GrantedCalls } from "../../contracts/api.ts";
import type { StalenessRun } from "../../contracts/entities.ts";
import { type ErrorCode, MiniSphereError } from "../../contracts/errors.ts";
import type { Claim, PassSummary } from "../../contracts/maintenance.ts";
import type { Settlement } from "../storage/directory.ts";

/** Passes at a time: the platform lets an invocation wait for six connections. */
const LANES = 6;
/** A pass is a matter of milliseconds; an object that has not answered by then is broken. */
const PASS_TIMEOUT_MS = 30_000;

export interface PassDeps {
  /** The workspace's object. */
  sphere: (workspace: string) => GrantedCalls;
  /** Ends claims of one shard. */
  settle: (shard: number, settlements: Settlement[]) => Promise<void>;
  /** The shard in which a workspace is noted. */
  home: (workspace: string) => number;
  note: (shard: number, workspace: string, dueAt: number) => Promise<void>;
  /** Writes a failure into the log and says its code; null is for a shard of the directory. */
  failed: (workspace: string | null, error: unknown) => ErrorCode;
  clock: () => number;
  /** Rejects after so many milliseconds, until it is cancelled. */
  timeout: (ms: number) => { expired: Promise<never>; cancel: () => void };
}

type Outcome = { claim: Claim } & ({ run: StalenessRun } | { error: ErrorCode } | { left: true });

/**
 * Runs the pass on what was claimed, some at a time, and ends the claims. What fails, fails for itself; what
 * there is no time for is given back ([MNT-10], [MNT-11]).
 */
export async function runPasses(
  deps: PassDeps,
  claims: readonly Claim[],
  { limit, timeMs }: { limit: number; timeMs: number },
): Promise<PassSummary> {
  const deadline = deps.clock() + timeMs;
  const outcomes = await inLanes(claims, LANES, async (claim): Promise<Outcome> => {
    if (deps.clock() >= deadline) return { claim, left: true };
    try {
      return { claim, run: await runOne(deps, claim.workspace, limit) };
    } catch (error) {
      return { claim, error: deps.failed(claim.workspace, error) };
    }
  });
  const byShard = Map.groupBy(outcomes, ({ claim }) => claim.shard);
  await Promise.all(
    [...byShard].map(([shard, those]) =>
      // Their leases end by themselves.
      settleShard(deps, shard, those).catch((error: unknown) => deps.failed(null, error)),
    ),
  );
  return summaryOf(outcomes);
}

const SCHEDULER = { role: "maintainer", actor: "system:scheduler" } as const;

async function runOne(deps: PassDeps, workspace: string, limit: number): Promise<StalenessRun> {
  const { expired, cancel } = deps.timeout(PASS_TIMEOUT_MS);
  try {
    const call = deps.sphere(workspace).call(SCHEDULER, "runStalenessPass", [{ limit }]);
    const reply = await Promise.race([call, expired]);
    if (reply.ok) return reply.value;
    throw new MiniSphereError(reply.error.code, reply.error.message, reply.error.details);
  } finally {
    cancel();
  }
}

/**
 * A workspace that was claimed elsewhere than at home, because there were fewer shards when it was noted,
 * moves home: it is noted there first, so that it is nowhere lost.
 */
async function settleShard(
  deps: PassDeps,
  shard: number,
  outcomes: readonly Outcome[],
): Promise<void> {
  const settlements = await Promise.all(
    outcomes.map(async (outcome): Promise<Settlement> => {
      const { workspace, claim } = outcome.claim;
      if ("left" in outcome) return { workspace, claim, released: true };
      if ("error" in outcome) return { workspace, claim, error: outcome.error };
      const { nextDueAt } = outcome.run;
      const progressed = hasProgressed(outcome.run);
      const home = deps.home(workspace);
      if (nextDueAt === null || home === shard) return { workspace, claim, nextDueAt, progressed };
      await deps.note(home, workspace, nextDueAt);
      return { workspace, claim, nextDueAt: null, progressed };
    }),
  );
  await deps.settle(shard, settlements);
}

const hasProgressed = (run: StalenessRun) => run.flagged + run.expired > 0;

function summaryOf(outcomes: readonly Outcome[]): PassSummary {
  const runs = outcomes.flatMap((outcome) => ("run" in outcome ? [outcome.run] : []));
  const left = outcomes.filter((outcome) => "left" in outcome);
  return {
    visited: runs.length,
    flagged: total(runs.map((run) => run.flagged)),
    expired: total(runs.map((run) => run.expired)),
    failed: outcomes.length - runs.length - left.length,
    leftOver: left.length + runs.filter((run) => run.remaining > 0).length,
  };
}

const total = (numbers: readonly number[]) => numbers.reduce((sum, n) => sum + n, 0);

/** `work` on each item, at most `lanes` at a time; results in the order of the items. */
async function inLanes<T, R>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const lane = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}
