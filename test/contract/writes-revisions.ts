import { describe, expect, it } from "vitest";
import { LIMITS } from "../../contracts/index.ts";
import { refusal } from "./suite.ts";
import type { Open } from "./suite.ts";
import { callAny, clockPast, entries, stateOf } from "./writes-support.ts";

export function registerRevisionTests(open: Open): void {
  describe("revisions", () => {
    it.each(["append", "update", "setStatus"] as const)(
      "[UPD-3] %s with another ifRevision is conflict with the current one, and changes nothing",
      async (method) => {
        const { owner } = await open();
        const { id } = await owner.capture("tree");
        await owner.append(id, "grown");
        const change = (ifRevision: number) => {
          const options = { ifRevision };
          const value = method === "setStatus" ? "canonical" : "other";
          return callAny(owner, method, [id, value, options]);
        };
        const before = await stateOf(owner, id);
        for (const stale of [1, 3, 1e9]) {
          expect(await refusal(change(stale))).toMatchObject({
            code: "conflict",
            details: { revision: 2 },
          });
        }
        expect(await stateOf(owner, id)).toEqual(before);
        expect(await change(2)).toEqual({ id, revision: 3 });
      },
    );

    it("[UPD-3] forget with another ifRevision is conflict and erases nothing", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("tree");
      await owner.append(id, "grown");
      const before = await stateOf(owner, id);
      expect(await refusal(owner.forget(id, { ifRevision: 1 }))).toMatchObject({
        code: "conflict",
        details: { id, revision: 2 },
      });
      expect(await stateOf(owner, id)).toEqual(before);
      expect(await owner.forget(id, { ifRevision: 2 })).toMatchObject({ id });
      expect(await owner.getCount()).toBe(0);
    });

    it("[UPD-5] go up by one with each change of the entry itself", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("tree");
      const changes = [
        () => owner.update(id, "shrub"),
        () => owner.append(id, "grown", { tags: ["a"], importance: 2 }),
        () => owner.update(id, null, { tags: ["b"] }),
        () => owner.update(id, null, { source: "book", evidenceRef: "page 1" }),
        () => owner.update(id, null, { claimTag: "VERIFIED" }),
        () => owner.setStatus(id, "canonical"),
        () => owner.update(id, null, { status: "deprecated" }),
        () => owner.update(id, null, { expiresAt: LIMITS.timeMs, status: "draft" }),
      ];
      for (const [done, change] of changes.entries()) {
        expect(await change()).toEqual({ id, revision: done + 2 });
      }
      const { revisions } = await owner.history(id);
      expect(revisions.map((each) => each.revision)).toEqual([9, 8, 7, 6, 5, 4, 3, 2]);
    });

    it("[UPD-5] stay with edges, recalls and calls that change nothing", async () => {
      const { owner } = await open();
      const [other = ""] = await entries(owner, 1);
      const { id } = await owner.capture("tree", { tags: ["a"], source: "book", importance: 2 });
      const { updatedAt } = await owner.getEntry(id);
      await clockPast(owner, updatedAt);
      await owner.link(id, other, "follows");
      await owner.link(other, id, "relates_to");
      await owner.unlink(id, other, "follows");
      await owner.recall("tree");
      const unchanged = [
        await owner.update(id, "tree"),
        await owner.update(id, null),
        await owner.update(id, null, {}),
        await owner.update(id, "tree", { tags: ["A "], source: "book", importance: 2 }),
        await owner.update(id, null, { expiresAt: null, evidenceRef: null, status: "draft" }),
        await owner.setStatus(id, "draft"),
      ];
      expect(unchanged).toEqual(unchanged.map(() => ({ id, revision: 1 })));
      expect(await owner.getEntry(id)).toMatchObject({ revision: 1, updatedAt, recallCount: 1 });
      expect((await owner.history(id)).revisions).toEqual([]);
    });

    it("[UPD-6] updatedAt moves with append and update, of text or options", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("tree", { occurredAt: 5 });
      const { createdAt } = await owner.getEntry(id);
      const changes = [
        () => owner.append(id, "grown"),
        () => owner.update(id, "shrub"),
        () => owner.update(id, null, { importance: 3 }),
        () => owner.update(id, null, { tags: ["a"] }),
      ];
      for (const change of changes) {
        const { updatedAt } = await owner.getEntry(id);
        const now = await clockPast(owner, updatedAt);
        await change();
        const after = await owner.getEntry(id);
        expect(after.updatedAt).toBeGreaterThanOrEqual(now);
        expect(after).toMatchObject({ createdAt, occurredAt: 5 });
      }
    });

    it("[UPD-6] updatedAt, createdAt and occurredAt stay with setStatus, link, unlink and recall", async () => {
      const { owner } = await open();
      const [other = ""] = await entries(owner, 1);
      const { id } = await owner.capture("tree");
      const { updatedAt, createdAt, occurredAt } = await owner.getEntry(id);
      await clockPast(owner, updatedAt);
      await owner.setStatus(id, "canonical", { reason: "checked" });
      await owner.setStatus(id, "canonical");
      await owner.setStatus(id, "deprecated");
      await owner.link(id, other, "follows");
      await owner.unlink(id, other, "follows");
      await owner.recall("tree", { includeInactive: true });
      expect(await owner.getEntry(id)).toMatchObject({ updatedAt, createdAt, occurredAt });
    });
  });
}
