import { createExecutionContext, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { GrantedCalls } from "../../contracts/api.ts";
import type { MaintenanceApi } from "../../contracts/maintenance.ts";
import { BUDGET, runTick, type TickOptions } from "../../src/scheduler/tick.ts";
import {
  homeShard,
  shardAt,
  shardCount,
  type WorkspaceDirectory,
} from "../../src/worker/directory.ts";
import { Maintenance } from "../../src/worker/maintenance.ts";

/*
 * Ticks over thousands of workspaces: the real scheduler, entrypoint and directory. Only the workspaces' own
 * objects are simulated, because thousands of databases would take minutes; maintenance.test.ts has real ones.
 */

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 1);
const WORKSPACES = 5_000;

const names = (count: number, prefix = "w") =>
  Array.from({ length: count }, (_, n) => `${prefix}-${String(n).padStart(4, "0")}`);
const shards = () => Array.from({ length: shardCount(env) }, (_, shard) => shardAt(env, shard));

/** The directory with these due times. */
async function noted(dueTimes: ReadonlyMap<string, number>): Promise<void> {
  for (const [shard, stub] of shards().entries()) {
    await runInDurableObject(stub, (directory: WorkspaceDirectory, { storage }) => {
      storage.sql.exec("DELETE FROM workspaces");
      for (const [workspace, dueAt] of dueTimes) {
        if (homeShard(env, workspace) === shard) directory.note(workspace, dueAt);
      }
    });
  }
}

/** All of them due in the far future, but for the first `due`, due a minute apart up to now. */
const dueTimes = (due: number) =>
  new Map(
    names(WORKSPACES).map((name, n) => [name, n < due ? NOW - (due - n) * MINUTE : NOW + 9e9]),
  );

type Pass = (workspace: string) => Promise<void> | void;

/** The entrypoint over simulated workspaces: each pass flags one entry, and then nothing is due. */
function simulated(pass: Pass = () => {}, shardsNow = shardCount(env)) {
  const woken: string[] = [];
  const sphere = (workspace: string): GrantedCalls => ({
    async call() {
      woken.push(workspace);
      await pass(workspace);
      const value = { flagged: 1, expired: 0, remaining: 0, nextDueAt: null };
      return { ok: true, value } as never;
    },
  });
  const maintenance: MaintenanceApi = new Maintenance(createExecutionContext(), {
    ...env,
    DIRECTORY_SHARDS: shardsNow,
    SPHERES: { getByName: sphere } as never,
  });
  const tick = (options: Partial<TickOptions> = {}) =>
    runTick(maintenance, { now: NOW, clock: () => NOW, ...options });
  return { woken, tick, maintenance };
}

/** Rows that the directory reads and writes while `work` runs. */
async function rowsOf(work: () => Promise<unknown>): Promise<{ read: number; written: number }> {
  const cursors: SqlStorageCursor<never>[] = [];
  const restore: (() => void)[] = [];
  for (const stub of shards()) {
    await runInDurableObject(stub, (_, { storage }) => {
      const { sql } = storage;
      const exec = sql.exec;
      sql.exec = ((...args: Parameters<typeof exec>) => {
        const cursor = exec.apply(sql, args);
        cursors.push(cursor as never);
        return cursor;
      }) as typeof exec;
      restore.push(() => (sql.exec = exec));
    });
  }
  await work();
  for (const undo of restore) undo();
  return {
    read: cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    written: cursors.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
  };
}

beforeEach(() => {
  const log = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => log.mockRestore());
});

