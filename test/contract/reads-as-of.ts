import { describe, expect, it } from "vitest";
import type { MiniSphereApi } from "../../contracts/index.ts";
import { captured, capturedAll, hitOf, idsOf, recalledIds } from "./reads-support.ts";
import type { Open } from "./suite.ts";

const year = (n: number) => Date.UTC(n, 5);

/** The end of a year: what 'as of 2019' means. */
const endOf = (n: number) => Date.UTC(n + 1, 0) - 1;

/** A rule and its replacements of 2020 and 2022; only the first holds the word quokka. */
async function chain(owner: MiniSphereApi): Promise<[string, string, string]> {
  const a = await captured(owner, "The quokka sleeps in the barn", { occurredAt: year(2018) });
  const b = await captured(owner, "Housing in the shed", {
    occurredAt: year(2020),
    links: [{ type: "supersedes", dst: a }],
  });
  const c = await captured(owner, "Housing in the loft", {
    occurredAt: year(2022),
    links: [{ type: "supersedes", dst: b }],
  });
  return [a, b, c];
}

export function registerAsOfReads(open: Open): void {
  describe("as of", () => {
    it("[REC-21] answers with what had replaced the match by then", async () => {
      const { owner } = await open();
      const [a, b, c] = await chain(owner);
      const heads = async (asOf: number) => (await owner.recall("quokka", { asOf })).hits;
      expect(await heads(endOf(2017))).toEqual([]);
      expect(idsOf(await heads(endOf(2019)))).toEqual([a]);
      expect((await heads(endOf(2019)))[0]?.supersedes).toBeUndefined();
      expect(await heads(endOf(2021))).toMatchObject([{ id: b, supersedes: [a] }]);
      expect(await heads(endOf(2023))).toMatchObject([{ id: c, supersedes: [a, b].sort() }]);
    });

    it("[REC-21] includes what occurred at that very time", async () => {
      const { owner } = await open();
      const [a, b] = await chain(owner);
      expect(await recalledIds(owner, "quokka", { asOf: year(2018) })).toEqual([a]);
      expect(await recalledIds(owner, "quokka", { asOf: year(2018) - 1 })).toEqual([]);
      expect(await recalledIds(owner, "quokka", { asOf: year(2020) })).toEqual([b]);
    });

    it("[REC-21] names the time in the result, and null when there is none", async () => {
      const { owner } = await open();
      await captured(owner, "lantern", { occurredAt: 10 });
      expect((await owner.recall("lantern", { asOf: 10 })).asOf).toBe(10);
      expect(await owner.recall("lantern", { asOf: 0 })).toMatchObject({
        hits: [],
        asOf: 0,
        reason: "all_filtered",
      });
      expect((await owner.recall("lantern")).asOf).toBeNull();
      expect((await owner.recall("lantern in 2019")).asOf).toBeNull();
    });

    it("[REC-21] neither ends at nor leads through a later neighbour", async () => {
      const { owner } = await open();
      const [hit = "", later = "", beyond = "", near = ""] = await capturedAll(owner, [
        { content: "wombat", occurredAt: year(2018) },
        { content: "later neighbour", occurredAt: year(2020) },
        { content: "old, behind the later one", occurredAt: year(2018) },
        { content: "old neighbour", occurredAt: year(2018) },
      ]);
      await owner.link(hit, later, "relates_to");
      await owner.link(later, beyond, "relates_to");
      await owner.link(hit, near, "relates_to");
      const found = async (asOf: number) =>
        (await recalledIds(owner, "wombat", { hops: 2, asOf })).sort();
      expect(await found(endOf(2019))).toEqual([hit, near].sort());
      expect(await found(endOf(2020))).toEqual([hit, near, later, beyond].sort());
    });

    it("[REC-21] until and since filter beside it", async () => {
      const { owner } = await open();
      const [a] = await chain(owner);
      expect(await recalledIds(owner, "quokka", { asOf: endOf(2021), until: endOf(2019) })).toEqual(
        [],
      );
      expect(await recalledIds(owner, "quokka", { asOf: endOf(2019), until: endOf(2021) })).toEqual(
        [a],
      );
      expect(await recalledIds(owner, "quokka", { asOf: endOf(2019), since: year(2019) })).toEqual(
        [],
      );
    });

    it("[REC-21] a fork of later is none before its second head", async () => {
      const { owner } = await open();
      const [a, b] = await chain(owner);
      const other = await captured(owner, "Housing in the yard", {
        occurredAt: year(2021),
        links: [{ type: "supersedes", dst: a }],
      });
      const { hits } = await owner.recall("quokka", { asOf: endOf(2020) });
      expect(hits).toMatchObject([{ id: b }]);
      expect(hits[0]?.fork).toBeUndefined();
      const forked = (await owner.recall("quokka", { asOf: endOf(2021) })).hits;
      expect(idsOf(forked).sort()).toEqual([b, other].sort());
      for (const hit of forked) expect(hit.fork).toBe(true);
    });

    it("[REC-21] says what a hit rests on, and what replaces it, as of then", async () => {
      const { owner } = await open();
      const [a, b] = await chain(owner);
      const effect = await captured(owner, "numbat", {
        occurredAt: year(2018),
        links: [{ type: "caused_by", dst: a }],
      });
      const rests = async (asOf: number) =>
        (await hitOf(owner, effect, "numbat", { asOf })).restsOnSuperseded;
      expect(await rests(endOf(2019))).toBeUndefined();
      expect(await rests(endOf(2020))).toEqual([a]);
      const heads = async (asOf: number) =>
        (await hitOf(owner, a, "quokka", { asOf, includeInactive: true })).supersededBy;
      expect(await heads(endOf(2019))).toBeUndefined();
      expect(await heads(endOf(2020))).toEqual([b]);
    });

    it("[REC-22] what is deprecated today and was replaced later was current then", async () => {
      const { owner } = await open();
      const [a, b] = await chain(owner);
      await owner.setStatus(a, "deprecated");
      await owner.setStatus(b, "deprecated");
      expect((await owner.recall("quokka", { asOf: endOf(2019) })).hits).toMatchObject([
        { id: a, status: "draft" },
      ]);
      expect((await owner.recall("shed", { asOf: endOf(2021), hops: 0 })).hits).toMatchObject([
        { id: b, status: "draft" },
      ]);
      expect(await recalledIds(owner, "barn", { asOf: endOf(2021) })).not.toContain(a);
    });

    it("[REC-22] a deprecated replacement that was itself replaced later counts as of then", async () => {
      const { owner } = await open();
      const [a, b] = await chain(owner);
      await owner.setStatus(b, "deprecated");
      expect((await owner.recall("quokka", { asOf: endOf(2021) })).hits).toMatchObject([
        { id: b, supersedes: [a] },
      ]);
    });

    it("[REC-22] what was told as deprecated, or had expired by then, stays out", async () => {
      const { owner } = await open();
      const [, expires = "", undone = ""] = await capturedAll(owner, [
        { content: "quokka one", occurredAt: year(2018), status: "deprecated" },
        { content: "quokka two", occurredAt: year(2018), expiresAt: year(2020) },
        { content: "quokka three", occurredAt: year(2018), status: "canonical" },
      ]);
      await owner.setStatus(undone, "deprecated");
      const then = (asOf: number, options = {}) =>
        recalledIds(owner, "quokka", { asOf, ...options });
      expect((await then(endOf(2019))).sort()).toEqual([expires, undone].sort());
      expect(await then(endOf(2020))).toEqual([undone]);
      expect(await then(endOf(2019), { status: "canonical" })).toEqual([undone]);
      expect(await then(endOf(2020), { includeInactive: true })).toHaveLength(3);
      expect(await recalledIds(owner, "quokka")).toEqual([]);
      expect((await owner.recall("as of 2020")).hits).toMatchObject([
        { id: undone, status: "canonical" },
      ]);
    });

    it("[REC-22] a draft only proposes to replace what is canonical, then as now", async () => {
      const { owner } = await open();
      const a = await captured(owner, "The quokka sleeps in the barn", {
        occurredAt: year(2018),
        status: "canonical",
      });
      const draft = await captured(owner, "Housing elsewhere", {
        occurredAt: year(2019),
        links: [{ type: "supersedes", dst: a }],
      });
      const c = await captured(owner, "Housing in the loft", {
        occurredAt: year(2022),
        status: "canonical",
        links: [{ type: "supersedes", dst: a }],
      });
      await owner.setStatus(a, "deprecated");
      const at = (asOf: number) => recalledIds(owner, "quokka", { asOf, hops: 0 });
      expect(await at(endOf(2019))).toEqual([a]);
      expect(await at(endOf(2022))).toEqual([c]);
      await owner.setStatus(draft, "canonical");
      expect(await at(endOf(2022))).toEqual([c]);
    });

    it("[RWR-6] 'as of' and what a rule was set it from the words; the caller's wins", async () => {
      const { owner } = await open();
      const [a, b, c] = await chain(owner);
      const answer = async (query: string, options = {}) => {
        const { hits, asOf } = await owner.recall(query, { hops: 0, ...options });
        return [hits[0]?.id, asOf];
      };
      expect(await answer("quokka as of 2019")).toEqual([a, endOf(2019)]);
      expect(await answer("what was the quokka rule in 2021")).toEqual([b, endOf(2021)]);
      expect(await answer("quokka in 2021")).toEqual([c, null]);
      const asOf = endOf(2020);
      expect(await answer("quokka as of 2019", { asOf })).toEqual([b, asOf]);
    });

    it("[RWR-5] with a time to answer as of, age does not count", async () => {
      const { owner } = await open();
      const id = await captured(owner, "lantern", { occurredAt: year(2018) });
      const recency = async (options: { asOf?: number }) =>
        (await hitOf(owner, id, "lantern", { explain: true, observe: true, ...options })).why
          ?.factors.recency;
      expect(await recency({})).toBeLessThan(1);
      expect(await recency({ asOf: endOf(2019) })).toBe(1);
    });
  });
}
