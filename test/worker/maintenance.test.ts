import {
  createExecutionContext,
  createScheduledController,
  runInDurableObject,
} from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { METHODS } from "../../contracts/inputs.ts";
import type { Claim, MaintenanceApi, TickRecord } from "../../contracts/maintenance.ts";
import { maintenanceOf, type MaintenanceBinding } from "../../src/scheduler/binding.ts";
import scheduler from "../../src/scheduler/worker.ts";
import { homeShard, shardAt, shardCount } from "../../src/worker/directory.ts";
import { workspaceHash } from "../../src/worker/log.ts";
import { LEASE_MS, Maintenance } from "../../src/worker/maintenance.ts";
import { call, freshWorkspace } from "./wire.ts";

const { Maintenance: binding } = exports as unknown as { Maintenance: MaintenanceBinding };

const DAY = 86_400_000;
const home = (workspace: string) => shardAt(env, homeShard(env, workspace));
const known = async (workspace: string) => {
  const found = await home(workspace).find(workspace);
  return found && { ...found };
};

/** A workspace with one entry that went stale a day ago, of which the directory knows. */
async function dueWorkspace(): Promise<{ workspace: string; dueAt: number; id: string }> {
  const workspace = freshWorkspace();
  const now = Date.now();
  const { id } = await env.SPHERES.getByName(workspace).capture("Goes stale.", {
    volatility: "volatile",
    occurredAt: now - 15 * DAY,
  });
  await home(workspace).note(workspace, now - DAY);
  return { workspace, dueAt: now - DAY, id };
}

/** Lines of the log from here on. */
function logged(level: "log" | "error") {
  const log = vi.spyOn(console, level).mockReturnValue();
  onTestFinished(() => log.mockRestore());
  return () => log.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
}

const OPTIONS = { limit: 10, timeMs: 60_000 };

/** Everything that is due now, claimed. */
async function claimAll(maintenance: MaintenanceApi = binding, now = Date.now()): Promise<Claim[]> {
  const { claims } = await maintenance.claimDue({ now, limit: 500 });
  return claims.map((claim) => ({ ...claim }));
}

const RECORD: TickRecord = {
  event: "tick",
  tick: 1,
  visited: 0,
  flagged: 0,
  expired: 0,
  failed: 0,
  leftOver: 0,
  calls: 3,
  ms: 4,
  unreachable: 0,
  failedCalls: 0,
};

const ways: [string, MaintenanceApi][] = [
  ["by RPC", binding],
  ["by HTTP", maintenanceOf({ MAINTENANCE: binding, MAINTENANCE_VIA: "fetch" })],
];

describe.each(ways)("the entrypoint Maintenance %s", (_, maintenance) => {
  it("[MNT-5] claims the workspaces that are due", async () => {
    const [first, second] = [await dueWorkspace(), await dueWorkspace()];
    await home(second.workspace).note(second.workspace, 5);
    const claims = await claimAll(maintenance);
    expect(claims.map((each) => each.workspace)).toEqual([second.workspace, first.workspace]);
    expect(claims[1]).toEqual({
      workspace: first.workspace,
      dueAt: first.dueAt,
      shard: homeShard(env, first.workspace),
      claim: expect.any(String),
    });
    expect(await claimAll(maintenance)).toEqual([]);
    await maintenance.runStalenessPass(claims, { now: Date.now(), ...OPTIONS });
  });

  it("[MNT-5] runs the pass, in the scheduler's name, and settles the directory", async () => {
    const { workspace, id } = await dueWorkspace();
    const claims = await claimAll(maintenance);
    const summary = await maintenance.runStalenessPass(claims, { now: Date.now(), ...OPTIONS });
    expect({ ...summary }).toEqual({ visited: 1, flagged: 1, expired: 0, failed: 0, leftOver: 0 });
    const sphere = env.SPHERES.getByName(workspace);
    expect(await sphere.getEntry(id)).toMatchObject({ stale: true });
    expect((await sphere.getStats()).runs).toMatchObject([
      { trigger: "system:scheduler", flagged: 1 },
    ]);
    expect(await known(workspace)).toBeNull();
  });

  it("[MNT-5] records a tick", async () => {
    const tick = Date.now();
    await maintenance.recordTick({ ...RECORD, tick });
    const [newest] = await shardAt(env, 0).ticks(1);
    expect({ ...newest }).toEqual({ ...RECORD, tick });
  });
});