describe("a tick over 5,000 workspaces", () => {
  it("[MNT-7] wakes none of them when nothing is due", async () => {
    await noted(dueTimes(0));
    const { woken, tick } = simulated();
    expect(await tick()).toMatchObject({ visited: 0, leftOver: 0, calls: 2 });
    expect(woken).toEqual([]);
  });

  it("[MNT-7] wakes those that are due, longest due first, and no other", async () => {
    await noted(dueTimes(100));
    const { woken, tick } = simulated();
    expect(await tick()).toMatchObject({ visited: 100, flagged: 100, failed: 0, leftOver: 0 });
    expect(woken).toEqual(names(100));
  });

  it("[MNT-7] does everything that is due, each once, when all are", async () => {
    await noted(dueTimes(WORKSPACES));
    const { woken, tick } = simulated();
    expect(await tick()).toMatchObject({ visited: WORKSPACES, failed: 0, leftOver: 0 });
    expect(woken.toSorted()).toEqual(names(WORKSPACES));
    expect(await tick({ now: NOW + 15 * MINUTE })).toMatchObject({ visited: 0, calls: 2 });
  });

  it("[MNT-7] costs rows in proportion to what is due, not to what there is", async () => {
    const cost = async (due: number) => {
      await noted(dueTimes(due));
      const { tick } = simulated();
      return rowsOf(() => tick());
    };
    const [none, ten, hundred] = [await cost(0), await cost(10), await cost(100)];
    expect(none.written).toBe(1);
    expect(none.read).toBeLessThanOrEqual(5 * shardCount(env));
    expect(ten.written - none.written).toBeLessThanOrEqual(10 * 3);
    expect(hundred.written - none.written).toBeLessThanOrEqual(100 * 3);
    expect(hundred.read - none.read).toBeLessThanOrEqual(100 * 8);
  });

  it("[MNT-9] shares the work with a tick that runs at the same time", async () => {
    await noted(dueTimes(1_000));
    const { woken, tick } = simulated();
    const records = await Promise.all([tick(), tick()]);
    expect(records.map(({ visited }) => visited).reduce((a, b) => a + b)).toBe(1_000);
    expect(woken.toSorted()).toEqual(names(1_000));
  });

  it("[MNT-10] keeps to its calls, and the next tick goes on where it stopped", async () => {
    await noted(dueTimes(1_200));
    const { woken, tick } = simulated();
    const budget = { ...BUDGET, calls: 5, workspaces: 400 };
    const first = await tick({ budget });
    expect(first).toMatchObject({ visited: 800, leftOver: 400, calls: 5 });
    const second = await tick({ budget, now: NOW + 15 * MINUTE });
    expect(second).toMatchObject({ visited: 400, leftOver: 0 });
    expect(woken.toSorted()).toEqual(names(1_200));
  });

  it("[MNT-10] keeps to its time, gives back what it has begun nothing of, and goes on there", async () => {
    await noted(dueTimes(200));
    let now = NOW;
    const { woken, tick } = simulated(() => void (now += 1_000));
    const clock = vi.spyOn(Date, "now").mockImplementation(() => now);
    onTestFinished(() => clock.mockRestore());
    const budget = { ...BUDGET, ms: 50_000 };
    const first = await tick({ budget, clock: () => now });
    expect(first.visited).toBeGreaterThanOrEqual(50);
    expect(first.visited).toBeLessThan(60);
    expect(first).toMatchObject({ leftOver: 200 - first.visited, failed: 0 });
    await tick({ clock: () => now });
    expect(woken.toSorted()).toEqual(names(200));
  });

  it("[MNT-11] is not held up by workspaces that always fail", async () => {
    await noted(dueTimes(300));
    const broken = new Set(names(50));
    const { woken, tick } = simulated((workspace) => {
      if (broken.has(workspace)) throw new Error("It is broken.");
    });
    // A budget that the broken ones alone would use up, were they first in each tick.
    const budget = { ...BUDGET, calls: 3, workspaces: 64 };
    let visited = 0;
    for (let n = 0; n < 10; n++) {
      visited += (await tick({ budget, now: NOW + n * 15 * MINUTE })).visited;
    }
    expect(visited).toBe(250);
    const failing = await Promise.all(shards().map((shard) => shard.failing(100)));
    expect(
      failing
        .flat()
        .map(({ workspace }) => workspace)
        .toSorted(),
    ).toEqual([...broken]);
    // 0, 15, 45, 105 minutes: a workspace that has failed thrice by then was tried four times at most.
    expect(
      Math.max(...woken.map((name) => woken.filter((each) => each === name).length)),
    ).toBeLessThanOrEqual(4);
  });
});

