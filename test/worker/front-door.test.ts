import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { capabilityFor } from "../../src/access/roles.ts";
import { type DueNotes, frontDoor, ToldDueTimes } from "../../src/worker/front-door.ts";
import { freshWorkspace } from "./wire.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 1);

/** Writes down what it is told; fails as often as it is asked to. */
function recorder(failures = 0): DueNotes & { notes: [string, number][] } {
  const notes: [string, number][] = [];
  let left = failures;
  return {
    notes,
    async note(workspace, dueAt) {
      if (left-- > 0) throw new Error("The directory is away.");
      notes.push([workspace, dueAt]);
    },
  };
}

describe("[MNT-6] the front door tells the directory", () => {
  async function told(...times: [dueAt: number, now: number][]) {
    const [told, directory] = [new ToldDueTimes(), recorder()];
    for (const [dueAt, now] of times) await told.tell(directory, "lab", dueAt, now);
    return directory.notes.map(([, dueAt]) => dueAt);
  }

  it("the first time, and then only what is earlier", async () => {
    expect(await told([300, 0], [300, 1], [400, 2], [200, 3], [250, 4])).toEqual([300, 200]);
  });

  it("any time once the last one has passed, because a pass may have come since", async () => {
    expect(await told([300, 0], [400, 299], [400, 300], [500, 301], [500, 400])).toEqual([
      300, 400, 500,
    ]);
  });

  it("of each workspace for itself", async () => {
    const [told, directory] = [new ToldDueTimes(), recorder()];
    await told.tell(directory, "a", 300, 0);
    await told.tell(directory, "b", 400, 0);
    expect(directory.notes).toEqual([
      ["a", 300],
      ["b", 400],
    ]);
  });

  it("again at the next write when it could not be told", async () => {
    const [told, directory] = [new ToldDueTimes(), recorder(1)];
    await expect(told.tell(directory, "lab", 300, 0)).rejects.toThrow("away");
    await told.tell(directory, "lab", 300, 1);
    expect(directory.notes).toEqual([["lab", 300]]);
  });

  it("again when it has forgotten, which it does before its memory grows without end", async () => {
    const [told, directory] = [new ToldDueTimes(), recorder()];
    for (let n = 0; n <= 10_000; n++) await told.tell(directory, `w${n}`, 300, 0);
    await told.tell(directory, "w1", 300, 0);
    await told.tell(directory, "w0", 300, 0);
    expect(directory.notes).toHaveLength(10_002);
    expect(directory.notes.at(-1)).toEqual(["w0", 300]);
  });
});

describe("a write through the front door", () => {
  /** The workspace's owner behind the front door, over the real object and the real directory. */
  function opened(workspace: string, bindings = env) {
    const ctx = createExecutionContext();
    const target = frontDoor(workspace, {
      env: bindings,
      ctx,
      told: new ToldDueTimes(),
      now: () => NOW,
    });
    return { ctx, owner: capabilityFor("owner", { target, actor: "agent:7" }) };
  }

  async function dueAtOf(workspace: string): Promise<number | undefined> {
    const due = await env.DIRECTORY.getByName("directory").listDue(NOW + 1_000 * DAY, 1_000);
    return due.find((each) => each.workspace === workspace)?.dueAt;
  }

  it("[MNT-6] makes the directory know when the workspace is due", async () => {
    const workspace = freshWorkspace();
    const { ctx, owner } = opened(workspace);
    await owner.capture("Goes stale.", { volatility: "volatile", occurredAt: NOW });
    await waitOnExecutionContext(ctx);
    expect(await dueAtOf(workspace)).toBe(NOW + 14 * DAY);
  });

  it("[MNT-7] tells nothing of a workspace in which nothing is ever due", async () => {
    const workspace = freshWorkspace();
    const { ctx, owner } = opened(workspace);
    await owner.capture("Stays.", { volatility: "durable" });
    await waitOnExecutionContext(ctx);
    expect(await dueAtOf(workspace)).toBeUndefined();
  });

  it("succeeds when the directory fails, and the failure is logged", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => log.mockRestore());
    const DIRECTORY = { getByName: () => recorder(1) };
    const { ctx, owner } = opened(freshWorkspace(), { ...env, DIRECTORY } as never);
    await owner.capture("Goes stale.");
    await waitOnExecutionContext(ctx);
    expect(await owner.getCount()).toBe(1);
    expect(JSON.parse(String(log.mock.lastCall?.[0]))).toMatchObject({
      event: "directory_not_told",
      error: "Error: The directory is away.",
    });
  });
});
