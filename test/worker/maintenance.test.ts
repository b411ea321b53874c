import { createExecutionContext, createScheduledController } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import scheduler, { type MaintenanceBinding, runTick } from "../../src/scheduler/worker.ts";
import { Maintenance as MaintenanceEntrypoint } from "../../src/worker/maintenance.ts";
import { call, freshWorkspace } from "./wire.ts";

const { Maintenance } = exports as unknown as { Maintenance: MaintenanceBinding };

const DAY = 86_400_000;
const directory = () => env.DIRECTORY.getByName("directory");

/** A workspace with one entry that went stale a day ago, of which the directory knows. */
async function dueWorkspace(): Promise<{ workspace: string; dueAt: number; id: string }> {
  const workspace = freshWorkspace();
  const now = Date.now();
  const { id } = await env.SPHERES.getByName(workspace).capture("Goes stale.", {
    volatility: "volatile",
    occurredAt: now - 15 * DAY,
  });
  await directory().note(workspace, now - DAY);
  return { workspace, dueAt: now - DAY, id };
}

async function dueAtOf(workspace: string): Promise<number | undefined> {
  const due = await directory().listDue(Date.now() + 1_000 * DAY, 1_000);
  return due.find((each) => each.workspace === workspace)?.dueAt;
}

describe("the entrypoint Maintenance", () => {
  it("[MNT-5] lists the workspaces that are due", async () => {
    const { workspace, dueAt } = await dueWorkspace();
    const due = await Maintenance.listDue({ now: dueAt, limit: 1_000 });
    expect(due.map((each) => ({ ...each }))).toContainEqual({ workspace, dueAt });
    const before = await Maintenance.listDue({ now: dueAt - 1, limit: 1_000 });
    expect(before.map((each) => each.workspace)).not.toContain(workspace);
  });

  it("[MNT-5] runs the pass, in the scheduler's name, and settles the directory", async () => {
    const { workspace, dueAt, id } = await dueWorkspace();
    const run = await Maintenance.runStalenessPass(workspace, { limit: 10, seenDueAt: dueAt });
    expect(run).toMatchObject({ flagged: 1, trigger: "system:scheduler", nextDueAt: null });
    expect(await env.SPHERES.getByName(workspace).getEntry(id)).toMatchObject({ stale: true });
    expect(await dueAtOf(workspace)).toBeUndefined();
  });

  it("[MNT-6] leaves the workspace due at its next time", async () => {
    const { workspace, dueAt } = await dueWorkspace();
    const occurredAt = Date.now();
    await env.SPHERES.getByName(workspace).capture("Goes stale later.", {
      volatility: "volatile",
      occurredAt,
    });
    await Maintenance.runStalenessPass(workspace, { limit: 10, seenDueAt: dueAt });
    expect(await dueAtOf(workspace)).toBe(occurredAt + 14 * DAY);
  });

  it.each([
    ["listDue", []],
    ["listDue", [{ now: 1 }]],
    ["listDue", [{ now: -1, limit: 1 }]],
    ["listDue", [{ now: 1, limit: 1_001 }]],
    ["listDue", [{ now: 1, limit: 1, all: true }]],
    ["runStalenessPass", ["../x", { limit: 1, seenDueAt: 1 }]],
    ["runStalenessPass", ["lab", { limit: 0, seenDueAt: 1 }]],
    ["runStalenessPass", ["lab", { limit: 1_001, seenDueAt: 1 }]],
    ["runStalenessPass", ["lab", { limit: 1 }]],
    ["runStalenessPass", ["lab", { limit: 1, seenDueAt: 1 }, "more"]],
    ["runStalenessPass", []],
  ])("refuses %s(%j)", async (method, args) => {
    // Called directly: across a binding a refusal is an uncaught exception as well, and fails the run.
    const entrypoint = new MaintenanceEntrypoint(createExecutionContext(), env);
    await expect(call(entrypoint, method, ...args)).rejects.toMatchObject({
      code: "invalid_input",
    });
  });
});

describe("a tick of the scheduler", () => {
  it("[MNT-7] runs the pass where it is due, reports it in one line, and does it once", async () => {
    const { workspace } = await dueWorkspace();
    const log = vi.spyOn(console, "log").mockReturnValue();
    onTestFinished(() => log.mockRestore());
    const scheduledTime = Date.now();
    for (let tick = 0; tick < 2; tick++) {
      const controller = createScheduledController({ scheduledTime: new Date(scheduledTime) });
      await scheduler.scheduled(controller, { MAINTENANCE: Maintenance });
    }
    const [first, second] = log.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown);
    expect(first).toMatchObject({ event: "tick", tick: scheduledTime, failed: 0, leftOver: 0 });
    expect(second).toMatchObject({ event: "tick", due: 0, visited: 0, flagged: 0 });
    expect((await env.SPHERES.getByName(workspace).getStats()).runs).toHaveLength(1);
  });

  it("[MNT-7] goes on after a workspace that fails, which stays due", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => log.mockRestore());
    const [broken, whole] = [await dueWorkspace(), await dueWorkspace()];
    const report = await runTick(
      {
        listDue: async () => [broken, whole],
        runStalenessPass: (workspace, options) =>
          workspace === broken.workspace
            ? Promise.reject(new Error("It is broken."))
            : Maintenance.runStalenessPass(workspace, options),
      },
      Date.now(),
    );
    expect(report).toMatchObject({ due: 2, visited: 1, flagged: 1, failed: 1, leftOver: 0 });
    expect(JSON.parse(String(log.mock.lastCall?.[0]))).toEqual({
      event: "pass_failed",
      workspace: broken.workspace,
      error: "Error: It is broken.",
    });
    expect(await dueAtOf(broken.workspace)).toBe(broken.dueAt);
  });

  it("visits 500 workspaces at most, and says that there are more", async () => {
    const run = {
      at: 0,
      trigger: "t",
      scanned: 1,
      flagged: 1,
      expired: 0,
      remaining: 0,
      nextDueAt: null,
    };
    const report = await runTick(
      {
        listDue: async ({ limit }) =>
          Array.from({ length: limit }, (_, n) => ({ workspace: `w${n}`, dueAt: n })),
        runStalenessPass: async (workspace) => ({ ...run, remaining: workspace === "w7" ? 3 : 0 }),
      },
      1,
    );
    expect(report).toMatchObject({ due: 501, visited: 500, flagged: 500, leftOver: 2 });
  });

  it("answers 404 to anyone who asks it for a page", () => {
    expect(scheduler.fetch().status).toBe(404);
  });
});
