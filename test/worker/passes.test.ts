import { describe, expect, it } from "vitest";
import type { GrantedCalls } from "../../contracts/api.ts";
import type { Claim } from "../../contracts/maintenance.ts";
import type { Settlement } from "../../src/storage/directory.ts";
import { type PassDeps, runPasses } from "../../src/worker/passes.ts";

const claims = (count: number): Claim[] =>
  Array.from({ length: count }, (_, n) => ({ workspace: `w${n}`, dueAt: n, shard: 0, claim: "c" }));

const OPTIONS = { limit: 10, timeMs: 1_000 };
const RUN = { flagged: 1, expired: 0, remaining: 0, nextDueAt: null };

/** What the passes do to a directory that is written down, over workspaces that answer as `answer` says. */
function recorded(
  answer: (workspace: string) => Promise<object> | object,
  more: Partial<PassDeps> = {},
) {
  const settled: Settlement[] = [];
  const failures: [string | null, unknown][] = [];
  const deps: PassDeps = {
    sphere: (workspace) => {
      const call = async () => ({ ok: true, value: { ...RUN, ...(await answer(workspace)) } });
      return { call } as unknown as GrantedCalls;
    },
    home: () => 0,
    note: async () => {},
    settle: async (_, settlements) => void settled.push(...settlements),
    failed: (workspace, error) => {
      failures.push([workspace, error]);
      return "unavailable";
    },
    clock: () => 0,
    timeout: () => ({ expired: new Promise<never>(() => {}), cancel: () => {} }),
    ...more,
  };
  return { deps, settled, failures };
}

describe("the passes of a claim", () => {
  it("[MNT-10] are never more than six at a time", async () => {
    let running = 0;
    let most = 0;
    const { deps } = recorded(async () => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running -= 1;
      return {};
    });
    expect(await runPasses(deps, claims(40), OPTIONS)).toMatchObject({ visited: 40 });
    expect(most).toBe(6);
  });

  it("[MNT-11] do not wait for a workspace that never answers", async () => {
    const late = new Error("No answer within 30000 ms.");
    const { promise: expired, reject } = Promise.withResolvers<never>();
    const { deps, settled, failures } = recorded(
      (workspace) => (workspace === "w3" ? new Promise<never>(() => {}) : {}),
      { timeout: () => ({ expired, cancel: () => {} }) },
    );
    const passes = runPasses(deps, claims(10), OPTIONS);
    // The others need some turns, and no time.
    for (let turn = 0; turn < 100; turn++) await Promise.resolve();
    reject(late);
    expect(await passes).toMatchObject({ visited: 9, failed: 1 });
    expect(failures).toEqual([["w3", late]]);
    expect(settled[3]).toEqual({ workspace: "w3", claim: "c", error: "unavailable" });
  });

  it("count a workspace whose pass stopped at its limit as left over", async () => {
    const { deps, settled } = recorded(() => ({ remaining: 5, nextDueAt: 1 }));
    expect(await runPasses(deps, claims(2), OPTIONS)).toMatchObject({ visited: 2, leftOver: 2 });
    expect(settled[0]).toEqual({ workspace: "w0", claim: "c", nextDueAt: 1, progressed: true });
  });

  it("[MNT-9] leave to its lease what a shard does not let them settle", async () => {
    const away = new Error("The shard is away.");
    const { deps, failures } = recorded(() => ({}), { settle: () => Promise.reject(away) });
    expect(await runPasses(deps, claims(2), OPTIONS)).toMatchObject({ visited: 2 });
    expect(failures).toEqual([[null, away]]);
  });

  it("[MNT-8] note a workspace at home before they take it away from where it was", async () => {
    const order: string[] = [];
    const { deps } = recorded(() => ({ nextDueAt: 9 }), {
      home: () => 5,
      note: async (shard, workspace, dueAt) => void order.push(`${shard} ${workspace} ${dueAt}`),
      settle: async (shard, [settlement]) =>
        void order.push(`${shard} ${JSON.stringify(settlement)}`),
    });
    await runPasses(deps, claims(1), OPTIONS);
    const gone = { workspace: "w0", claim: "c", nextDueAt: null, progressed: true };
    expect(order).toEqual(["5 w0 9", `0 ${JSON.stringify(gone)}`]);
  });
});
