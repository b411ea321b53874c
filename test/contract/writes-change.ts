import { describe, expect, it } from "vitest";
import type { Arguments, MiniSphereApi } from "../../contracts/index.ts";
import { LIMITS } from "../../contracts/index.ts";
import { refusal } from "./suite.ts";
import type { Open, Refusal } from "./suite.ts";
import { callAny, clockPast, entries, refusals, stateOf } from "./writes-support.ts";

type Options = NonNullable<Arguments<"update">[2]>;

/** Something other than the default for every option of append and update. */
const OTHER = {
  tags: ["elm"],
  source: "a book",
  volatility: "durable",
  kind: "semantic",
  status: "canonical",
  importance: 5,
  claimTag: "VERIFIED",
  evidenceRef: "page 9",
  expiresAt: LIMITS.timeMs,
} as const satisfies Options;

const WAYS = {
  append: (api: MiniSphereApi, id: string, options: Options) => api.append(id, "more", options),
  update: (api: MiniSphereApi, id: string, options: Options) => api.update(id, "other", options),
  "update without text": (api: MiniSphereApi, id: string, options: Options) =>
    api.update(id, null, options),
};

export function registerAppendTests(open: Open): void {
  describe("append", () => {
    it("[APP-1] joins with one blank line, is found at once and adds its tags", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("A heron.\n", { tags: ["bird"] });
      expect(await owner.append(id, "  A kingfisher.", { tags: ["blue"] })).toEqual({
        id,
        revision: 2,
      });
      expect(await owner.getEntry(id)).toMatchObject({
        content: "A heron.\n\n\n  A kingfisher.",
        tags: ["bird", "blue"],
        revision: 2,
      });
      for (const word of ["heron", "kingfisher", "blue"]) {
        expect((await owner.recall(word)).hits.map((hit) => hit.id)).toEqual([id]);
      }
      expect((await owner.history(id)).revisions[0]).toMatchObject({ content: "A heron.\n" });
    });

    it("[APP-2][LIM-2] up to 500,000 bytes is accepted; past them is limit_exceeded and changes nothing", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("x".repeat(LIMITS.contentBytes - 10));
      const before = await stateOf(owner, id);
      // Three bytes a character: the limit counts bytes.
      const call = owner.append(id, "漢漢漢", { tags: ["new"] });
      expect(await refusal(call)).toMatchObject({ code: "limit_exceeded", details: { id } });
      expect(await stateOf(owner, id)).toEqual(before);
      expect(await owner.append(id, "漢漢xx")).toEqual({ id, revision: 2 });
      expect((await owner.getEntry(id)).content).toHaveLength(LIMITS.contentBytes - 10 + 2 + 4);
      expect(await refusal(owner.append(id, "x"))).toMatchObject({ code: "limit_exceeded" });
    });
  });
}

