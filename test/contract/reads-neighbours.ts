import { describe, expect, it } from "vitest";
import { captured, capturedAll, hitOf, idsOf, recalledIds, times } from "./reads-support.ts";
import type { Open } from "./suite.ts";

export function registerNeighbourReads(open: Open): void {
  describe("neighbours", () => {
    it("[REC-4] are found within the hops, and one hop is the default", async () => {
      const { owner } = await open();
      const ids = await capturedAll(
        owner,
        ["lantern", "wick", "glass", "oil"].map((content) => ({ content })),
      );
      await owner.link(ids[1]!, ids[0]!, "caused_by");
      await owner.link(ids[1]!, ids[2]!, "follows");
      await owner.link(ids[3]!, ids[2]!, "relates_to");
      const found = async (hops?: number) =>
        (await recalledIds(owner, "lantern", hops === undefined ? {} : { hops })).sort();
      expect(await found(0)).toEqual(ids.slice(0, 1));
      expect(await found()).toEqual(ids.slice(0, 2).sort());
      expect(await found(2)).toEqual(ids.slice(0, 3).sort());
      expect(await found(3)).toEqual(ids.toSorted());
    });

    it("[REC-4] carry the hit they came from and the edges taken; direct hits do not", async () => {
      const { owner } = await open();
      const [a = "", b = "", c = ""] = await capturedAll(
        owner,
        ["lantern", "wick", "glass"].map((content) => ({ content })),
      );
      await owner.link(b, a, "caused_by");
      await owner.link(b, c, "follows");
      const { hits } = await owner.recall("lantern", { hops: 2 });
      const via = Object.fromEntries(hits.map((hit) => [hit.id, hit.via]));
      expect(via).toEqual({
        [a]: undefined,
        [b]: { from: a, steps: [{ id: b, type: "caused_by", direction: "in" }] },
        [c]: {
          from: a,
          steps: [
            { id: b, type: "caused_by", direction: "in" },
            { id: c, type: "follows", direction: "out" },
          ],
        },
      });
    });

    it("[REC-4] every hit without via is a direct hit and counted as recalled, in a crowd too", async () => {
      const { owner } = await open();
      const ids = await capturedAll(owner, [
        ...times(200, (n) => ({ content: `lantern lantern ${n}` })),
        ...times(8, (n) => ({ content: `lantern ${"far off ".repeat(40)} ${n}` })),
      ]);
      const best = await captured(owner, "lantern lantern lantern");
      for (const id of ids.slice(-8)) await owner.link(best, id, "relates_to", { weight: 1 });
      const { hits } = await owner.recall("lantern", { topK: 50 });
      for (const hit of hits) {
        const { recallCount } = await owner.getEntry(hit.id);
        expect([hit.id, recallCount]).toEqual([hit.id, hit.via === undefined ? 1 : 0]);
      }
    });

    it("[REC-5] never score above the best keyword hit, however strong and well linked", async () => {
      const { owner } = await open();
      const hit = await captured(owner, `lantern ${"and other things ".repeat(50)}`, {
        occurredAt: 0,
        volatility: "volatile",
        importance: 1,
      });
      const neighbours = await capturedAll(
        owner,
        times(8, (n) => ({ content: `wick ${n}`, importance: 5 })),
      );
      for (const [n, id] of neighbours.entries()) {
        await owner.link(hit, id, "caused_by", { weight: 1 });
        await owner.link(id, neighbours[(n + 1) % 8]!, "caused_by", { weight: 1 });
      }
      const { hits } = await owner.recall("lantern", { hops: 3 });
      expect(hits).toHaveLength(9);
      expect(hits[0]?.id).toBe(hit);
      for (const neighbour of hits.slice(1)) {
        expect(neighbour.score).toBeLessThan(hits[0]?.score ?? 0);
      }
    });

    it("[REC-5] bury no direct hit: all ten stay before a crowd of neighbours", async () => {
      const { owner } = await open();
      const words = "amber beryl coral dolomite emerald flint garnet heliodor iolite jasper";
      const direct = await capturedAll(
        owner,
        words.split(" ").map((word) => ({ content: `lantern ${word}` })),
      );
      for (const id of direct) {
        await owner.captureMany(
          times(5, (n) => ({
            content: `wick ${n} of ${id}`,
            links: [{ type: "caused_by", src: id }],
          })),
        );
      }
      expect((await recalledIds(owner, "lantern", { hops: 3 })).sort()).toEqual(direct.toSorted());
    });

    it("[REC-20] explain adds ranks, factors, matched terms and the path, and nothing without it", async () => {
      const { owner } = await open();
      const [a = "", b = ""] = await capturedAll(owner, [
        { content: "lantern oil" },
        { content: "wick" },
      ]);
      await owner.link(a, b, "relates_to");
      const query = "lantern oil submarine";
      const direct = await hitOf(owner, a, query, { explain: true });
      expect(direct.why).toMatchObject({
        ranks: { keyword: 1, graph: 1, vector: null },
        factors: { rrf: expect.any(Number), clamp: expect.any(Number) },
        path: null,
      });
      expect(direct.why?.matchedTerms.toSorted()).toEqual(["lantern", "oil"]);
      const near = await hitOf(owner, b, query, { explain: true });
      expect(near.why).toMatchObject({
        ranks: { keyword: null, graph: 2, vector: null },
        matchedTerms: [],
        path: near.via,
      });
      const { hits } = await owner.recall(query);
      expect(idsOf(hits)).toEqual([a, b]);
      expect(hits.some((hit) => "why" in hit)).toBe(false);
    });
  });
}
