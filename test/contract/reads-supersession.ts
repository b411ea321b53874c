import { describe, expect, it } from "vitest";
import type { MiniSphereApi } from "../../contracts/index.ts";
import { captured, capturedAll, hitOf, idsOf, recalledIds, times } from "./reads-support.ts";
import type { Open } from "./suite.ts";

/** `upper` replaces `lower`. */
const replace = (owner: MiniSphereApi, upper: string, lower: string) =>
  owner.link(upper, lower, "supersedes");

/** A chain in which only the lowest entry holds the word quokka, lowest first. */
async function chain(owner: MiniSphereApi, length = 3): Promise<string[]> {
  const ids = await capturedAll(owner, [
    { content: "The quokka sleeps in the barn" },
    ...times(length - 1, (n) => ({ content: `Housing arrangement number ${n + 2}` })),
  ]);
  for (const [n, id] of ids.entries()) if (n > 0) await replace(owner, id, ids[n - 1]!);
  return ids;
}

export function registerSupersessionReads(open: Open): void {
  describe("supersession", () => {
    it("[REC-15] a word of the lowest entry is answered by the head, naming all it replaced", async () => {
      const { owner } = await open();
      const [a = "", b = "", c = ""] = await chain(owner);
      const { hits } = await owner.recall("quokka");
      expect(idsOf(hits)).toEqual([c]);
      expect(hits[0]?.supersedes).toEqual([a, b].sort());
      expect(hits[0]?.fork).toBeUndefined();
      expect(hits[0]?.via).toBeUndefined();
    });

    it("[SUP-1] unlink brings back what was replaced, at once", async () => {
      const { owner } = await open();
      const [a = "", b = "", c = ""] = await chain(owner);
      await owner.unlink(b, a, "supersedes");
      const { hits } = await owner.recall("quokka");
      expect(hits[0]?.id).toBe(a);
      expect(hits.flatMap((hit) => hit.supersedes ?? [])).toEqual([]);
      expect(await owner.getEntry(a)).toMatchObject({ superseded: false, supersededBy: [] });
      expect(await owner.getEntry(b)).toMatchObject({ superseded: true, supersededBy: [c] });
    });

    it("[SUP-1] a deprecated head gives way to the next one, and without any the entry is current", async () => {
      const { owner } = await open();
      const [a = "", b = "", c = ""] = await chain(owner);
      await owner.setStatus(c, "deprecated");
      expect(await hitOf(owner, b, "quokka")).toMatchObject({ supersedes: [a] });
      await owner.setStatus(b, "deprecated");
      expect(await recalledIds(owner, "quokka")).toEqual([a]);
      await owner.setStatus(c, "draft");
      expect((await owner.getEntry(a)).supersededBy).toEqual([c]);
    });

    it("[SUP-1] an expired head replaces nothing", async () => {
      const { owner } = await open();
      const a = await captured(owner, "The quokka sleeps in the barn");
      await captured(owner, "for a while", {
        expiresAt: 1,
        links: [{ type: "supersedes", dst: a }],
      });
      expect(await owner.getEntry(a)).toMatchObject({ superseded: false, supersededBy: [] });
      expect(await recalledIds(owner, "quokka")).toEqual([a]);
    });

    it("[SUP-2] a draft only proposes to replace what is canonical", async () => {
      const { owner } = await open();
      const a = await captured(owner, "The quokka sleeps in the barn", { status: "canonical" });
      const draft = await captured(owner, "Housing elsewhere");
      await replace(owner, draft, a);
      expect((await owner.recall("quokka", { hops: 0 })).hits).toMatchObject([{ id: a }]);
      expect((await owner.getEntry(a)).superseded).toBe(false);
      await owner.setStatus(draft, "canonical");
      expect((await owner.recall("quokka")).hits).toMatchObject([{ id: draft, supersedes: [a] }]);
    });

    it("[SUP-2] a draft over a deprecated entry over a canonical one only proposes too", async () => {
      const { owner } = await open();
      const a = await captured(owner, "The quokka sleeps in the barn", { status: "canonical" });
      const b = await captured(owner, "Housing in the shed", { status: "canonical" });
      const draft = await captured(owner, "Housing elsewhere");
      await replace(owner, b, a);
      await replace(owner, draft, b);
      await owner.setStatus(b, "deprecated");
      expect((await owner.getEntry(a)).supersededBy).toEqual([]);
      expect(await recalledIds(owner, "quokka")).toEqual([a]);
      await owner.setStatus(draft, "canonical");
      expect((await owner.getEntry(a)).supersededBy).toEqual([draft]);
    });

    it("[SUP-2] a draft replaces another draft at once", async () => {
      const { owner } = await open();
      const [a = "", b = ""] = await chain(owner, 2);
      expect((await owner.getEntry(a)).supersededBy).toEqual([b]);
    });

    it("[SUP-3] a deprecated middle does not bring back what it replaced", async () => {
      const { owner } = await open();
      const [a = "", b = "", c = ""] = await chain(owner);
      await owner.setStatus(b, "deprecated");
      expect((await owner.getEntry(a)).supersededBy).toEqual([c]);
      expect((await owner.recall("quokka")).hits).toMatchObject([
        { id: c, supersedes: [a, b].sort() },
      ]);
      await owner.setStatus(c, "deprecated");
      expect((await owner.getEntry(a)).superseded).toBe(false);
      expect(await recalledIds(owner, "quokka")).toEqual([a]);
    });

    it("[SUP-4] getEntry names several heads, sorted, as a fork", async () => {
      const { owner } = await open();
      const [a = "", b = "", c = ""] = await capturedAll(owner, [
        { content: "The quokka sleeps in the barn" },
        { content: "It moved to the shed" },
        { content: "It moved to the loft" },
      ]);
      await replace(owner, b, a);
      expect(await owner.getEntry(a)).toMatchObject({ supersededBy: [b], fork: false });
      await replace(owner, c, a);
      expect(await owner.getEntry(a)).toMatchObject({ supersededBy: [b, c].sort(), fork: true });
    });

    it("[REC-15] a fork is answered by each of its heads, marked", async () => {
      const { owner } = await open();
      const [a = "", b = "", c = ""] = await capturedAll(owner, [
        { content: "The quokka sleeps in the barn" },
        { content: "It moved to the shed" },
        { content: "It moved to the loft" },
      ]);
      await replace(owner, b, a);
      await replace(owner, c, a);
      const { hits } = await owner.recall("quokka");
      expect(idsOf(hits).sort()).toEqual([b, c].sort());
      for (const hit of hits) expect(hit).toMatchObject({ supersedes: [a], fork: true });
    });

    it("[REC-15] with includeInactive nothing is substituted, and the hit names its heads", async () => {
      const { owner } = await open();
      const [a = "", , c = ""] = await chain(owner);
      const { hits } = await owner.recall("quokka", { includeInactive: true, hops: 0 });
      expect(hits).toMatchObject([{ id: a, supersededBy: [c] }]);
      expect(hits[0]?.supersedes).toBeUndefined();
    });

    it("[REC-15] a head answers only where it passes the filter", async () => {
      const { owner } = await open();
      const a = await captured(owner, "The quokka sleeps in the barn", { tags: ["zoo"] });
      await captured(owner, "It moved", { links: [{ type: "supersedes", dst: a }] });
      expect(await owner.recall("quokka", { tag: "zoo" })).toMatchObject({
        hits: [],
        reason: "all_filtered",
      });
    });

    it("[SUP-5] superseded entries leave recall, as hits and as neighbours", async () => {
      const { owner } = await open();
      const [a = "", b = ""] = await chain(owner, 2);
      const near = await captured(owner, "A wombat lives next door");
      await owner.link(near, a, "relates_to");
      expect(await recalledIds(owner, "wombat", { hops: 1 })).toEqual([near]);
      expect(await recalledIds(owner, "quokka barn", { hops: 0 })).toEqual([b]);
    });

    it("[SUP-6] what rests on a superseded entry says so, on hits too", async () => {
      const { owner } = await open();
      const [ground = ""] = await chain(owner, 2);
      const [effect = "", document = "", meeting = "", decision = "", second = "", third = ""] =
        await capturedAll(owner, [
          { content: "numbat effect" },
          { content: "numbat document", kind: "semantic" },
          { content: "numbat meeting" },
          { content: "numbat decision" },
          { content: "numbat second step" },
          { content: "numbat third step" },
        ]);
      await owner.link(effect, ground, "caused_by");
      await owner.link(document, ground, "document_of");
      await owner.link(ground, decision, "decided");
      await owner.link(second, effect, "caused_by");
      await owner.link(third, second, "caused_by");
      // The other way round nothing rests on anything.
      await owner.link(ground, meeting, "caused_by");
      const resting = [effect, document, decision, second];
      const { hits } = await owner.recall("numbat", { hops: 0 });
      expect(hits).toHaveLength(6);
      for (const hit of hits) {
        const expected = resting.includes(hit.id) ? [ground] : [];
        expect(hit.restsOnSuperseded ?? []).toEqual(expected);
        expect((await owner.getEntry(hit.id)).restsOnSuperseded).toEqual(expected);
      }
    });

    it("[SUP-7] a call on more than 1,000 replacements still answers", async () => {
      const { owner } = await open();
      const a = await captured(owner, "The quokka sleeps in the barn");
      const heads = await capturedAll(
        owner,
        times(1_200, (n) => ({ content: `head ${n}`, links: [{ type: "supersedes", dst: a }] })),
      );
      const { supersededBy, fork } = await owner.getEntry(a);
      expect(fork).toBe(true);
      expect(supersededBy.length).toBeGreaterThan(500);
      expect(supersededBy.filter((id) => !heads.includes(id))).toEqual([]);
      const { hits } = await owner.recall("quokka");
      expect(hits).toHaveLength(10);
      expect(hits.every((hit) => hit.fork && hit.supersedes?.includes(a))).toBe(true);
    });
  });
}