describe("the entrypoint Maintenance", () => {
  it("[MNT-6] leaves the workspace due at its next time", async () => {
    const { workspace } = await dueWorkspace();
    const occurredAt = Date.now();
    await env.SPHERES.getByName(workspace).capture("Goes stale later.", {
      volatility: "volatile",
      occurredAt,
    });
    await binding.runStalenessPass(await claimAll(), { now: Date.now(), ...OPTIONS });
    expect(await known(workspace)).toMatchObject({ dueAt: occurredAt + 14 * DAY });
  });

  it("[MNT-9] holds a claim for 14 minutes of the clock of the tick", async () => {
    const { workspace } = await dueWorkspace();
    const now = Date.now();
    const [claim] = await claimAll();
    expect(await claimAll(binding, now + LEASE_MS - 60_000)).toEqual([]);
    const again = await claimAll(binding, now + LEASE_MS + 60_000);
    expect(again.map((each) => each.workspace)).toEqual([workspace]);
    // The first comes late, when the workspace has been given to the second.
    await binding.runStalenessPass([claim as Claim], { now, ...OPTIONS });
    expect(await known(workspace)).not.toBeNull();
    await binding.runStalenessPass(again, { now, ...OPTIONS });
    expect(await known(workspace)).toBeNull();
  });

  it("[MNT-8] finds what was noted when there were fewer shards, and moves it home", async () => {
    const { workspace } = await dueWorkspace();
    const occurredAt = Date.now();
    await env.SPHERES.getByName(workspace).capture("Goes stale later.", {
      volatility: "volatile",
      occurredAt,
    });
    // As with one shard, then with as many as it takes for another home.
    await binding.runStalenessPass(await claimAll(), { now: 0, ...OPTIONS });
    const old = (homeShard(env, workspace) + 1) % shardCount(env);
    await shardAt(env, old).note(workspace, 7);
    const claims = await claimAll();
    expect(claims).toMatchObject([{ workspace, shard: old }]);
    await binding.runStalenessPass(claims, { now: Date.now(), ...OPTIONS });
    expect(await shardAt(env, old).find(workspace)).toBeNull();
    expect(await known(workspace)).toMatchObject({ dueAt: occurredAt + 14 * DAY });
  });

  it("[MNT-11] goes on after a workspace that fails, which waits, with one line of the log", async () => {
    const lines = logged("error");
    const [broken, whole] = [await dueWorkspace(), await dueWorkspace()];
    await runInDurableObject(env.SPHERES.getByName(broken.workspace), (_, { storage }) => {
      storage.sql.exec("DROP TABLE runs");
    });
    const now = Date.now();
    const summary = await binding.runStalenessPass(await claimAll(), { now, ...OPTIONS });
    expect({ ...summary }).toMatchObject({ visited: 1, flagged: 1, failed: 1, leftOver: 0 });
    expect(await known(whole.workspace)).toBeNull();
    expect(await known(broken.workspace)).toMatchObject({
      failures: 1,
      error: "internal",
      readyAt: now + 15 * 60_000,
    });
    const calls = lines().filter(({ event }) => event === "call_failed");
    expect(calls).toEqual([
      {
        event: "call_failed",
        requestId: expect.any(String),
        method: "runStalenessPass",
        workspace: workspaceHash(broken.workspace),
        code: "internal",
        error: expect.stringMatching(/^Error SQLITE_ERROR\n/),
      },
    ]);
    expect(JSON.stringify(lines())).not.toContain(broken.workspace);
  });

  it("[MNT-10] begins no pass when there is no time, and gives the claim back", async () => {
    const { workspace } = await dueWorkspace();
    const claims = await claimAll();
    const summary = await binding.runStalenessPass(claims, { now: 1, limit: 10, timeMs: 0 });
    expect({ ...summary }).toMatchObject({ visited: 0, failed: 0, leftOver: 1 });
    expect((await env.SPHERES.getByName(workspace).getStats()).runs).toEqual([]);
    const again = await claimAll();
    expect(again.map((each) => each.workspace)).toEqual([workspace]);
    await binding.runStalenessPass(again, { now: 1, ...OPTIONS });
  });

  it("[MNT-10] counts shards that do not answer, and claims from the others", async () => {
    const lines = logged("error");
    const { workspace } = await dueWorkspace();
    const DIRECTORY = {
      getByName: (name: string) =>
        name === "directory-9"
          ? { claim: () => Promise.reject(new Error("This shard is away.")) }
          : env.DIRECTORY.getByName(name),
    };
    const partly = new Maintenance(createExecutionContext(), {
      ...env,
      DIRECTORY: DIRECTORY as never,
      DIRECTORY_SHARDS: 10,
    });
    const { claims, unreachable } = await partly.claimDue({ now: Date.now(), limit: 500 });
    expect([claims.map((each) => each.workspace), unreachable]).toEqual([[workspace], 1]);
    expect(lines()).toMatchObject([{ event: "call_failed", method: "claimDue", workspace: null }]);
    await binding.runStalenessPass(claims, { now: 1, ...OPTIONS });
  });

  it("[MNT-10] keeps what a shard gave before it failed to give more, and asks each twice at most", async () => {
    logged("error");
    const asked: [string, number][] = [];
    const DIRECTORY = {
      getByName: (shard: string) => ({
        async claim({ limit }: { limit: number }) {
          asked.push([shard, limit]);
          if (shard === "directory") return { claimed: [], left: 0 };
          if (limit > 5) throw new Error("This shard is away.");
          return { claimed: [{ workspace: "lab", dueAt: 1 }], left: 40 };
        },
      }),
    };
    const more = { ...env, DIRECTORY: DIRECTORY as never, DIRECTORY_SHARDS: 2 };
    const work = await new Maintenance(createExecutionContext(), more).claimDue({
      now: 5,
      limit: 10,
    });
    expect(work).toMatchObject({ claims: [{ workspace: "lab", shard: 1 }], left: 40 });
    expect(work.unreachable).toBe(1);
    expect(asked).toEqual([
      ["directory", 5],
      ["directory-1", 5],
      ["directory-1", 9],
    ]);
  });

  const claim = { workspace: "lab", dueAt: 1, shard: 0, claim: "c" };
  const options = { now: 1, limit: 1, timeMs: 1 };

  it.each([
    ["claimDue", []],
    ["claimDue", [{ now: 1 }]],
    ["claimDue", [{ now: -1, limit: 1 }]],
    ["claimDue", [{ now: 1, limit: 501 }]],
    ["claimDue", [{ now: 1, limit: 1, all: true }]],
    ["runStalenessPass", []],
    ["runStalenessPass", ["lab", options]],
    ["runStalenessPass", [[{ ...claim, workspace: "" }], options]],
    ["runStalenessPass", [[{ ...claim, extra: 1 }], options]],
    ["runStalenessPass", [[claim], { ...options, limit: 0 }]],
    ["runStalenessPass", [[claim], { ...options, limit: 1_001 }]],
    ["runStalenessPass", [[claim], { ...options, timeMs: -1 }]],
    ["runStalenessPass", [[claim], options, "more"]],
    ["recordTick", [{ ...RECORD, workspace: "lab" }]],
    ["recordTick", [{ ...RECORD, visited: -1 }]],
  ])("[MNT-5] refuses %s(%j)", async (method, args) => {
    // Called directly: across a binding a refusal is an uncaught exception as well, and fails the run.
    const entrypoint = new Maintenance(createExecutionContext(), env);
    await expect(call(entrypoint, method, ...args)).rejects.toMatchObject({
      code: "invalid_input",
    });
  });

  it.each([...METHODS.filter((method) => method !== "runStalenessPass"), "call", "rpc", ""])(
    "[MNT-5] answers 404 to a request for %j",
    async (path) => {
      const post = await binding.fetch(`http://maintenance/${path}`, {
        method: "POST",
        body: "[]",
      });
      expect(post.status).toBe(404);
    },
  );

  it("[MNT-5] answers a request that it refuses with the code, and one that is no POST with 404", async () => {
    logged("error");
    const init = { method: "POST", body: "[]" };
    const refused = await binding.fetch("http://maintenance/claimDue", init);
    expect([refused.status, await refused.json()]).toEqual([
      500,
      { error: { code: "invalid_input", message: expect.any(String) } },
    ]);
    expect((await binding.fetch("http://maintenance/claimDue")).status).toBe(404);
  });
});

