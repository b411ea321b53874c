import { describe, expect, it } from "vitest";
import type { Arguments, MiniSphereApi } from "../../contracts/index.ts";
import { LIMITS } from "../../contracts/index.ts";
import { refusal } from "./suite.ts";
import type { Open } from "./suite.ts";
import { refusals, stateOf } from "./writes-support.ts";

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
}
