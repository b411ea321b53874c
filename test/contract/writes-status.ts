import { describe, expect, it } from "vitest";
import type { MiniSphereApi, Status } from "../../contracts/index.ts";
import { LIMITS, STATUSES } from "../../contracts/index.ts";
import type { Open } from "./suite.ts";
import { entries, refusals, stateOf } from "./writes-support.ts";

export function registerStatusTests(open: Open): void {
  describe("setStatus", () => {
    it("[STA-1][INP-7] changes the status, counts a revision, and history shows the reason", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("tree");
      const reason = "checked by hand";
      expect(await owner.setStatus(id, "canonical", { reason })).toEqual({ id, revision: 2 });
      expect(await owner.setStatus(id, "deprecated")).toEqual({ id, revision: 3 });
      expect(await owner.setStatus(id, "draft")).toEqual({ id, revision: 4 });
      expect((await owner.getEntry(id)).status).toBe("draft");
      expect((await owner.history(id)).revisions).toMatchObject([
        { changes: { status: ["deprecated", "draft"] }, reason: null, content: null },
        { changes: { status: ["canonical", "deprecated"] }, reason: null },
        { changes: { status: ["draft", "canonical"] }, reason },
      ]);
    });

    it("[STA-2] canonical again affirms: fresh, and the entry unchanged", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("tree", {
        status: "canonical",
        volatility: "volatile",
        occurredAt: 1,
      });
      const before = await owner.getEntry(id);
      expect(before.stale).toBe(true);
      await owner.runStalenessPass();
      expect(await owner.setStatus(id, "canonical", { ifRevision: 1 })).toEqual({
        id,
        revision: 1,
      });
      expect(await owner.getEntry(id)).toEqual({ ...before, stale: false, staleSince: null });
      expect((await owner.history(id)).revisions).toEqual([]);
    });

    it.each(["draft", "deprecated"] as const)("[STA-2] %s again is a no-op", async (status) => {
      const { owner } = await open();
      const { id } = await owner.capture("tree", { status, volatility: "volatile", occurredAt: 1 });
      const before = await stateOf(owner, id);
      expect(await owner.setStatus(id, status, { reason: "again" })).toEqual({ id, revision: 1 });
      expect(await stateOf(owner, id)).toEqual(before);
    });
  });

  describe("an expired entry", () => {
    it("[STA-3] reads as deprecated everywhere, before and after a pass", async () => {
      const { owner } = await open();
      const [other = ""] = await entries(owner, 1);
      const { id } = await owner.capture("heron", {
        kind: "instruction",
        status: "canonical",
        expiresAt: 1,
        links: [{ type: "relates_to", dst: other }],
      });
      const before = await statusesOf(owner, id, other);
      expect(before).toEqual({
        entry: "deprecated",
        listed: "deprecated",
        neighbour: "deprecated",
        node: "deprecated",
        hits: [],
        inactiveHits: ["deprecated"],
        byStatus: { canonical: 0, draft: 1, deprecated: 1 },
        briefCounts: { canonical: 0, draft: 1, deprecated: 1 },
        instructions: [],
      });
      expect(await owner.runStalenessPass()).toMatchObject({ expired: 1 });
      expect(await statusesOf(owner, id, other)).toEqual(before);
    });

    it("[STA-3] is one from its expiresAt on, and not before", async () => {
      const { owner } = await open();
      const { at } = await owner.getBrief();
      const now = await owner.capture("now", { expiresAt: at });
      const later = await owner.capture("later", {
        expiresAt: at + 86_400_000,
        status: "canonical",
      });
      expect((await owner.getEntry(now.id)).status).toBe("deprecated");
      expect((await owner.getEntry(later.id)).status).toBe("canonical");
    });

    /** Each stored status, with and without a pass between expiry and the call. */
    const cases = STATUSES.flatMap((stored) =>
      [false, true].map((pass) => [stored, pass] as const),
    );

    it.each(cases)(
      "[STA-4] captured as %s (pass run: %s) cannot be made draft or canonical",
      async (stored, pass) => {
        const { owner } = await open();
        const { id } = await owner.capture("tree", { status: stored, expiresAt: 1 });
        if (pass) await owner.runStalenessPass();
        const before = await stateOf(owner, id);
        for (const status of ["draft", "canonical"] as const) {
          const calls = [owner.setStatus(id, status), owner.update(id, null, { status })];
          for (const error of await refusals(calls)) {
            expect(error).toMatchObject({
              code: "conflict",
              details: { id, expiresAt: 1 },
            });
          }
        }
        expect(await stateOf(owner, id)).toEqual(before);
      },
    );

    it.each([null, LIMITS.timeMs])("[STA-4] can be once expiresAt is %s", async (expiresAt) => {
      const { owner } = await open();
      const made = async (content: string, revive: (id: string) => Promise<unknown>) => {
        const { id } = await owner.capture(content, { status: "draft", expiresAt: 1 });
        await owner.runStalenessPass();
        await revive(id);
        return (await owner.getEntry(id)).status;
      };
      const inTwoSteps = async (id: string) => {
        await owner.update(id, null, { expiresAt });
        await owner.setStatus(id, "canonical");
      };
      expect(await made("in two steps", inTwoSteps)).toBe("canonical");
      const inOne = (id: string) => owner.update(id, null, { expiresAt, status: "draft" });
      expect(await made("in one", inOne)).toBe("draft");
    });

    it("[STA-4] may be deprecated, appended to and changed otherwise", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("tree", { expiresAt: 1 });
      await owner.append(id, "fallen", { tags: ["wood"] });
      await owner.update(id, null, { importance: 1 });
      await owner.setStatus(id, "deprecated");
      expect(await owner.getEntry(id)).toMatchObject({ status: "deprecated", tags: ["wood"] });
    });
  });
}

/** What every read says of the status of one entry, which is linked to another. */
async function statusesOf(owner: MiniSphereApi, id: string, other: string) {
  const statusIn = (list: readonly { id: string; status: Status }[]) =>
    list.find((each) => each.id === id)?.status;
  const { hits } = await owner.recall("heron", { observe: true, hops: 0 });
  const inactive = await owner.recall("heron", { observe: true, hops: 0, status: "deprecated" });
  const brief = await owner.getBrief();
  return {
    entry: (await owner.getEntry(id)).status,
    listed: statusIn((await owner.listRecent()).entries),
    neighbour: statusIn((await owner.connections(other)).entries),
    node: statusIn((await owner.graphView({ seedIds: [id] })).nodes),
    hits,
    inactiveHits: inactive.hits.map((hit) => hit.status),
    byStatus: (await owner.getStats()).byStatus,
    briefCounts: brief.counts.byStatus,
    instructions: brief.instructions,
  };
}
