import { DurableObject } from "cloudflare:workers";
import type { DueNews } from "../../contracts/api.ts";
import type { TickRecord } from "../../contracts/maintenance.ts";
import { sha256Hex } from "../lib/hash.ts";
import {
  type ClaimedWorkspace,
  DirectoryStore,
  type KnownWorkspace,
  type Settlement,
} from "../storage/directory.ts";
import { Sql } from "../storage/sql.ts";
import { TickStore } from "../storage/ticks.ts";
import type { Env } from "./env.ts";

/**
 * One shard of the directory: when each of its workspaces is next due, because a namespace cannot be listed
 * at run time. It hears of a workspace when its due time moves forward, not at every write.
 */
export class WorkspaceDirectory extends DurableObject<Env> {
  readonly #workspaces: DirectoryStore;
  readonly #ticks: TickStore;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const sql = new Sql(ctx.storage);
    this.#workspaces = new DirectoryStore(sql, Date.now());
    this.#ticks = new TickStore(sql);
  }

  /** The workspace is due at `dueAt` (milliseconds) at the latest. */
  note(workspace: string, dueAt: number): void {
    this.#workspaces.note(workspace, dueAt);
  }

  /** Claims at most `limit` workspaces, longest due first. `left` others are due as well. */
  claim(
    { now, limit, leaseUntil }: { now: number; limit: number; leaseUntil: number },
    claim: string,
  ): { claimed: ClaimedWorkspace[]; left: number } {
    const claimed = this.#workspaces.claim(now, limit, claim, leaseUntil);
    return { claimed, left: claimed.length < limit ? 0 : this.#workspaces.countReady(now) };
  }

  settle(settlements: Settlement[], now: number): void {
    for (const settlement of settlements) this.#workspaces.settle(settlement, now);
  }

  find(workspace: string): KnownWorkspace | null {
    return this.#workspaces.find(workspace);
  }

  /** At most `limit` workspaces whose last pass failed, most failures first. */
  failing(limit: number): KnownWorkspace[] {
    return this.#workspaces.failing(limit);
  }

  recordTick(record: TickRecord): void {
    this.#ticks.add(record);
  }

  /** The last `n` ticks, newest first. */
  ticks(n: number): TickRecord[] {
    return this.#ticks.newest(n);
  }
}

export type DirectoryEnv = Pick<Env, "DIRECTORY" | "DIRECTORY_SHARDS">;
export type Shard = DurableObjectStub<WorkspaceDirectory>;

const DEFAULT_SHARDS = 8;
const MAX_SHARDS = 256;

/** How many shards there are. It may be raised, never lowered ([MNT-8]). */
export function shardCount({ DIRECTORY_SHARDS = DEFAULT_SHARDS }: DirectoryEnv): number {
  const count = Number(DIRECTORY_SHARDS);
  if (!Number.isInteger(count) || count < 1 || count > MAX_SHARDS) {
    throw new Error(
      `DIRECTORY_SHARDS is a whole number from 1 to ${MAX_SHARDS}; it is ${JSON.stringify(DIRECTORY_SHARDS)}.`,
    );
  }
  return count;
}

/** The shard that a workspace is noted in. */
export function homeShard(env: DirectoryEnv, workspace: string): number {
  return Number.parseInt(sha256Hex(workspace).slice(0, 8), 16) % shardCount(env);
}

/** The first keeps the name that the directory had when it was one object. */
export function shardAt(env: DirectoryEnv, shard: number): Shard {
  return env.DIRECTORY.getByName(shard === 0 ? "directory" : `directory-${shard}`);
}

/** What tells the directory must have of a workspace's object. */
export interface DueSource {
  dueNews(): Promise<DueNews | null>;
  acknowledgeDue(news: DueNews): Promise<void>;
}

/**
 * Tells the directory of a workspace's news, and the workspace that the directory has heard. Until it has,
 * every later write brings the news again.
 */
export async function tellDirectory(
  env: DirectoryEnv,
  workspace: string,
  { news, sphere }: { news: DueNews; sphere: Pick<DueSource, "acknowledgeDue"> },
): Promise<void> {
  await shardAt(env, homeShard(env, workspace)).note(workspace, news.dueAt);
  await sphere.acknowledgeDue(news);
}

/**
 * For hosts that write natively: call it after such writes, or once after many, and the scheduled Worker
 * will visit the workspace in time ([MNT-13]). Asks the object, and the directory only when there is news.
 *
 * @param env the bindings DIRECTORY and, when wrangler.toml sets it, DIRECTORY_SHARDS.
 * @param sphere the workspace's object, as `SPHERES.getByName(workspace)` gives it.
 * @returns whether there was news.
 */
export async function registerDue(
  env: DirectoryEnv,
  workspace: string,
  sphere: DueSource,
): Promise<boolean> {
  const news = await sphere.dueNews();
  if (news !== null) await tellDirectory(env, workspace, { news, sphere });
  return news !== null;
}
