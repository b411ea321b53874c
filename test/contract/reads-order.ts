import { describe, expect, it } from "vitest";
import { captured, capturedAll, recalledIds, times } from "./reads-support.ts";
import type { Open } from "./suite.ts";

export function registerOrderReads(open: Open): void {
  describe("small workspaces", () => {
    it("[REC-11] of one entry find it, with a score above 0", async () => {
      const { owner } = await open();
      const id = await captured(owner, "lantern oil");
      const { hits } = await owner.recall("lantern");
      expect(hits).toMatchObject([{ id }]);
      expect(hits[0]?.score).toBeGreaterThan(0);
    });

    it("[REC-11] of two put first the one that holds more of the query", async () => {
      const { owner } = await open();
      const [both = "", one = ""] = await capturedAll(owner, [
        { content: "the lantern burns whale oil" },
        { content: "the lantern stands on a shelf" },
      ]);
      expect(await recalledIds(owner, "lantern oil")).toEqual([both, one]);
      expect(await recalledIds(owner, "lantern shelf")).toEqual([one, both]);
    });

    it("[REC-11] of five put the rare word before the common one", async () => {
      const { owner } = await open();
      const ids = await capturedAll(owner, [
        ...times(4, (n) => ({ content: `lantern of room ${n}` })),
        { content: "wick of room 9" },
      ]);
      expect((await recalledIds(owner, "lantern wick"))[0]).toBe(ids[4]);
    });

    it("[REC-11] an entry that was never recalled can come first", async () => {
      const { owner } = await open();
      const popular = await captured(owner, "lantern among many other things in the store room");
      for (let n = 0; n < 30; n++) await owner.recall("lantern");
      const fresh = await captured(owner, "lantern oil");
      expect((await owner.getEntry(popular)).recallCount).toBe(30);
      expect((await recalledIds(owner, "lantern oil", { observe: true }))[0]).toBe(fresh);
    });
  });

  describe("order", () => {
    it("[REC-12] a near-copy falls behind another hit of like score; the best stays first", async () => {
      const { owner } = await open();
      const text =
        "lantern maintenance: trim the wick, clean the glass, fill whale oil every evening";
      const [best = "", copy = "", other = ""] = await capturedAll(owner, [
        { content: `${text} lantern` },
        { content: `${text} lantern.` },
        {
          content:
            "keeper duty roster names who visits the lantern room while storms last offshore",
        },
      ]);
      const [first, second, third] = (await owner.recall("lantern")).hits;
      expect([best, copy]).toContain(first?.id);
      expect(second?.id).toBe(other);
      expect([best, copy]).toContain(third?.id);
      expect(third?.score).toBeGreaterThan(second?.score ?? 0);
      expect(first?.score).toBeGreaterThanOrEqual(third?.score ?? 1);
    });

    it("[REC-19] ties break by id", async () => {
      const { owner } = await open();
      const ids = await capturedAll(
        owner,
        times(8, (n) => ({ content: `lantern x${n}y` })),
      );
      expect(await recalledIds(owner, "lantern")).toEqual(ids.toSorted());
    });
  });
}
