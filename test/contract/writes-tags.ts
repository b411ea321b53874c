import { describe, expect, it } from "vitest";
import { refusal } from "./suite.ts";
import type { Open } from "./suite.ts";
import { refusals, stateOf, tags } from "./writes-support.ts";

export function registerTagTests(open: Open): void {
  describe("tags", () => {
    it("[TAG-1] are trimmed, composed, lower-cased, counted once and shown in ascending order", async () => {
      const { owner } = await open();
      const given = ["  Beech ", "OAK", "oak", "e\u0301te\u0301", "\u00c9T\u00c9", "ash\n", "Ö"];
      const { id } = await owner.capture("trees", { tags: given });
      const stored = ["ash", "beech", "oak", "\u00e9t\u00e9", "\u00f6"];
      expect((await owner.getEntry(id)).tags).toEqual(stored);
      expect((await owner.listRecent()).entries[0]?.tags).toEqual(stored);
      expect((await owner.recall("trees")).hits[0]?.tags).toEqual(stored);
      expect((await owner.getTags()).map(({ tag }) => tag)).toEqual(stored);
    });

    it("[TAG-1] are so in every method that takes one", async () => {
      const { owner } = await open();
      const given = " Ete\u0301 ";
      const stored = "et\u00e9";
      const { id } = await owner.capture("trees", { tags: [given], kind: "instruction" });
      const tagsNow = async () => (await owner.getEntry(id)).tags;
      await owner.setStatus(id, "canonical");
      expect((await owner.recall("trees", { tag: given })).hits).toHaveLength(1);
      expect((await owner.listRecent({ tag: given })).entries).toHaveLength(1);
      expect((await owner.getBrief({ tag: given })).instructions).toHaveLength(1);
      await owner.append(id, "and shrubs", { tags: [given, " B "] });
      expect(await tagsNow()).toEqual(["b", stored]);
      await owner.update(id, null, { tags: [given, given.toUpperCase()] });
      expect(await tagsNow()).toEqual([stored]);
      await owner.captureMany([{ content: "trees\n\nand shrubs", tags: [" C", given] }]);
      expect(await tagsNow()).toEqual(["c", stored]);
    });

    it("[TAG-1] are 1 to 64 characters after that", async () => {
      const { owner } = await open();
      const longest = "x".repeat(64);
      const { id } = await owner.capture("trees", { tags: [`  ${longest}  `, " y "] });
      expect((await owner.getEntry(id)).tags).toEqual([longest, "y"]);
      for (const tag of ["", "   ", "x".repeat(65), "\u00e9".repeat(65)]) {
        expect(await refusal(owner.capture("trees", { tags: ["a", tag] }))).toMatchObject({
          code: "invalid_input",
          details: { path: "options.tags.1" },
        });
      }
      expect((await owner.capture("shrubs", { tags: ["e\u0301".repeat(64)] })).created).toBe(true);
    });

    it("[TAG-1][UPD-5] the same tags in any order and spelling are no change", async () => {
      const { owner } = await open();
      // Ascending by bytes and by UTF-16 units are two orders for these.
      const given = ["\uff46", "🦆", "a", "\u00e9"];
      const { id } = await owner.capture("trees", { tags: given });
      const before = await stateOf(owner, id);
      await owner.update(id, null, { tags: given.toReversed().map((tag) => ` ${tag} `) });
      await owner.update(id, null, { tags: ["A", "e\u0301", "\uff46", "🦆"] });
      await owner.capture("trees", { tags: ["🦆"] });
      expect(await stateOf(owner, id)).toEqual(before);
    });

    const LITERAL = [
      "a_b",
      "a%b",
      "it's",
      'say "hi"',
      "c++",
      "pre-edit",
      "*",
      "a b",
      "or",
      "#1",
      "🦆",
      "a\\b",
    ];

    it.each(LITERAL)("[TAG-2] %s matches itself only", async (tag) => {
      const { owner } = await open();
      const { results } = await owner.captureMany([
        { content: "marked tree", tags: [tag] },
        { content: "other tree", tags: ["axb", "ab", "a", "b", "c", "hi", "its", "preedit"] },
      ]);
      const [id] = results.map((result) => result.id);
      expect((await owner.listRecent({ tag })).entries.map((entry) => entry.id)).toEqual([id]);
      expect((await owner.recall("tree", { tag })).hits.map((hit) => hit.id)).toEqual([id]);
      expect((await owner.getEntry(id ?? "")).tags).toEqual([tag]);
      expect((await owner.getTags()).find((each) => each.tag === tag)).toEqual({ tag, count: 1 });
    });

    it("[TAG-3] 64 in one call are accepted, 65 and 150 are invalid_input in every method", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("trees", { tags: tags(64) });
      expect((await owner.getEntry(id)).tags).toHaveLength(64);
      const calls = [65, 150].flatMap((n) => [
        owner.capture("more trees", { tags: tags(n) }),
        owner.append(id, "more", { tags: tags(n) }),
        owner.update(id, null, { tags: tags(n) }),
      ]);
      for (const error of await refusals(calls)) {
        expect(error).toMatchObject({
          code: "invalid_input",
          details: { path: "options.tags" },
        });
      }
    });

    it("[TAG-3][LIM-2] an entry that would come to hold a 65th is limit_exceeded and unchanged", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("trees", { tags: tags(63) });
      await owner.append(id, "one more", { tags: ["t62", "last"] });
      const before = await stateOf(owner, id);
      expect(before.entry.tags).toHaveLength(64);
      const calls = [
        owner.append(id, "too many", { tags: ["t0", "one too many"] }),
        owner.capture(before.entry.content, { tags: ["one too many"] }),
      ];
      for (const error of await refusals(calls)) {
        expect(error).toMatchObject({ code: "limit_exceeded", details: { id } });
      }
      expect(await stateOf(owner, id)).toEqual(before);
      await owner.update(id, null, { tags: ["only one"] });
      expect((await owner.getEntry(id)).tags).toEqual(["only one"]);
    });
  });
}
