import { describe, expect, it } from "vitest";
import type { Graph } from "../../contracts/index.ts";
import { captured, capturedAll, idsOf, times } from "./reads-support.ts";
import { refusal } from "./suite.ts";
import type { Open } from "./suite.ts";

export function registerGraphReads(open: Open): void {
  describe("graphView with seeds", () => {
    it("[GRA-1] shows the seeds and what lies within the hops, both ways", async () => {
      const { owner } = await open();
      const ids = await capturedAll(
        owner,
        times(7, (n) => ({ content: `stage ${n}` })),
      );
      // 0 ← 1 ← 2 ← 3 → 4 → 5 → 6
      for (const n of [0, 1, 2]) await owner.link(ids[n + 1]!, ids[n]!, "caused_by");
      for (const n of [3, 4, 5]) await owner.link(ids[n]!, ids[n + 1]!, "caused_by");
      const around = async (hops?: number) => {
        const graph = await owner.graphView({
          seedIds: [ids[3]!],
          ...(hops !== undefined && { hops }),
        });
        expectClosed(graph);
        expect(graph.truncated).toBe(false);
        return idsOf(graph.nodes).sort();
      };
      expect(await around(0)).toEqual([ids[3]]);
      expect(await around()).toEqual(ids.slice(2, 5).sort());
      expect(await around(2)).toEqual(ids.slice(1, 6).sort());
      expect(await around(3)).toEqual(ids.toSorted());
    });

    it("[GRA-1] walks a cycle once", async () => {
      const { owner } = await open();
      const [a = "", b = "", c = ""] = await capturedAll(
        owner,
        times(3, (n) => ({ content: `turn ${n}` })),
      );
      await owner.link(a, b, "follows");
      await owner.link(b, c, "follows");
      await owner.link(c, a, "follows");
      const graph = await owner.graphView({ seedIds: [a, a], hops: 3 });
      expect(idsOf(graph.nodes).sort()).toEqual([a, b, c].sort());
      expect(graph.edges).toHaveLength(3);
      expect(graph.truncated).toBe(false);
    });

    it("[GRA-1] shows the edge that led to each node, from a hub too", async () => {
      const { owner } = await open();
      const hub = await captured(owner, "hub");
      await owner.captureMany(
        times(250, (n) => ({ content: `effect ${n}`, links: [{ type: "caused_by", src: hub }] })),
      );
      const graph = await owner.graphView({ seedIds: [hub] });
      expectClosed(graph);
      expect(graph.nodes).toHaveLength(251);
      expect(graph.edges).toHaveLength(250);
      expect(graph.truncated).toBe(false);
    });

    it("[GRA-1] an unknown seed is not_found", async () => {
      const { owner } = await open();
      const id = await captured(owner, "known");
      expect(await refusal(owner.graphView({ seedIds: [id, "00000000"] }))).toMatchObject({
        code: "not_found",
        details: { id: "00000000" },
      });
    });

    it("[GRA-3] shows at most limit nodes and says when there was more", async () => {
      const { owner } = await open();
      const hub = await captured(owner, "hub");
      await capturedAll(
        owner,
        times(1_500, (n) => ({ content: `leaf ${n}`, links: [{ type: "caused_by", dst: hub }] })),
      );
      for (const [limit, nodes] of [
        [undefined, 300],
        [1, 1],
        [20, 20],
        [1_500, 1_500],
      ]) {
        const graph = await owner.graphView({
          seedIds: [hub],
          hops: 3,
          ...(limit !== undefined && { limit }),
        });
        expectClosed(graph);
        expect(graph.nodes).toHaveLength(nodes!);
        expect(graph.edges).toHaveLength(nodes! - 1);
        expect(graph.truncated).toBe(true);
      }
    });

    it("[GRA-3] shows inactive nodes, flagged", async () => {
      const { owner } = await open();
      const [seed = "", gone = "", replaced = "", head = ""] = await capturedAll(owner, [
        { content: "seed" },
        { content: "  \n gone\nsecond line", kind: "semantic", importance: 2 },
        { content: "replaced", occurredAt: 0 },
        { content: "head" },
      ]);
      await owner.setStatus(gone, "deprecated");
      await owner.link(head, replaced, "supersedes");
      await owner.link(seed, gone, "relates_to");
      await owner.link(seed, replaced, "relates_to");
      const { nodes } = await owner.graphView({ seedIds: [seed] });
      expect(nodes.find((node) => node.id === gone)).toEqual({
        id: gone,
        title: "gone",
        kind: "semantic",
        status: "deprecated",
        importance: 2,
        stale: false,
        superseded: false,
      });
      expect(nodes.find((node) => node.id === replaced)).toMatchObject({
        stale: true,
        superseded: true,
      });
    });
  });

  describe("graphView without seeds", () => {
    it("[GRA-2] is empty without edges", async () => {
      const { owner } = await open();
      await owner.capture("alone");
      expect(await owner.graphView()).toEqual({ nodes: [], edges: [], truncated: false });
    });

    it("[GRA-2] grows from the strongest edges", async () => {
      const { owner } = await open();
      const ids = await capturedAll(
        owner,
        times(10, (n) => ({ content: `entry ${n}` })),
      );
      const weights = [0.1, 0.9, 0.5, 0.7, 0.6];
      for (const [n, weight] of weights.entries()) {
        await owner.link(ids[2 * n]!, ids[2 * n + 1]!, "caused_by", { weight });
      }
      const shown = async (limit: number) => {
        const graph = await owner.graphView({ limit });
        expectClosed(graph);
        return { nodes: idsOf(graph.nodes).sort(), truncated: graph.truncated };
      };
      const pairs = (...numbers: number[]) =>
        numbers.flatMap((n) => ids.slice(2 * n, 2 * n + 2)).sort();
      expect(await shown(2)).toEqual({ nodes: pairs(1), truncated: true });
      expect(await shown(4)).toEqual({ nodes: pairs(1, 3), truncated: true });
      expect(await shown(6)).toEqual({ nodes: pairs(1, 3, 4), truncated: true });
      expect(await shown(8)).toEqual({ nodes: pairs(1, 3, 4, 2), truncated: true });
      expect(await shown(10)).toEqual({ nodes: ids.toSorted(), truncated: false });
    });
  });
}

/** Every edge has both ends among the nodes. */
function expectClosed(graph: Graph): void {
  const nodes = new Set(idsOf(graph.nodes));
  expect(nodes.size).toBe(graph.nodes.length);
  expect(graph.edges.filter(({ src, dst }) => !nodes.has(src) || !nodes.has(dst))).toEqual([]);
}
