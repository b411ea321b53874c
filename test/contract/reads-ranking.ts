import { describe, expect, it } from "vitest";
import { VOLATILITIES } from "../../contracts/index.ts";
import { captured, capturedAll, daysAgo, factorsOf, hitOf, recalledIds } from "./reads-support.ts";
import type { Open } from "./suite.ts";

export function registerRankingReads(open: Open): void {
  describe("factors of the score", () => {
    it("[REC-9] score is the product of the factors that explain shows", async () => {
      const { owner } = await open();
      const id = await captured(owner, "lantern wick", {
        tags: ["lantern"],
        importance: 4,
        volatility: "volatile",
        occurredAt: daysAgo(20),
      });
      const { score, why } = await hitOf(owner, id, "lantern wick", { explain: true });
      const factors = Object.values(why?.factors ?? {});
      expect(Object.keys(why?.factors ?? {}).sort()).toEqual([
        "clamp",
        "importance",
        "recency",
        "rrf",
        "tagOverlap",
        "window",
      ]);
      expect(score / factors.reduce((product, factor) => product * factor, 1)).toBeCloseTo(1, 12);
    });

    it("[REC-25] an entry whose title is the query comes before those that say its words more", async () => {
      const { owner } = await open();
      const [titled = "", loud = "", linked = ""] = await capturedAll(owner, [
        { content: "The lantern policy\n\nThere is a good deal to be said of how we go about it." },
        { content: "Lantern lore\n\nOn lantern policy, lantern wicks, old lantern policy" },
        { content: "The lore of lantern wicks\n\nNotes on lantern policy" },
      ]);
      await owner.link(loud, linked, "relates_to");
      expect((await recalledIds(owner, "lantern policy"))[0]).toBe(titled);
      expect((await recalledIds(owner, "lantern policy lore"))[0]).not.toBe(titled);
    });

    it("[REC-10] recency falls with age from 1 and stays above the floor of the volatility", async () => {
      const { owner } = await open();
      const floors = { durable: 0.9, state: 0.6, volatile: 0.15 };
      for (const volatility of VOLATILITIES) {
        const ages = [0, 3, 30, 300, 10_000];
        const ids = await capturedAll(
          owner,
          ages.map((age) => ({
            content: `lantern ${volatility} ${age}`,
            volatility,
            occurredAt: daysAgo(age),
          })),
        );
        const recency = [];
        for (const id of ids) recency.push((await factorsOf(owner, id, "lantern")).recency);
        expect(recency[0]).toBeCloseTo(1, 6);
        expect(recency).toEqual(recency.toSorted((a, b) => b - a));
        expect(new Set(recency).size).toBe(ages.length);
        expect(recency.at(-1)).toBeGreaterThanOrEqual(floors[volatility]);
      }
    });

    it("[REC-10] at equal age the volatile decays most and the durable least", async () => {
      const { owner } = await open();
      const recency = [];
      for (const volatility of VOLATILITIES) {
        const id = await captured(owner, `lantern ${volatility}`, {
          volatility,
          occurredAt: daysAgo(40),
        });
        recency.push((await factorsOf(owner, id, "lantern")).recency);
      }
      expect(recency).toEqual(recency.toSorted((a, b) => b - a));
      expect(new Set(recency).size).toBe(3);
    });

    it("[REC-10] recalls undo the fall and never lift recency above 1", async () => {
      const { owner } = await open();
      const old = { occurredAt: 0 } as const;
      const [volatile = "", state = ""] = await capturedAll(owner, [
        { content: "lantern", volatility: "volatile", ...old },
        { content: "wick", volatility: "state", ...old },
      ]);
      const recency = async (id: string, query: string) =>
        (await factorsOf(owner, id, query)).recency;
      const never = await recency(volatile, "lantern");
      await owner.recall("lantern");
      const once = await recency(volatile, "lantern");
      expect(once).toBeGreaterThan(never);
      expect(once).toBeLessThan(1);
      expect(await recency(state, "wick")).toBeLessThan(1);
      for (let n = 0; n < 5; n++) await owner.recall("wick");
      expect(await recency(state, "wick")).toBe(1);
    });

    it("[REC-10] unset importance is neutral and higher is better", async () => {
      const { owner } = await open();
      const importance = [];
      for (let n = 0; n <= 5; n++) {
        const id = await captured(owner, `lantern ${n}`, { importance: n });
        importance.push((await factorsOf(owner, id, "lantern")).importance);
      }
      const [unset, ...set] = importance;
      expect(unset).toBe(1);
      expect(set).toEqual(set.toSorted((a, b) => a - b));
      expect(set[0]).toBeLessThan(1);
      expect(set.at(-1)).toBeGreaterThan(1);
      expect(new Set(set).size).toBe(5);
    });

    it("[REC-10] query terms that are tags lift, more of them lift more", async () => {
      const { owner } = await open();
      const [none = "", one = "", two = ""] = await capturedAll(owner, [
        { content: "lantern wick a", tags: ["glass"] },
        { content: "lantern wick b", tags: ["glass", "wick"] },
        { content: "lantern wick c", tags: ["Lantern", "wick"] },
      ]);
      const overlap = async (id: string) => (await factorsOf(owner, id, "lantern wick")).tagOverlap;
      expect(await overlap(none)).toBe(1);
      expect(await overlap(one)).toBeGreaterThan(1);
      expect(await overlap(two)).toBeGreaterThan(await overlap(one));
    });

    it("[REC-10] all factors together change a score by 0.8 to 1.25", async () => {
      const { owner } = await open();
      const tags = ["lantern", "wick", "glass", "oil"];
      const [worst = "", best = ""] = await capturedAll(owner, [
        { content: "lantern wick", volatility: "volatile", occurredAt: 0, importance: 1 },
        { content: "lantern wick glass oil", tags, importance: 5 },
      ]);
      const change = async (id: string) => {
        const query = "lantern wick glass oil";
        const { score, why } = await hitOf(owner, id, query, { explain: true });
        return score / (why?.factors.rrf ?? 0);
      };
      expect(await change(worst)).toBeGreaterThanOrEqual(0.8 - 1e-9);
      expect(await change(worst)).toBeLessThan(1);
      expect(await change(best)).toBeLessThanOrEqual(1.25 + 1e-9);
      expect(await change(best)).toBeGreaterThan(1);
    });

    it("[REC-11] age counts from the last change of text, not of anything else", async () => {
      const { owner } = await open();
      const [text = "", rest = ""] = await capturedAll(owner, [
        { content: "lantern old", occurredAt: daysAgo(200) },
        { content: "lantern wick", occurredAt: daysAgo(200) },
      ]);
      const old = (await factorsOf(owner, rest, "lantern")).recency;
      await owner.update(text, "lantern new");
      await owner.update(rest, null, { tags: ["x"], importance: 3, source: "s" });
      await owner.setStatus(rest, "canonical");
      await owner.link(text, rest, "relates_to");
      expect((await factorsOf(owner, text, "lantern")).recency).toBeCloseTo(1, 6);
      expect((await factorsOf(owner, rest, "lantern")).recency).toBeCloseTo(old, 6);
    });

    it("[REC-11] age counts from occurredAt: an import of old news is old", async () => {
      const { owner } = await open();
      const [old = "", fresh = ""] = await capturedAll(owner, [
        { content: "lantern one", occurredAt: daysAgo(700) },
        { content: "lantern two" },
      ]);
      expect(await recalledIds(owner, "lantern")).toEqual([fresh, old]);
    });
  });
}
