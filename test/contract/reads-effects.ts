import { describe, expect, it } from "vitest";
import { captured, capturedAll, everything, recalledIds, times } from "./reads-support.ts";
import type { Open } from "./suite.ts";

export function registerEffectReads(open: Open): void {
  describe("what a recall changes", () => {
    it("[REC-18] each call adds one to each direct hit it presents, and moves nothing else", async () => {
      const { owner } = await open();
      const ids = await capturedAll(
        owner,
        times(14, (n) => ({ content: `${n < 12 ? "lantern" : "wick"} ${n}`, tags: [`t${n}`] })),
      );
      await owner.link(ids[0]!, ids[12]!, "relates_to", { weight: 1 });
      const before = await everything(owner, ids);
      const counted: Record<string, number> = {};
      for (const topK of [3, 50, 1]) {
        const { hits } = await owner.recall("lantern", { topK });
        for (const hit of hits.filter((each) => each.via === undefined)) {
          counted[hit.id] = (counted[hit.id] ?? 0) + 1;
        }
      }
      expect(Object.keys(counted)).toHaveLength(12);
      const expected = Object.fromEntries(
        ids.map((id) => [id, { ...before[id], recallCount: counted[id] ?? 0 }]),
      );
      expect(await everything(owner, ids)).toEqual(expected);
    });

    it("[REC-18] counts of neighbours do not move", async () => {
      const { owner } = await open();
      const [seed = "", neighbour = ""] = await capturedAll(owner, [
        { content: "lantern" },
        { content: "wick" },
      ]);
      await owner.link(seed, neighbour, "relates_to", { weight: 1 });
      expect(await recalledIds(owner, "lantern")).toEqual([seed, neighbour]);
      expect((await owner.getEntry(seed)).recallCount).toBe(1);
      expect((await owner.getEntry(neighbour)).recallCount).toBe(0);
    });

    it("[REC-18] the head that answers is counted, and not what it replaced", async () => {
      const { owner } = await open();
      const old = await captured(owner, "lantern");
      const head = await captured(owner, "wick", { links: [{ type: "supersedes", dst: old }] });
      expect(await recalledIds(owner, "lantern")).toEqual([head]);
      expect((await owner.getEntry(head)).recallCount).toBe(1);
      expect((await owner.getEntry(old)).recallCount).toBe(0);
    });

    it("[REC-18] with observe it changes nothing", async () => {
      const { owner } = await open();
      const ids = await capturedAll(
        owner,
        times(5, (n) => ({ content: `lantern ${n}` })),
      );
      const before = await everything(owner, ids);
      expect(await recalledIds(owner, "lantern", { observe: true })).toHaveLength(5);
      expect(await everything(owner, ids)).toEqual(before);
      expect((await owner.getStats()).usage["recall"]).toMatchObject({ calls: 1, rowsWritten: 0 });
    });

    it("[REC-18] brief, lists and graph count as no recall", async () => {
      const { owner } = await open();
      const id = await captured(owner, "lantern", { tags: ["handoff"] });
      await owner.getBrief({ objective: "lantern" });
      await owner.listRecent();
      await owner.connections(id);
      await owner.graphView({ seedIds: [id] });
      await owner.getEntry(id);
      expect((await owner.getEntry(id)).recallCount).toBe(0);
    });

    it("[REC-19] 100 equal recalls keep their order, and raise each presented hit by 100", async () => {
      const { owner } = await open();
      const ids = await capturedAll(
        owner,
        times(12, (n) => ({ content: `lantern ${"of the tower ".repeat(n)} ${n}` })),
      );
      const first = await recalledIds(owner, "lantern");
      for (let n = 1; n < 100; n++) expect(await recalledIds(owner, "lantern")).toEqual(first);
      for (const id of ids) {
        const { recallCount } = await owner.getEntry(id);
        expect(recallCount).toBe(first.includes(id) ? 100 : 0);
      }
    });

    it("[REC-19] observing recalls keep their order among entries of any age", async () => {
      const { owner } = await open();
      await capturedAll(
        owner,
        times(12, (n) => ({
          content: `lantern ${"of the tower ".repeat(n % 4)} ${n}`,
          occurredAt: n * 100_000_000_000,
          volatility: (["durable", "state", "volatile"] as const)[n % 3]!,
        })),
      );
      for (let n = 0; n < 5; n++) await owner.recall("lantern 3");
      const observed = () => recalledIds(owner, "lantern", { observe: true });
      const first = await observed();
      expect(first).toHaveLength(10);
      for (let n = 0; n < 20; n++) expect(await observed()).toEqual(first);
    });
  });
}
