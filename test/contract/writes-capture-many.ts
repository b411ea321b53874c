import { describe, expect, it } from "vitest";
import type { Arguments, Entry, MiniSphereApi } from "../../contracts/index.ts";
import { refusal } from "./suite.ts";
import type { Open } from "./suite.ts";
import { stateOf, tags } from "./writes-support.ts";

export function registerCaptureManyTests(open: Open): void {
  describe("captureMany", () => {
    it("[CPM-1] answers as capture would have, one after the other", async () => {
      const items = [
        { content: "first", tags: ["a"] },
        { content: "second", status: "canonical" as const },
        { content: "first", tags: ["b", "session:1"], importance: 3 },
        { content: "third", tags: ["model:x"] },
        { content: "second" },
      ];
      const [one, many] = [await open(), await open()];
      const singly = [];
      for (const { content, ...options } of items) {
        singly.push(await one.owner.capture(content, options));
      }
      const { results } = await many.owner.captureMany(items);
      expect(results.map(({ created }) => created)).toEqual([true, true, false, true, false]);
      expect(results.map(({ warnings }) => warnings)).toEqual(singly.map((each) => each.warnings));
      expect(results[2]?.id).toBe(results[0]?.id);
      expect(results[4]?.id).toBe(results[1]?.id);
      const ids = results.map((result) => result.id);
      expect(await factsOf(many.owner, ids)).toEqual(
        await factsOf(
          one.owner,
          singly.map((each) => each.id),
        ),
      );
    });

    it("[CPM-2] stores nothing when one item is refused, and says which", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("there", { tags: tags(64) });
      const before = await stateOf(owner, id);
      const bad = [
        [{ content: "", tags: [] }, "invalid_input"],
        [{ content: "x", importance: 6 }, "invalid_input"],
        [{ content: "x", links: [{ type: "follows" as const, dst: "00000000" }] }, "not_found"],
        [{ content: "x", links: [{ type: "about_person" as const, dst: id }] }, "conflict"],
        [{ content: "there", tags: ["one too many"] }, "limit_exceeded"],
      ] as const;
      for (const [item, code] of bad) {
        const fine = {
          content: "fine",
          tags: ["new"],
          links: [{ type: "follows" as const, dst: id }],
        };
        const items = [fine, { content: "fine too" }, item] as Arguments<"captureMany">[0];
        expect(await refusal(owner.captureMany(items))).toMatchObject({
          code,
          details: { index: 2 },
        });
      }
      expect(await stateOf(owner, id)).toEqual(before);
      expect(await owner.getCount()).toBe(1);
      expect((await owner.recall("fine")).hits).toEqual([]);
    });
  });
}

/** What does not depend on ids and clocks. */
function factsOf(api: MiniSphereApi, ids: readonly string[]): Promise<Partial<Entry>[]> {
  return Promise.all(
    ids.map(async (each) => {
      const {
        id: _id,
        occurredAt: _o,
        createdAt: _c,
        updatedAt: _u,
        actor: _a,
        ...facts
      } = await api.getEntry(each);
      return facts;
    }),
  );
}
