import { describe, expect, it } from "vitest";
import { refusal } from "./suite.ts";
import type { Open } from "./suite.ts";
import { entries, GIVEN, idsOf, stateOf, tags } from "./writes-support.ts";

export function registerDedupTests(open: Open): void {
  describe("capture of equal bytes", () => {
    it("[CAP-6] answers with the id of the entry that has them", async () => {
      const { owner } = await open();
      const first = await owner.capture("Equal, byte for byte.");
      const again = await owner.capture("Equal, byte for byte.");
      expect(again).toEqual({ id: first.id, created: false, warnings: [] });
      expect(await owner.getEntry(first.id)).toMatchObject({ revision: 1 });
      expect(await owner.getCount()).toBe(1);
    });

    it.each([
      ["trailing space", "word", "word "],
      ["case", "word", "Word"],
      ["line end", "a\nb", "a\r\nb"],
      ["NFC against NFD", "\u00e9t\u00e9", "e\u0301te\u0301"],
      ["byte order mark", "word", "\ufeffword"],
      ["zero-width space", "word", "word\u200b"],
    ])("[CAP-6] a difference of %s makes two entries", async (_, one, two) => {
      const { owner } = await open();
      const [a, b] = [await owner.capture(one), await owner.capture(two)];
      expect(b.created).toBe(true);
      expect(b.id).not.toBe(a.id);
      expect((await owner.getEntry(a.id)).content).toBe(one);
      expect((await owner.getEntry(b.id)).content).toBe(two);
    });

    it("[CAP-6] follows the text that an entry has now", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("before");
      await owner.update(id, "after");
      expect(await owner.capture("after")).toMatchObject({ id, created: false });
      expect((await owner.capture("before")).created).toBe(true);
    });

    it("[CAP-7] adds the tags, merges the origin and makes the links", async () => {
      const { owner } = await open();
      const [a = ""] = await entries(owner, 1);
      const { id } = await owner.capture("text", { tags: ["one", "session:1"] });
      await owner.capture("text", {
        tags: ["two", "one", "session:2", "role:user"],
        links: [{ type: "follows", dst: a }],
      });
      expect(await owner.getEntry(id)).toMatchObject({
        tags: ["one", "two"],
        origin: { role: ["user"], session: ["1", "2"] },
        revision: 2,
      });
      expect((await owner.connections(id)).edges).toHaveLength(1);
      expect(idsOf((await owner.recall("two", { hops: 0 })).hits)).toEqual([id]);
    });

    it("[CAP-7] keeps 64 values of the origin, however many sessions capture the same", async () => {
      const { owner } = await open();
      const sessions = (prefix: string, n: number) =>
        Array.from({ length: n }, (_, at) => `session:${prefix}${at}`);
      const { id } = await owner.capture("text", { tags: sessions("a", 60) });
      const { warnings } = await owner.capture("text", { tags: sessions("b", 6) });
      expect(warnings).toContain("tags: origin keeps 64 values, so 2 more are left out");
      const { origin, revision } = await owner.getEntry(id);
      expect(origin["session"]).toHaveLength(64);
      await owner.capture("text", { tags: sessions("c", 6) });
      expect(await owner.getEntry(id)).toMatchObject({ origin, revision });
    });

    it("[CAP-7] refuses a 65th tag and changes nothing", async () => {
      const { owner } = await open();
      const [a = ""] = await entries(owner, 1);
      const { id } = await owner.capture("text", { tags: tags(64) });
      const before = await stateOf(owner, id);
      const call = owner.capture("text", {
        tags: ["one too many", "session:9"],
        links: [{ type: "follows", dst: a }],
      });
      expect(await refusal(call)).toMatchObject({ code: "limit_exceeded" });
      expect(await stateOf(owner, id)).toEqual(before);
      expect((await owner.capture("text", { tags: tags(64) })).created).toBe(false);
    });

    it("[CAP-8] names every other option that differs, and ignores it", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("text");
      const before = await owner.getEntry(id);
      const { tags: _tags, ...others } = GIVEN;
      const { warnings } = await owner.capture("text", others);
      expect(warnings.map((warning) => warning.split(":")[0]).sort()).toEqual(
        Object.keys(others).sort(),
      );
      expect(await owner.getEntry(id)).toEqual(before);
    });

    it("[CAP-8] says nothing of options that are as the entry has them", async () => {
      const { owner } = await open();
      await owner.capture("text", GIVEN);
      const { warnings, created } = await owner.capture("text", GIVEN);
      expect({ warnings, created }).toEqual({ warnings: [], created: false });
    });

    it("[CAP-8] names a deprecated, an expired and a superseded original", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("deprecated");
      await owner.setStatus(id, "deprecated");
      await owner.capture("expired", { expiresAt: 1 });
      const old = await owner.capture("superseded");
      const head = await owner.capture("head", { links: [{ type: "supersedes", dst: old.id }] });
      const warned = async (content: string) => (await owner.capture(content)).warnings;
      expect(await warned("deprecated")).toEqual([expect.stringMatching(/^status: .*deprecated/)]);
      expect(await warned("expired")).toEqual([expect.stringMatching(/^status: .*deprecated/)]);
      expect(await warned("superseded")).toEqual([
        expect.stringMatching(new RegExp(`^superseded: .*${head.id}`)),
      ]);
      expect(await warned("head")).toEqual([]);
    });

    it("[CAP-10] that were forgotten stores them anew, with nothing of the old entry", async () => {
      const { owner } = await open();
      const [a = ""] = await entries(owner, 1);
      const old = await owner.capture("text", { ...GIVEN, kind: "episodic", tags: ["old"] });
      await owner.link(old.id, a, "follows");
      await owner.append(old.id, "more");
      await owner.update(old.id, "text");
      await owner.recall("text");
      await owner.forget(old.id);
      const anew = await owner.capture("text");
      expect(anew).toMatchObject({ created: true, warnings: [] });
      expect(anew.id).not.toBe(old.id);
      expect(await stateOf(owner, anew.id)).toMatchObject({
        entry: { revision: 1, recallCount: 0, tags: [], status: "draft", evidenceRef: null },
        history: { revisions: [] },
        connections: { edges: [], entries: [] },
      });
      expect(await owner.getTags()).toEqual([]);
    });
  });
}
