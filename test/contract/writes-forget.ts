import { describe, expect, it } from "vitest";
import type { MiniSphereApi } from "../../contracts/index.ts";
import { LIMITS } from "../../contracts/index.ts";
import type { Open } from "./suite.ts";
import { entries, refusals } from "./writes-support.ts";

export function registerForgetTests(open: Open): void {
  describe("forget", () => {
    it("[FGT-1] removes the entry and all that hangs on it, counted, and only once", async () => {
      const { owner } = await open();
      const [a = "", b = ""] = await entries(owner, 2);
      const { id } = await owner.capture("heron", { tags: ["bird", "grey", "session:1"] });
      await owner.link(id, a, "follows");
      await owner.link(a, id, "relates_to");
      await owner.link(b, id, "caused_by");
      await owner.link(a, b, "follows");
      await owner.append(id, "waits");
      await owner.setStatus(id, "canonical");
      expect(await owner.forget(id)).toEqual({ id, removed: { edges: 3, revisions: 2, tags: 2 } });
      const calls = [owner.forget(id), owner.getEntry(id), owner.append(id, "more")];
      for (const error of await refusals(calls)) {
        expect(error).toMatchObject({ code: "not_found", details: { id } });
      }
      expect((await owner.getStats()).edges.total).toBe(1);
    });

    it("[FGT-1] of an entry that nothing hangs on removes nothing else", async () => {
      const { owner } = await open();
      const [a = "", b = ""] = await entries(owner, 2);
      expect(await owner.forget(a)).toEqual({
        id: a,
        removed: { edges: 0, revisions: 0, tags: 0 },
      });
      expect((await owner.getEntry(b)).content).toBe("entry 1");
    });

    it("[FGT-2] leaves no read that mentions the id", async () => {
      const { owner } = await open();
      const [a = "", b = "", c = ""] = await entries(owner, 3);
      const { id } = await owner.capture("heron", {
        tags: ["bird", "handoff"],
        status: "canonical",
        links: [
          { type: "follows", dst: a },
          { type: "relates_to", src: b },
        ],
      });
      await owner.link(id, a, "supersedes");
      await owner.link(b, id, "supersedes");
      await owner.link(c, a, "caused_by");
      await owner.append(id, "waits");
      await owner.recall("heron");
      expect(await everythingRead(owner, [a, b, c])).toContain(id);
      await owner.forget(id);
      expect(await everythingRead(owner, [a, b, c])).not.toContain(id);
      expect(await owner.getTags()).toEqual([]);
      expect(await owner.getCount()).toBe(3);
      expect((await owner.recall("heron", { includeInactive: true })).reason).toBe("no_match");
    });

    it("[FGT-4] is counted by the brief", async () => {
      const { owner } = await open();
      const ids = await entries(owner, 3);
      const { at } = await owner.getBrief();
      for (const id of ids) await owner.forget(id);
      const { changes } = await owner.getBrief({ since: at });
      expect(changes.counts.forgotten).toBe(3);
      expect(changes.newest).toEqual([]);
    });

    it("[FGT-5] joins what stood above and below it in supersedes chains, for each pair", async () => {
      const { owner } = await open();
      const [above1 = "", above2 = "", middle = "", below1 = "", below2 = ""] = await entries(
        owner,
        5,
      );
      for (const above of [above1, above2]) await owner.link(above, middle, "supersedes");
      for (const below of [below1, below2]) await owner.link(middle, below, "supersedes");
      await owner.link(above1, below1, "supersedes", { weight: 0.9, metadata: { by: "hand" } });
      await owner.forget(middle);
      for (const above of [above1, above2]) {
        const { edges } = await owner.connections(above, { type: "supersedes", direction: "out" });
        expect(edges.map((edge) => edge.dst).sort()).toEqual([below1, below2].sort());
        for (const edge of edges) {
          const stood = edge.src === above1 && edge.dst === below1;
          expect(edge).toMatchObject(
            stood
              ? { provenance: "explicit", weight: 0.9, metadata: { by: "hand" } }
              : { provenance: "system", weight: 0.5, metadata: null },
          );
        }
      }
      for (const below of [below1, below2]) {
        expect((await owner.getEntry(below)).supersededBy).toEqual([above1, above2].sort());
      }
    });

    it("[FGT-5] in a wide fork keeps all below replaced with a bounded number of edges", async () => {
      const { owner } = await open();
      const ids = await entries(owner, 121);
      const [middle = "", ...rest] = ids;
      const [above, below] = [rest.slice(0, 60), rest.slice(60)];
      for (const id of above) await owner.link(id, middle, "supersedes");
      for (const id of below) await owner.link(middle, id, "supersedes");
      await owner.setStatus([...above].sort()[0] ?? "", "deprecated");
      await owner.forget(middle);
      expect((await owner.getStats()).edges.total).toBe(16 * 60);
      for (const id of below) expect((await owner.getEntry(id)).supersededBy).toHaveLength(16);
    });

    it("[FGT-5] joins nothing where the forgotten draft only proposed to replace", async () => {
      const { owner } = await open();
      const [c = "", draft = "", a = ""] = await entries(owner, 3);
      for (const id of [c, a]) await owner.setStatus(id, "canonical");
      await owner.link(c, draft, "supersedes");
      await owner.link(draft, a, "supersedes");
      await owner.forget(draft);
      expect((await owner.getStats()).edges.total).toBe(0);
      expect((await owner.getEntry(a)).superseded).toBe(false);
    });

    it("[FGT-5] at an end of a chain joins nothing", async () => {
      const { owner } = await open();
      const [c = "", b = "", a = ""] = await entries(owner, 3);
      await owner.link(c, b, "supersedes");
      await owner.link(b, a, "supersedes");
      await owner.forget(c);
      expect((await owner.getStats()).edges.byType.supersedes).toBe(1);
      expect((await owner.getEntry(a)).supersededBy).toEqual([b]);
      await owner.forget(a);
      expect((await owner.getStats()).edges.total).toBe(0);
    });
  });
}

/** Every read of the memory, as one text. */
async function everythingRead(owner: MiniSphereApi, ids: readonly string[]): Promise<string> {
  const options = { observe: true, hops: 3, includeInactive: true, includeExhaust: true } as const;
  const reads = [
    owner.recall("heron waits", { ...options, explain: true }),
    owner.recall("entry", { ...options, explain: true, topK: 50 }),
    owner.recall("entry heron", { observe: true, hops: 3 }),
    owner.listRecent({ n: 200 }),
    owner.listRecent({ tag: "bird" }),
    owner.getTags(),
    owner.getStats(),
    owner.getBrief({ maxChars: LIMITS.briefChars.max, since: 0, objective: "entry heron" }),
    owner.graphView(),
    owner.graphView({ seedIds: [...ids], hops: 3 }),
    ...ids.flatMap((id) => [owner.getEntry(id), owner.history(id), owner.connections(id)]),
  ];
  return JSON.stringify(await Promise.all(reads));
}