/* [MNT-7]: "On each tick the scheduled Worker runs the pass on every workspace that is due, longest due first". */
describe("a tick over shards that are not alike", () => {
  const due = (count: number) => new Map(names(count).map((name) => [name, NOW - MINUTE]));

  it.each([8, 64, 256])(
    "[MNT-7] visits every due workspace with %i shards, though all are in the 8 old ones",
    async (shardsNow) => {
      // [MNT-8]: "Raising the number loses nothing."
      await noted(due(3_000));
      const { woken, tick } = simulated(undefined, shardsNow);
      expect(await tick()).toMatchObject({ visited: 3_000, leftOver: 0, calls: 14 });
      expect(woken.toSorted()).toEqual(names(3_000));
    },
  );

  it("[MNT-7] gives a hot shard the share that the others have no use for", async () => {
    const inShard = (shard: number) => (name: string) => homeShard(env, name) === shard;
    const hot = names(9_000).filter(inShard(3)).slice(0, 900);
    const cold = names(9_000).filter(inShard(5)).slice(0, 70);
    await noted(new Map([...hot, ...cold].map((name) => [name, NOW - MINUTE])));
    const { maintenance } = simulated();
    const first = await maintenance.claimDue({ now: NOW, limit: 500 });
    const of = (shard: number) => first.claims.filter((claim) => claim.shard === shard).length;
    expect([of(3), of(5), first.left]).toEqual([430, 70, 470]);
    expect(new Set(first.claims.map(({ workspace }) => workspace)).size).toBe(500);
    const second = await maintenance.claimDue({ now: NOW, limit: 500 });
    expect([second.claims.length, second.left]).toEqual([470, 0]);
  });

  it("[MNT-10] claims no more than it was asked for when every shard has more", async () => {
    await noted(due(3_000));
    const { maintenance } = simulated();
    const { claims, left } = await maintenance.claimDue({ now: NOW, limit: 500 });
    expect([claims.length, left]).toEqual([500, 2_500]);
  });
});

describe("a tick whose calls fail", () => {
  it("[MNT-10] is recorded, with what it could not do left over", async () => {
    await noted(dueTimes(20));
    const { maintenance, woken } = simulated();
    let calls = 0;
    const unsteady: MaintenanceApi = {
      claimDue: (query) => maintenance.claimDue(query),
      runStalenessPass: (claims, options) =>
        calls++ === 0
          ? Promise.reject(new Error("The Worker was reset."))
          : maintenance.runStalenessPass(claims, options),
      recordTick: (record) => maintenance.recordTick(record),
    };
    const budget = { ...BUDGET, workspaces: 8 };
    const record = await runTick(unsteady, { now: NOW, clock: () => NOW, budget });
    expect(record.failedCalls).toBe(1);
    expect(record.visited + record.leftOver).toBe(20);
    expect((await shardAt(env, 0).ticks(1))[0]).toMatchObject({ failedCalls: 1 });
    const next = { now: NOW + 15 * MINUTE, clock: () => NOW };
    await runTick(maintenance, next);
    expect(woken.toSorted()).toEqual(names(20));
  });

  it("[MNT-12] is recorded when it cannot even claim", async () => {
    const { maintenance } = simulated();
    const deaf: MaintenanceApi = {
      claimDue: () => Promise.reject(new Error("The Worker was reset.")),
      runStalenessPass: (claims, options) => maintenance.runStalenessPass(claims, options),
      recordTick: (record) => maintenance.recordTick(record),
    };
    const record = await runTick(deaf, { now: NOW + 1, clock: () => NOW });
    expect(record).toMatchObject({ visited: 0, failedCalls: 1, calls: 2 });
    expect((await shardAt(env, 0).ticks(1))[0]).toMatchObject({ tick: NOW + 1, failedCalls: 1 });
  });
});
