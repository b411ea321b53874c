import { describe, expect, it } from "vitest";
import { EDGE_TYPES, PROVENANCES } from "../../contracts/index.ts";
import { refusal } from "./suite.ts";
import type { Open } from "./suite.ts";
import { clockPast, entries, stateOf } from "./writes-support.ts";

export function registerLinkTests(open: Open): void {
  describe("link", () => {
    it("[LNK-1] makes an edge with these defaults", async () => {
      const { owner } = await open();
      const [a = "", b = ""] = await entries(owner, 2);
      const before = (await owner.getBrief()).at;
      const { edge, created } = await owner.link(a, b, "follows");
      expect(created).toBe(true);
      expect(edge).toEqual({
        src: a,
        dst: b,
        type: "follows",
        provenance: "explicit",
        weight: 0.5,
        metadata: null,
        createdAt: edge.createdAt,
        updatedAt: edge.createdAt,
      });
      expect(edge.createdAt).toBeGreaterThanOrEqual(before);
      expect((await owner.connections(a)).edges).toEqual([edge]);
      expect((await owner.connections(b)).edges).toEqual([edge]);
    });

    it.each([0, 0.25, 1])(
      "[LNK-1][INP-7] with weight %d every option can be read",
      async (weight) => {
        const { owner } = await open();
        const [a = "", b = ""] = await entries(owner, 2);
        const metadata = { "é_%": [1, null, { deep: "漢字 🦆" }], on: true };
        const options = { weight, provenance: "inferred", metadata } as const;
        const { edge } = await owner.link(a, b, "caused_by", options);
        expect(edge).toMatchObject({ src: a, dst: b, ...options });
        expect((await owner.connections(a)).edges).toEqual([edge]);
        expect((await owner.graphView({ seedIds: [b] })).edges).toEqual([edge]);
      },
    );

    it("[LNK-2] relates_to is one edge, whichever way it is given", async () => {
      const { owner } = await open();
      const [low = "", high = ""] = (await entries(owner, 2)).sort();
      const first = await owner.link(high, low, "relates_to");
      expect(first).toMatchObject({ created: true, edge: { src: low, dst: high } });
      expect((await owner.link(low, high, "relates_to")).created).toBe(false);
      expect((await owner.getStats()).edges.total).toBe(1);
      expect(await owner.unlink(high, low, "relates_to")).toEqual({ removed: true });
      await owner.link(low, high, "relates_to");
      expect(await owner.unlink(low, high, "relates_to")).toEqual({ removed: true });
      expect((await owner.getStats()).edges.total).toBe(0);
    });

    it("[LNK-2] other types have a direction", async () => {
      const { owner } = await open();
      const [a = "", b = ""] = await entries(owner, 2);
      expect((await owner.link(a, b, "caused_by")).created).toBe(true);
      expect((await owner.link(b, a, "caused_by")).created).toBe(true);
      expect((await owner.getStats()).edges.byType.caused_by).toBe(2);
    });

    it("[LNK-3] the same edge again keeps the larger weight", async () => {
      const { owner } = await open();
      const [a = "", b = ""] = await entries(owner, 2);
      const weigh = async (weight: number) =>
        (await owner.link(a, b, "follows", { weight })).edge.weight;
      expect([await weigh(0.2), await weigh(0.7), await weigh(0.3), await weigh(0)]).toEqual([
        0.2, 0.7, 0.7, 0.7,
      ]);
      expect((await owner.connections(a)).edges).toMatchObject([{ weight: 0.7 }]);
    });

    it("[LNK-3] the same edge again keeps the stronger provenance", async () => {
      const { owner } = await open();
      for (const [first, one] of PROVENANCES.entries()) {
        for (const [second, two] of PROVENANCES.entries()) {
          const [a = "", b = ""] = await entries(owner, 2);
          await owner.link(a, b, "follows", { provenance: one });
          const again = await owner.link(a, b, "follows", { provenance: two });
          expect(again.created).toBe(false);
          expect(again.edge.provenance).toBe(PROVENANCES[Math.min(first, second)]);
          await owner.forget(a);
          await owner.forget(b);
        }
      }
    });

    it("[LNK-3] the same edge again takes new metadata when given", async () => {
      const { owner } = await open();
      const [a = "", b = ""] = await entries(owner, 2);
      const link = async (options?: { metadata: { n: number } }) =>
        (await owner.link(a, b, "follows", options)).edge.metadata;
      expect(await link({ metadata: { n: 1 } })).toEqual({ n: 1 });
      expect(await link()).toEqual({ n: 1 });
      expect(await link({ metadata: { n: 2 } })).toEqual({ n: 2 });
    });

    it("[LNK-3] the same edge with nothing new is as it was", async () => {
      const { owner } = await open();
      const [a = "", b = ""] = await entries(owner, 2);
      const { edge } = await owner.link(a, b, "follows", { weight: 0.9, metadata: { n: 1 } });
      await clockPast(owner, edge.updatedAt);
      const again = await owner.link(a, b, "follows", { weight: 0.1, provenance: "system" });
      expect(again).toEqual({ edge, created: false });
      const { edge: heavier } = await owner.link(a, b, "follows", { weight: 1 });
      expect(heavier.createdAt).toBe(edge.createdAt);
      expect(heavier.updatedAt).toBeGreaterThan(edge.updatedAt);
    });

    it.each(EDGE_TYPES)("[LNK-4] %s of an entry to itself is invalid_input", async (type) => {
      const { owner } = await open();
      const { id } = await owner.capture("tree");
      const error = await refusal(owner.link(id, id, type));
      expect(error).toMatchObject({ code: "invalid_input", details: { path: "dst" } });
      expect(await stateOf(owner, id)).toMatchObject({ connections: { edges: [] } });
    });

    it("[LNK-4] a missing end is not_found with its id", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("tree");
      for (const missing of ["00000000", "ffffffff"]) {
        for (const type of ["relates_to", "follows"] as const) {
          for (const [src, dst] of [
            [id, missing],
            [missing, id],
          ] as const) {
            const error = await refusal(owner.link(src, dst, type));
            expect(error).toMatchObject({ code: "not_found", details: { id: missing } });
          }
        }
      }
    });
  });

  describe("unlink", () => {
    it("[LNK-5] removes exactly that edge", async () => {
      const { owner } = await open();
      const [a = "", b = "", c = ""] = await entries(owner, 3);
      const kept = [
        (await owner.link(b, a, "follows")).edge,
        (await owner.link(a, b, "caused_by")).edge,
        (await owner.link(a, c, "follows")).edge,
      ];
      await owner.link(a, b, "follows");
      expect(await owner.unlink(a, b, "follows")).toEqual({ removed: true });
      expect(await owner.unlink(a, b, "follows")).toEqual({ removed: false });
      const { edges } = await owner.connections(a);
      expect(edges).toHaveLength(3);
      expect(edges).toEqual(expect.arrayContaining(kept));
    });

    it("[LNK-5] answers removed: false between entries without such an edge", async () => {
      const { owner } = await open();
      const [a = "", b = ""] = await entries(owner, 2);
      await owner.link(a, b, "follows");
      expect(await owner.unlink(b, a, "follows")).toEqual({ removed: false });
      expect(await owner.unlink(a, b, "relates_to")).toEqual({ removed: false });
      expect(await owner.unlink(a, a, "relates_to")).toEqual({ removed: false });
    });
  });
}