describe("the scheduled Worker", () => {
  const tick = (scheduledTime: number, more: object = {}) =>
    scheduler.scheduled(createScheduledController({ scheduledTime: new Date(scheduledTime) }), {
      MAINTENANCE: binding,
      ...more,
    });

  it.each([{}, { MAINTENANCE_VIA: "fetch" }])(
    "[MNT-12] is one line of the log and one record a tick, at the scheduled time, with %j",
    async (via) => {
      const lines = logged("log");
      await dueWorkspace();
      const scheduledTime = Date.now() + 7;
      await tick(scheduledTime, via);
      const line = { ...RECORD, tick: scheduledTime, visited: 1, flagged: 1, calls: 4 };
      expect(lines()).toEqual([{ ...line, ms: expect.any(Number) }]);
      const [newest] = await shardAt(env, 0).ticks(1);
      expect({ ...newest }).toEqual(lines()[0]);
    },
  );

  it("[MNT-9] does its work once when a tick is repeated", async () => {
    const lines = logged("log");
    const { workspace } = await dueWorkspace();
    const now = Date.now();
    await tick(now);
    await tick(now);
    expect(lines()).toMatchObject([
      { visited: 1, flagged: 1 },
      { visited: 0, flagged: 0 },
    ]);
    expect((await env.SPHERES.getByName(workspace).getStats()).runs).toHaveLength(1);
  });

  it("[MNT-12] says in one line that a tick failed, without the words of the error", async () => {
    const lines = logged("log");
    const MAINTENANCE = {
      claimDue: () => Promise.reject(new Error("secret words")),
      recordTick: () => Promise.reject(new Error("secret words")),
    };
    await expect(tick(5, { MAINTENANCE })).rejects.toThrow("secret words");
    expect(lines()).toEqual([{ event: "tick_failed", tick: 5, error: "Error" }]);
  });

  it("answers 404 to anyone who asks it for a page", () => {
    expect(scheduler.fetch().status).toBe(404);
  });
});
