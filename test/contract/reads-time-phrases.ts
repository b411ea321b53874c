import { describe, expect, it } from "vitest";
import { capturedAll, factorsOf, hitOf, idsOf, recalledIds, times } from "./reads-support.ts";
import type { Open } from "./suite.ts";

const at = (iso: string) => Date.parse(iso);

export function registerTimePhraseReads(open: Open): void {
  describe("time phrases", () => {
    it("[RWR-1] an absolute date becomes a window in UTC and stays in the text", async () => {
      const { owner } = await open();
      await owner.capture("lantern");
      const { queryUsed, window } = await owner.recall("lantern on 5 March 2024");
      expect(queryUsed).toBe("lantern on 5 March 2024");
      expect(window).toEqual({
        since: at("2024-03-05T00:00:00.000Z"),
        until: at("2024-03-05T23:59:59.999Z"),
      });
    });

    it("[RWR-1] a relative phrase becomes a window and leaves the text", async () => {
      const { owner } = await open();
      await owner.capture("lantern");
      const { queryUsed, window } = await owner.recall("lantern repairs last year");
      const year = new Date().getUTCFullYear() - 1;
      expect(queryUsed).toBe("lantern repairs");
      expect(window).toEqual({ since: Date.UTC(year, 0, 1), until: Date.UTC(year + 1, 0, 1) - 1 });
    });

    it("[RWR-1] without a phrase the window is null and the text as given", async () => {
      const { owner } = await open();
      await owner.capture("lantern");
      for (const query of ["lantern", "the second lantern", "  Lantern, please  "]) {
        const { window, queryUsed } = await owner.recall(query);
        expect(window).toBeNull();
        expect(queryUsed.trim()).toBe(query.trim());
      }
    });

    it("[RWR-2] hits inside are lifted and marked, and others are still found", async () => {
      const { owner } = await open();
      const [outside = "", inside = ""] = await capturedAll(owner, [
        { content: "lantern one", occurredAt: at("2024-06-01") },
        { content: "lantern two", occurredAt: at("2024-03-05T12:00Z") },
      ]);
      const { hits } = await owner.recall("lantern 5 March 2024", { explain: true });
      expect(hits.map((hit) => [hit.id, hit.inWindow])).toEqual([
        [inside, true],
        [outside, false],
      ]);
      expect(hits[0]?.why?.factors.window).toBeGreaterThan(1);
      expect(hits[1]?.why?.factors.window).toBe(1);
      expect((await hitOf(owner, inside, "lantern")).inWindow).toBe(false);
    });

    it("[RWR-2] the window filters nothing, while the caller's since and until do", async () => {
      const { owner } = await open();
      const [id = ""] = await capturedAll(owner, [
        { content: "lantern", occurredAt: at("2023-01-01") },
      ]);
      expect(await recalledIds(owner, "lantern in March 2024")).toEqual([id]);
      expect(
        await recalledIds(owner, "lantern in March 2024", { since: at("2024-01-01") }),
      ).toEqual([]);
    });

    it("[RWR-3] a date without a year is in the past", async () => {
      const { owner } = await open();
      await owner.capture("lantern");
      for (const date of ["January 1", "December 31", "4 July"]) {
        const { window } = await owner.recall(`lantern on ${date}`);
        expect(window?.since).toBeLessThanOrEqual(Date.now());
        expect(window?.since).toBeGreaterThan(Date.now() - 367 * 86_400_000);
      }
    });

    it("[RWR-3] since X is open-ended, between A and B is one window", async () => {
      const { owner } = await open();
      await owner.capture("lantern");
      expect((await owner.recall("lantern since 5 March 2024")).window).toEqual({
        since: at("2024-03-05"),
        until: null,
      });
      const { window } = await owner.recall("lantern between 5 March 2024 and 9 March 2024");
      expect(window).toEqual({ since: at("2024-03-05"), until: at("2024-03-10") - 1 });
    });

    it("[RWR-3] now, today alone and night are no phrases", async () => {
      const { owner } = await open();
      await owner.capture("lantern");
      for (const query of ["lantern now", "lantern today", "lantern at night", "night lantern"]) {
        expect([query, (await owner.recall(query)).window]).toEqual([query, null]);
      }
    });

    it("[RWR-4] a query that is only a time phrase lists what happened then, newest first", async () => {
      const { owner } = await open();
      const days = ["2024-03-03", "2024-03-05", "2024-03-04", "2024-04-01", "2024-02-28"];
      const ids = await capturedAll(
        owner,
        days.map((day) => ({ content: `note of ${day}`, occurredAt: at(`${day}T12:00Z`) })),
      );
      const { hits, reason } = await owner.recall("in March 2024");
      expect(idsOf(hits)).toEqual([ids[1], ids[2], ids[0]]);
      expect(hits.every((hit) => hit.inWindow)).toBe(true);
      expect(reason).toBeNull();
      expect(await recalledIds(owner, "what happened in March 2024", { topK: 2 })).toEqual([
        ids[1],
        ids[2],
      ]);
    });

    it("[RWR-4] filters hold for such a list, and an empty one says why", async () => {
      const { owner } = await open();
      await capturedAll(owner, [
        { content: "a", occurredAt: at("2024-03-05"), status: "deprecated" },
        { content: "b", occurredAt: at("2024-03-05"), kind: "semantic" },
        { content: "<think>c</think>", occurredAt: at("2024-03-05") },
      ]);
      const listed = async (options: Parameters<typeof owner.recall>[1]) => {
        const { hits, reason } = await owner.recall("in March 2024", options);
        return [hits.map((hit) => hit.content), reason];
      };
      expect(await listed({})).toEqual([["b"], null]);
      expect(await listed({ kind: "episodic" })).toEqual([[], "all_filtered"]);
      expect(await listed({ since: at("2024-05-01") })).toEqual([[], "all_filtered"]);
      expect((await owner.recall("in March 2023")).reason).toBe("no_match");
    });

    it("[RWR-5] a query with a window, or about the past, is ranked without recency", async () => {
      const { owner } = await open();
      const [id = ""] = await capturedAll(
        owner,
        times(2, (n) => ({ content: `lantern ${n}`, occurredAt: n, volatility: "volatile" })),
      );
      const recency = async (query: string) => (await factorsOf(owner, id, query)).recency;
      expect(await recency("lantern")).toBeLessThan(1);
      for (const query of ["lantern in March 2024", "when did the lantern", "lantern as of then"]) {
        expect([query, await recency(query)]).toEqual([query, 1]);
      }
    });
  });
}
