/*
 * What the scheduled Worker and the main Worker say to each other ([MNT-5]). It is no part of the surface:
 * no client can reach it. Times and durations are milliseconds.
 */

/** All that the scheduled Worker is bound to: the entrypoint `Maintenance` of the main Worker. */
export interface MaintenanceApi {
  /** Claims at most `limit` workspaces that are due at `now`, longest due first. */
  claimDue(query: { now: number; limit: number }): Promise<ClaimedWork>;
  /** Runs the pass on what was claimed, each at most `limit` entries, and starts none after `timeMs`. */
  runStalenessPass(
    claims: Claim[],
    options: { now: number; limit: number; timeMs: number },
  ): Promise<PassSummary>;
  recordTick(record: TickRecord): Promise<void>;
}

/** The methods, in the order of a tick. */
export const MAINTENANCE_METHODS = [
  "claimDue",
  "runStalenessPass",
  "recordTick",
] as const satisfies readonly (keyof MaintenanceApi)[];

/** The right to run the pass on a workspace, until it is settled or its lease ends ([MNT-9]). */
export interface Claim {
  workspace: string;
  dueAt: number;
  /** The shard that it was claimed from. */
  shard: number;
  /** Tells this claim from later ones of the same workspace. */
  claim: string;
}

export interface ClaimedWork {
  claims: Claim[];
  /** Workspaces that were due as well and are unclaimed, counted up to 1,000 a shard. */
  left: number;
  /** Shards that did not answer. */
  unreachable: number;
}

/** Numbers of workspaces, but for `flagged` and `expired`, which are entries. */
export interface PassSummary {
  visited: number;
  flagged: number;
  expired: number;
  /** Workspaces whose pass failed; they wait, longer after each failure ([MNT-11]). */
  failed: number;
  /** Workspaces that are still due: their pass stopped at its limit, or no time was left to begin it. */
  leftOver: number;
}

/** What a tick did. One line of the log, and one row in the directory ([MNT-12]). */
export interface TickRecord extends PassSummary {
  event: "tick";
  /** The scheduled time. */
  tick: number;
  /** Calls over the binding, this record's own among them. */
  calls: number;
  ms: number;
  /** Shards of the directory that did not answer. */
  unreachable: number;
  /** Calls over the binding that failed. What they had claimed is due again when its lease ends. */
  failedCalls: number;
}
