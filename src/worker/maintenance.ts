import { WorkerEntrypoint } from "cloudflare:workers";
import { z } from "zod";
import type { GrantedCalls } from "../../contracts/api.ts";
import { invalidInput } from "../../contracts/errors.ts";
import { LIMITS } from "../../contracts/limits.ts";
import {
  type Claim,
  type ClaimedWork,
  MAINTENANCE_METHODS,
  type MaintenanceApi,
  type PassSummary,
  type TickRecord,
} from "../../contracts/maintenance.ts";
import { callError } from "../access/wire-errors.ts";
import { randomId } from "../lib/ids.ts";
import { timeout } from "../lib/timeout.ts";
import { homeShard, shardAt, shardCount } from "./directory.ts";
import type { Env } from "./env.ts";
import { report, workspaceHash } from "./log.ts";
import { type PassDeps, runPasses } from "./passes.ts";

/**
 * Workspaces of one claim. Each is a subrequest of the call that runs its pass, two when it moves home, and each
 * shard is one more: 1,256 at most, of the 10,000 that an invocation has. To claim takes two a shard.
 */
const CLAIMED = 500;
/**
 * A claim outlives its tick's budget, so that a repeated tick does not do its work again, and ends before the
 * next tick, which so does what this one may have left undone ([MNT-9]).
 */
export const LEASE_MS = 14 * 60_000;

const time = z.int().min(0).max(LIMITS.timeMs);
const count = z.int().min(0);
/** Hosts may name their objects as they like. */
const objectName = z.string().min(1).max(1_024);
const claim = z.strictObject({
  workspace: objectName,
  dueAt: time,
  shard: count,
  claim: z.string().min(1).max(LIMITS.idChars),
});
const INPUTS = {
  claimDue: z.tuple([z.strictObject({ now: time, limit: z.int().min(1).max(CLAIMED) })]),
  runStalenessPass: z.tuple([
    z.array(claim).max(CLAIMED),
    z.strictObject({
      now: time,
      limit: z.int().min(1).max(LIMITS.passRows.max),
      timeMs: count,
    }),
  ]),
  recordTick: z.tuple([
    z.strictObject({
      event: z.literal("tick"),
      tick: time,
      visited: count,
      flagged: count,
      expired: count,
      failed: count,
      leftOver: count,
      calls: count,
      ms: count,
      unreachable: count,
      failedCalls: count,
    }),
  ]),
};

/**
 * All that the scheduled Worker may do ([MNT-5]). A binding to the object's class would give it every public
 * method; a binding to this entrypoint gives it these.
 */
export class Maintenance extends WorkerEntrypoint<Env> implements MaintenanceApi {
  /**
   * An equal share of each shard, so that none waits for the others; then what some had no use for, of those
   * that have more.
   */
  async claimDue(...args: [query: { now: number; limit: number }]): Promise<ClaimedWork> {
    const [{ now, limit }] = parsed(INPUTS.claimDue, args);
    const name = randomId();
    const claims: Claim[] = [];
    const left = new Map<number, number>();
    const unreachable = new Set<number>();
    const ask = (shares: Map<number, number>) =>
      Promise.all(
        [...shares].map(async ([shard, share]) => {
          try {
            const query = { now, limit: share, leaseUntil: now + LEASE_MS };
            const answer = await shardAt(this.env, shard).claim(query, name);
            for (const each of answer.claimed) claims.push({ ...each, shard, claim: name });
            left.set(shard, answer.left);
          } catch (error) {
            unreachable.add(shard);
            failed("claimDue", null, error);
          }
        }),
      );
    await ask(equalShares(limit, shardCount(this.env)));
    await ask(sharesOfRest(limit - claims.length, left));
    return {
      claims: claims.sort((a, b) => a.dueAt - b.dueAt || a.shard - b.shard),
      left: [...left.values()].reduce((sum, each) => sum + each, 0),
      unreachable: unreachable.size,
    };
  }

  async runStalenessPass(
    ...args: [claims: Claim[], options: { now: number; limit: number; timeMs: number }]
  ): Promise<PassSummary> {
    const [claims, { now, ...options }] = parsed(INPUTS.runStalenessPass, args);
    return runPasses(passDeps(this.env, now), claims, options);
  }

  async recordTick(...args: [record: TickRecord]): Promise<void> {
    const [record] = parsed(INPUTS.recordTick, args);
    await shardAt(this.env, 0).recordTick(record);
  }

  /**
   * The same methods by POST with the arguments as a JSON array, for a platform on which RPC to an entrypoint
   * beside an exported object class fails (workerd issue 6453); see docs/maintenance.md.
   */
  override async fetch(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname.slice(1);
    const method = MAINTENANCE_METHODS.find((each) => each === path);
    if (method === undefined || request.method !== "POST")
      return new Response(null, { status: 404 });
    try {
      const args = (await request.json()) as never[];
      const value: unknown = await Reflect.apply(this[method], this, args);
      return Response.json({ value: value ?? null });
    } catch (error) {
      const { code, message } = callError(error, { method, workspace: null }, report);
      return Response.json({ error: { code, message } }, { status: 500 });
    }
  }
}

/** By shard; each has one at least. */
function equalShares(limit: number, shards: number): Map<number, number> {
  const share = Math.floor(limit / shards);
  const over = limit % shards;
  return new Map(
    Array.from({ length: shards }, (_, shard) => [
      shard,
      Math.max(1, share + (shard < over ? 1 : 0)),
    ]),
  );
}

/**
 * By shard, of those that have more: equal, but for what one has no use for, which goes to those with more.
 * The one with most may take all that remains, because what is left is not counted to its end.
 */
function sharesOfRest(rest: number, left: ReadonlyMap<number, number>): Map<number, number> {
  const shares = new Map<number, number>();
  const full = [...left].filter(([, more]) => more > 0).sort(([, a], [, b]) => a - b);
  let remaining = rest;
  for (const [at, [shard, more]] of full.entries()) {
    const others = full.length - at - 1;
    const share = others === 0 ? remaining : Math.min(more, Math.floor(remaining / (others + 1)));
    if (share < 1) continue;
    shares.set(shard, share);
    remaining -= share;
  }
  return shares;
}

function passDeps(env: Env, now: number): PassDeps {
  return {
    sphere: (workspace) => env.SPHERES.getByName(workspace) as unknown as GrantedCalls,
    home: (workspace) => homeShard(env, workspace),
    note: async (shard, workspace, dueAt) => shardAt(env, shard).note(workspace, dueAt),
    settle: async (shard, settlements) => shardAt(env, shard).settle(settlements, now),
    failed: (workspace, error) => failed("runStalenessPass", workspace, error),
    clock: Date.now,
    timeout,
  };
}

/** One line for the operator; gives back the code that the directory keeps. */
function failed(method: string, workspace: string | null, error: unknown) {
  const where = { method, workspace: workspace === null ? null : workspaceHash(workspace) };
  return callError(error, where, report).code;
}

function parsed<T extends z.ZodType>(schema: T, args: unknown[]): z.output<T> {
  const result = schema.safeParse(args);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.join(".") || "arguments";
  throw invalidInput(`${path}: ${issue?.message}.`, { path });
}
