import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { capabilityFor } from "../../src/access/roles.ts";
import { Maintenance, registerDue } from "../../src/host.ts";
import { homeShard, shardAt } from "../../src/worker/directory.ts";
import { frontDoor, NewsOnItsWay } from "../../src/worker/front-door.ts";
import { workspaceHash } from "../../src/worker/log.ts";
import { freshWorkspace } from "./wire.ts";

const DAY = 86_400_000;
/** Of the objects, which have the platform's clock. */
const NOW = Date.now();
const VOLATILE = { volatility: "volatile" } as const;

const dueAtOf = async (workspace: string) =>
  (await shardAt(env, homeShard(env, workspace)).find(workspace))?.dueAt;

/** The real directory, with its messages written down; `away` makes it fail. */
function watchedDirectory() {
  const notes: [string, number][] = [];
  const state = { away: false };
  const getByName = (name: string) => ({
    async note(workspace: string, dueAt: number) {
      notes.push([workspace, dueAt]);
      if (state.away) throw new Error("The directory is away.");
      await env.DIRECTORY.getByName(name).note(workspace, dueAt);
    },
  });
  return { notes, state, bindings: { ...env, DIRECTORY: { getByName } as never } };
}

/** The workspace's owner behind the front door of one isolate. */
function opened(workspace: string, bindings = env) {
  const onItsWay = new NewsOnItsWay();
  /** One request: the call, and what happens behind its answer. */
  const request = async <T>(call: (owner: ReturnType<typeof capabilityFor<"owner">>) => T) => {
    const ctx = createExecutionContext();
    const target = frontDoor(workspace, { env: bindings, ctx, onItsWay });
    const answer = await call(capabilityFor("owner", { target, actor: "agent:7" }));
    await waitOnExecutionContext(ctx);
    return answer;
  };
  const capture = (content: string, occurredAt = NOW) =>
    request((owner) => owner.capture(content, { ...VOLATILE, occurredAt }));
  return { request, capture };
}

describe("[MNT-6] a write through the front door", () => {
  it("makes the directory know when the workspace is due", async () => {
    const workspace = freshWorkspace();
    await opened(workspace).capture("Goes stale.");
    expect(await dueAtOf(workspace)).toBe(NOW + 14 * DAY);
  });

  it("tells it again only when the workspace is due earlier", async () => {
    const { notes, bindings } = watchedDirectory();
    const workspace = freshWorkspace();
    const { capture, request } = opened(workspace, bindings);
    await capture("First.");
    await capture("Later.", NOW + DAY);
    await request((owner) => owner.capture("Durable.", { volatility: "durable" }));
    const { id } = await capture("Earlier.", NOW - DAY);
    await request((owner) => owner.update(id, "Earlier, and changed now.", VOLATILE));
    await request((owner) => owner.forget(id));
    expect(notes).toEqual([
      [workspace, NOW + 14 * DAY],
      [workspace, NOW + 13 * DAY],
    ]);
  });

  it("tells it nothing in an isolate that knows nothing of what another has told", async () => {
    const { notes, bindings } = watchedDirectory();
    const workspace = freshWorkspace();
    await opened(workspace, bindings).capture("First.");
    await opened(workspace, bindings).capture("Second.");
    expect(notes).toHaveLength(1);
  });

  it("tells it once for a burst of equal news", async () => {
    const { notes, bindings } = watchedDirectory();
    const { request } = opened(freshWorkspace(), bindings);
    await request((owner) =>
      Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          owner.capture(`Burst ${n}.`, { ...VOLATILE, occurredAt: NOW }),
        ),
      ),
    );
    expect(notes).toHaveLength(1);
  });

  it("tells it nothing of a workspace in which nothing is ever due", async () => {
    const { notes, bindings } = watchedDirectory();
    const { request } = opened(freshWorkspace(), bindings);
    await request((owner) => owner.capture("Stays.", { volatility: "durable" }));
    expect(notes).toEqual([]);
  });

  it("tells it nothing by a read", async () => {
    const { notes, bindings } = watchedDirectory();
    const workspace = freshWorkspace();
    await env.SPHERES.getByName(workspace).capture("Untold.", VOLATILE);
    const { request } = opened(workspace, bindings);
    await request((owner) => owner.getStats());
    await request((owner) => owner.recall("untold"));
    expect(notes).toEqual([]);
  });

  it("succeeds when the directory fails, which is logged, and the next write tells again", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => log.mockRestore());
    const { notes, state, bindings } = watchedDirectory();
    const workspace = freshWorkspace();
    const { capture, request } = opened(workspace, bindings);
    state.away = true;
    await capture("Untold.");
    expect(await request((owner) => owner.getCount())).toBe(1);
    expect(log.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown)).toEqual([
      {
        event: "directory_not_told",
        workspace: workspaceHash(workspace),
        error: expect.stringMatching(/^Error\n +at /),
      },
    ]);
    state.away = false;
    await capture("Later.", NOW + DAY);
    expect(notes.map(([, dueAt]) => dueAt)).toEqual([NOW + 14 * DAY, NOW + 14 * DAY]);
    expect(await dueAtOf(workspace)).toBe(NOW + 14 * DAY);
  });
});

describe("[MNT-13] a host that writes natively", () => {
  it("makes the directory know by one call, which says whether there was news", async () => {
    const workspace = freshWorkspace();
    const sphere = env.SPHERES.getByName(workspace);
    await sphere.capture("Goes stale.", { ...VOLATILE, occurredAt: NOW });
    expect(await registerDue(env, workspace, sphere)).toBe(true);
    expect(await dueAtOf(workspace)).toBe(NOW + 14 * DAY);
    expect(await registerDue(env, workspace, sphere)).toBe(false);
  });

  it("may name its workspace as it likes", async () => {
    const workspace = `Host's own name / ${freshWorkspace()}`;
    const sphere = env.SPHERES.getByName(workspace);
    await sphere.capture("Goes stale.", { ...VOLATILE, occurredAt: NOW - 15 * DAY });
    await registerDue(env, workspace, sphere);
    const maintenance = new Maintenance(createExecutionContext(), env);
    const { claims } = await maintenance.claimDue({ now: NOW, limit: 500 });
    await maintenance.runStalenessPass(claims, { now: NOW, limit: 10, timeMs: 60_000 });
    expect((await sphere.getStats()).runs).toMatchObject([{ flagged: 1 }]);
  });

  it("tells nothing when nothing is due", async () => {
    const { notes, bindings } = watchedDirectory();
    const workspace = freshWorkspace();
    const sphere = env.SPHERES.getByName(workspace);
    await sphere.capture("Stays.", { volatility: "durable" });
    expect(await registerDue(bindings, workspace, sphere)).toBe(false);
    expect(notes).toEqual([]);
  });
});
