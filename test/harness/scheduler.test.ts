import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { METHODS } from "../../contracts/inputs.ts";
import { MAINTENANCE_METHODS, type TickRecord } from "../../contracts/maintenance.ts";
import { connect } from "../../src/client/index.ts";
import { freshWorkspace, startWorkers, tokenFor } from "./workers.ts";

const DAY = 86_400_000;
const SHARDS = 8;
/** For what happens behind an answer, on a machine that may be busy. */
const PATIENT = { timeout: 30_000 };

let workers: Awaited<ReturnType<typeof startWorkers>>;

beforeAll(async () => {
  workers = await startWorkers([
    {
      config: {
        name: "scheduler-by-http",
        main: "src/scheduler/worker.ts",
        compatibility_date: "2026-10-01",
        vars: { MAINTENANCE_VIA: "fetch" },
        services: [{ binding: "MAINTENANCE", service: "mini-sphere", entrypoint: "Maintenance" }],
      },
    },
  ]);
});

afterAll(() => workers.close());

async function memoryOf(workspace: string) {
  return connect({ url: workers.url, token: await tokenFor(workspace), transport: "batch" });
}

async function shard(index: number) {
  const { DIRECTORY } = await workers.sphere.getEnv();
  return DIRECTORY.getByName(index === 0 ? "directory" : `directory-${index}`);
}

/** When the directory thinks that the workspace is due. It is told behind the answer of a write. */
async function dueAtOf(workspace: string): Promise<number | undefined> {
  for (let index = 0; index < SHARDS; index++) {
    const known = await (await shard(index)).find(workspace);
    if (known !== null) return known.dueAt;
  }
  return undefined;
}

/** Runs one tick at the given clock, and gives back its line in the log. */
async function tick(scheduledTime: Date, scheduler = workers.scheduler): Promise<TickRecord> {
  workers.newLogs();
  const { outcome } = await scheduler.scheduled({ cron: "*/15 * * * *", scheduledTime });
  expect(outcome).toBe("ok");
  const ticks = workers.newLogs().filter((line) => line.includes('"event":"tick"'));
  expect(ticks).toHaveLength(1);
  return JSON.parse(ticks[0] ?? "");
}

async function staleEntry(workspace: string, now: number): Promise<string> {
  const { id } = await (
    await memoryOf(workspace)
  ).capture("Stale.", { volatility: "volatile", occurredAt: now - 15 * DAY });
  await expect.poll(() => dueAtOf(workspace), PATIENT).toBe(now - DAY);
  return id;
}

const runsOf = async (workspace: string) => (await (await memoryOf(workspace)).getStats()).runs;

describe("the scheduled Worker", () => {
  it("[MNT-7] runs the pass where it is due, and wakes no other workspace", async () => {
    const [due, later, never] = [freshWorkspace(), freshWorkspace(), freshWorkspace()];
    const now = Date.now();
    const id = await staleEntry(due, now);
    await (await memoryOf(later)).capture("Fresh.", { volatility: "volatile", occurredAt: now });
    await (await memoryOf(never)).capture("Durable.", { volatility: "durable" });
    await expect.poll(() => dueAtOf(later), PATIENT).toBe(now + 14 * DAY);

    const record = await tick(new Date(now));
    expect(record).toMatchObject({ tick: now, visited: 1, flagged: 1, failed: 0, leftOver: 0 });
    const entry = await (await memoryOf(due)).getEntry(id);
    expect(entry).toMatchObject({ stale: true, staleSince: now - DAY });
    expect(await runsOf(due)).toMatchObject([{ trigger: "system:scheduler", flagged: 1 }]);
    expect([...(await runsOf(later)), ...(await runsOf(never))]).toEqual([]);
    expect(await tick(new Date(now))).toMatchObject({ visited: 0 });
  });

  it("[MNT-12] records the tick in the directory as in its log", async () => {
    const record = await tick(new Date(Date.now() + 1));
    const [newest] = await (await shard(0)).ticks(1);
    expect({ ...newest }).toEqual(record);
  });

  it("[MNT-7] does the same by HTTP, should RPC fail", async () => {
    const workspace = freshWorkspace();
    const now = Date.now();
    await staleEntry(workspace, now);
    const record = await tick(new Date(now), workers.other("scheduler-by-http"));
    expect(record).toMatchObject({ visited: 1, flagged: 1, failed: 0, failedCalls: 0 });
    expect(await runsOf(workspace)).toHaveLength(1);
  });

  const ofTheObject = ["call", "dueNews", "acknowledgeDue"];
  const ofTheDirectory = ["note", "claim", "settle", "find", "failing", "ticks"];
  const ofTheirBindings = ["get", "getByName", "idFromName", "env", "ctx"];
  const refused = [...METHODS, ...ofTheObject, ...ofTheDirectory, ...ofTheirBindings].filter(
    (method) => !(MAINTENANCE_METHODS as readonly string[]).includes(method),
  );

  it.each(refused)("[MNT-5] is refused %s by its only binding", async (method) => {
    const { MAINTENANCE } = await workers.scheduler.getEnv();
    await expect(Promise.resolve().then(() => MAINTENANCE[method]("x"))).rejects.toThrow(
      `The RPC receiver does not implement the method "${method}".`,
    );
    const post = await MAINTENANCE.fetch(`http://x/${method}`, { method: "POST", body: '["x"]' });
    expect(post.status).toBe(404);
  });

  it("[MNT-5] opens no session through it", async () => {
    const { MAINTENANCE } = await workers.scheduler.getEnv();
    const body = JSON.stringify(["push", ["pipeline", 0, ["authenticate"], ["x"]]]);
    const answer = await MAINTENANCE.fetch("http://sphere/rpc", { method: "POST", body });
    expect([answer.status, await answer.text()]).toEqual([404, ""]);
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
