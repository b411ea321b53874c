import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { METHODS } from "../../contracts/inputs.ts";
import { connect } from "../../src/client/index.ts";
import { freshWorkspace, startWorkers, tokenFor } from "./workers.ts";

const DAY = 86_400_000;
/** For what happens behind an answer, on a machine that may be busy. */
const PATIENT = { timeout: 30_000 };

let workers: Awaited<ReturnType<typeof startWorkers>>;

beforeAll(async () => {
  workers = await startWorkers();
});

afterAll(() => workers.close());

async function memoryOf(workspace: string) {
  return connect({ url: workers.url, token: await tokenFor(workspace), transport: "batch" });
}

/** When the directory thinks that the workspace is due. It is told behind the answer of a write. */
async function dueAtOf(workspace: string): Promise<number | undefined> {
  const { DIRECTORY } = await workers.sphere.getEnv();
  const due: { workspace: string; dueAt: number }[] = await DIRECTORY.getByName(
    "directory",
  ).listDue(Date.now() + 1_000 * DAY, 1_000);
  return due.find((each) => each.workspace === workspace)?.dueAt;
}

/** Runs one tick at the given clock, and gives back its line in the log. */
async function tick(scheduledTime: Date): Promise<unknown> {
  workers.newLogs();
  const { outcome } = await workers.scheduler.scheduled({ cron: "*/15 * * * *", scheduledTime });
  expect(outcome).toBe("ok");
  const ticks = workers.newLogs().filter((line) => line.includes('"event":"tick"'));
  expect(ticks).toHaveLength(1);
  return JSON.parse(ticks[0] ?? "");
}

describe("the scheduled Worker", () => {
  it("[MNT-7] runs the pass where it is due, and wakes no other workspace", async () => {
    const [due, later, never] = [freshWorkspace(), freshWorkspace(), freshWorkspace()];
    const now = Date.now();
    const { id } = await (
      await memoryOf(due)
    ).capture("Stale.", {
      volatility: "volatile",
      occurredAt: now - 15 * DAY,
    });
    await (await memoryOf(later)).capture("Fresh.", { volatility: "volatile", occurredAt: now });
    await (await memoryOf(never)).capture("Durable.", { volatility: "durable" });

    await expect.poll(() => dueAtOf(due), PATIENT).toBe(now - DAY);
    await expect.poll(() => dueAtOf(later), PATIENT).toBe(now + 14 * DAY);

    expect(await tick(new Date(now))).toMatchObject({
      tick: now,
      due: 1,
      visited: 1,
      flagged: 1,
      failed: 0,
      leftOver: 0,
    });
    expect(await (await memoryOf(due)).getEntry(id)).toMatchObject({
      stale: true,
      staleSince: now - DAY,
    });
    const runs = async (workspace: string) => (await (await memoryOf(workspace)).getStats()).runs;
    expect(await runs(due)).toMatchObject([{ trigger: "system:scheduler", flagged: 1 }]);
    expect([...(await runs(later)), ...(await runs(never))]).toEqual([]);

    expect(await tick(new Date(now))).toMatchObject({ due: 0, visited: 0 });
  });

  it("[MNT-5] is refused everything else by its only binding", async () => {
    const { MAINTENANCE } = await workers.scheduler.getEnv();
    const others = METHODS.filter((method) => method !== "runStalenessPass");
    for (const method of [...others, "call", "note", "settle", "getByName", "env", "ctx"]) {
      const call = Promise.resolve().then(() => MAINTENANCE[method]("x"));
      await expect(call, method).rejects.toThrow(
        `The RPC receiver does not implement the method "${method}".`,
      );
    }
  });

  it("[MNT-5] cannot fetch through it either", async () => {
    const { MAINTENANCE } = await workers.scheduler.getEnv();
    await expect(
      Promise.resolve().then(() => MAINTENANCE.fetch("http://sphere/rpc")),
    ).rejects.toThrow();
  });

  it("[MNT-5] is bound to nothing else", async () => {
    const bindings = Object.entries(await workers.scheduler.getEnv());
    expect(bindings.filter(([, value]) => typeof value !== "string").map(([name]) => name)).toEqual(
      ["MAINTENANCE"],
    );
  });

  it("has no page", async () => {
    expect((await workers.scheduler.fetch("/")).status).toBe(404);
  });
});