export function registerUpdateTests(open: Open): void {
  describe("update", () => {
    it("[UPD-1] replaces the text, in the index and in the entry; history has the old one", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("A heron waits.");
      expect(await owner.update(id, "A kingfisher dives.")).toEqual({ id, revision: 2 });
      expect((await owner.getEntry(id)).content).toBe("A kingfisher dives.");
      expect((await owner.recall("kingfisher")).hits.map((hit) => hit.id)).toEqual([id]);
      expect((await owner.recall("heron")).hits).toEqual([]);
      expect((await owner.history(id)).revisions).toMatchObject([
        { revision: 2, content: "A heron waits.", truncated: false },
      ]);
    });

    it("[UPD-2] with null changes only what is given", async () => {
      const { owner } = await open();
      for (const [name, value] of Object.entries(OTHER)) {
        const { id } = await owner.capture(`about ${name}`, { tags: ["ash"], evidenceRef: "x" });
        const before = await owner.getEntry(id);
        await owner.update(id, null, { [name]: value });
        const { updatedAt: _, ...after } = await owner.getEntry(id);
        expect(after).toMatchObject({ [name]: value, content: before.content, revision: 2 });
        const { [name as keyof typeof before]: __, updatedAt: ___, ...rest } = before;
        expect(after).toMatchObject({ ...rest, revision: 2 });
      }
    });

    it("[UPD-2] tags replaces the set, and an empty list clears it", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("tree", { tags: ["ash", "beech"] });
      await owner.update(id, null, { tags: ["cedar", "ash"] });
      expect((await owner.getEntry(id)).tags).toEqual(["ash", "cedar"]);
      expect((await owner.recall("beech")).hits).toEqual([]);
      await owner.update(id, null, { tags: [] });
      expect((await owner.getEntry(id)).tags).toEqual([]);
      expect(await owner.getTags()).toEqual([]);
    });

    it.each(["source", "evidenceRef", "expiresAt"] as const)(
      "[UPD-2] null clears %s, in append too",
      async (name) => {
        const { owner } = await open();
        for (const change of Object.values(WAYS)) {
          const { id } = await owner.capture("tree", { [name]: OTHER[name] });
          await change(owner, id, { [name]: null });
          expect((await owner.getEntry(id))[name]).toBeNull();
          await owner.forget(id);
        }
      },
    );

    it.each(Object.entries(WAYS))("[INP-7] every option of %s can be read", async (_, change) => {
      const { owner } = await open();
      const { id } = await owner.capture("tree");
      await change(owner, id, OTHER);
      expect(await owner.getEntry(id)).toMatchObject(OTHER);
      const { changes = {} } = (await owner.history(id)).revisions[0] ?? {};
      const after = Object.entries(changes).map(([name, [, value]]) => [name, value]);
      expect(Object.fromEntries(after)).toEqual(OTHER);
    });

    it("[UPD-4] text equal to another entry's bytes is conflict, in append too", async () => {
      const { owner } = await open();
      const { id: taken } = await owner.capture("one\n\ntwo");
      const { id } = await owner.capture("one");
      const before = await stateOf(owner, id);
      const calls = [owner.append(id, "two", { tags: ["x"] }), owner.update(id, "one\n\ntwo")];
      for (const error of await refusals(calls)) {
        expect(error).toMatchObject({ code: "conflict", details: { id: taken } });
      }
      expect(await stateOf(owner, id)).toEqual(before);
      expect(await owner.update(id, "one\n\ntwo ")).toMatchObject({ revision: 2 });
    });
  });

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

  describe("evidence", () => {
    const verified = { claimTag: "VERIFIED", evidenceRef: "page 1" } as const;

    it("[UPD-7] changed text of a VERIFIED entry is INFERRED without new evidence", async () => {
      const { owner } = await open();
      const [a, b, c] = await Promise.all(
        ["a", "b", "c"].map(async (name) => (await owner.capture(name, verified)).id),
      );
      await owner.append(a ?? "", "more");
      await owner.update(b ?? "", "other text");
      await owner.update(c ?? "", "proved text", { evidenceRef: "page 2" });
      expect(await owner.getEntry(a ?? "")).toMatchObject({
        claimTag: "INFERRED",
        evidenceRef: "page 1",
      });
      expect(await owner.getEntry(b ?? "")).toMatchObject({ claimTag: "INFERRED" });
      expect(await owner.getEntry(c ?? "")).toMatchObject({
        claimTag: "VERIFIED",
        evidenceRef: "page 2",
      });
      expect((await owner.history(a ?? "")).revisions[0]?.changes).toEqual({
        claimTag: ["VERIFIED", "INFERRED"],
      });
    });

    it("[UPD-7] other changes, and the same text again, leave it VERIFIED", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("tree", verified);
      await owner.update(id, "tree");
      await owner.update(id, null, { tags: ["a"], importance: 1 });
      await owner.setStatus(id, "canonical");
      expect(await owner.getEntry(id)).toMatchObject(verified);
    });

    it("[UPD-8] VERIFIED needs evidence: the entry's own only while its text stays", async () => {
      const { owner } = await open();
      const bare = (await owner.capture("bare")).id;
      const proved = (await owner.capture("proved", { evidenceRef: "page 1" })).id;
      const refused = [
        owner.update(bare, null, { claimTag: "VERIFIED" }),
        owner.append(bare, "more", { claimTag: "VERIFIED" }),
        owner.update(proved, "new text", { claimTag: "VERIFIED" }),
        owner.append(proved, "new text", { claimTag: "VERIFIED" }),
        owner.update(proved, null, { claimTag: "VERIFIED", evidenceRef: null }),
      ];
      for (const error of await refusals(refused)) expectNoEvidence(error);
      expect(await owner.getEntry(bare)).toMatchObject({ revision: 1, claimTag: "UNKNOWN" });
      await owner.update(proved, null, { claimTag: "VERIFIED" });
      expect(await owner.getEntry(proved)).toMatchObject(verified);
      await owner.append(bare, "more", verified);
      expect(await owner.getEntry(bare)).toMatchObject(verified);
    });

    it("[UPD-8] the evidence of a VERIFIED entry is cleared only with another claim tag", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("tree", verified);
      expectNoEvidence(await refusal(owner.update(id, null, { evidenceRef: null })));
      expect(await owner.getEntry(id)).toMatchObject({ ...verified, revision: 1 });
      await owner.update(id, null, { evidenceRef: null, claimTag: "UNKNOWN" });
      expect(await owner.getEntry(id)).toMatchObject({ claimTag: "UNKNOWN", evidenceRef: null });
    });
  });
}

function expectNoEvidence(error: Refusal): void {
  expect(error).toMatchObject({
    code: "invalid_input",
    details: { path: "options.evidenceRef" },
  });
}
