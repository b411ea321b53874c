import { describe, expect, it } from "vitest";
import { inSphere } from "../support/sphere.ts";
import type { Bench, Calls } from "../support/sphere.ts";

/** A hub with leaves that all point at it, and a cycle of three through the hub. */
function hubAndCycle({ owner }: Bench, leaves: number): { hub: string; cycle: string[] } {
  const hub = owner.capture("the lantern hub").id;
  for (let start = 0; start < leaves; start += 500) {
    const items = Array.from({ length: Math.min(500, leaves - start) }, (_, n) => ({
      content: `leaf ${start + n} of the long wall ${"and its stones ".repeat(30)}`,
      links: [{ type: "caused_by" as const, dst: hub }],
    }));
    owner.captureMany(items);
  }
  const [b = "", c = ""] = owner
    .captureMany([{ content: "second turn" }, { content: "third turn" }])
    .results.map(({ id }) => id);
  owner.link(hub, b, "follows", { weight: 1 });
  owner.link(b, c, "follows", { weight: 1 });
  owner.link(c, hub, "follows", { weight: 1 });
  return { hub, cycle: [b, c] };
}

describe("a hub with 1,500 neighbours and a cycle of 3", () => {
  it("[REC-4] recall with 3 hops finds the cycle, each entry once, within the budget", async () => {
    await inSphere((bench) => {
      const { hub, cycle } = hubAndCycle(bench, 1_500);
      const { hits } = bench.owner.recall("lantern hub", { hops: 3, topK: 50 });
      const ids = hits.map(({ id }) => id);
      expect(ids[0]).toBe(hub);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toEqual(expect.arrayContaining(cycle));
      const chars = hits.map((hit) => hit.content.length).reduce((sum, n) => sum + n, 0);
      expect(chars).toBeLessThanOrEqual(12_000);
    });
  });

  it("[STO-7] recall with 3 hops reads no more than with 100 neighbours", async () => {
    const rows = (leaves: number) =>
      inSphere((bench) => {
        hubAndCycle(bench, leaves);
        bench.owner.recall("lantern hub", { hops: 3 });
        return bench.rowsOf("recall").rowsRead;
      });
    const few = await rows(100);
    // Which 50 entries a walk meets follows from random ids; a row more or less is theirs.
    expect(await rows(1_500)).toBeLessThanOrEqual(few + 10);
    expect(few).toBeLessThan(1_000);
  });

  it("[GRA-3] graphView reads rows by its limit, not by the hub", async () => {
    const rows = (leaves: number) =>
      inSphere((bench) => {
        const { hub } = hubAndCycle(bench, leaves);
        const graph = bench.owner.graphView({ seedIds: [hub], hops: 3, limit: 50 });
        expect(graph.nodes).toHaveLength(50);
        expect(graph.truncated).toBe(true);
        return bench.rowsOf("graphView").rowsRead;
      });
    // Which leaves are shown, and so a row or two, depends on their random ids.
    expect(await rows(1_500)).toBeLessThan((await rows(400)) * 1.05);
  });

  it("[GRA-1] graphView goes round the cycle and shows each of its edges once", async () => {
    await inSphere((bench) => {
      const { hub, cycle } = hubAndCycle(bench, 10);
      const { nodes, edges, truncated } = bench.owner.graphView({ seedIds: [cycle[0]!], hops: 3 });
      expect(nodes).toHaveLength(13);
      expect(edges).toHaveLength(13);
      expect(new Set(nodes.map(({ id }) => id))).toContain(hub);
      expect(truncated).toBe(false);
    });
  });
});

describe("graphView", () => {
  it("[GRA-1] gives the same bytes in a warm object and in one just woken", async () => {
    await inSphere((bench) => {
      const { hub } = hubAndCycle(bench, 60);
      const answers = (calls: Calls) =>
        [{ seedIds: [hub], hops: 2 }, { seedIds: [hub], limit: 7 }, {}, { limit: 5 }].map(
          (options) => JSON.stringify(calls.graphView(options)),
        );
      expect(answers(bench.wake())).toEqual(answers(bench.owner));
    });
  });

  it("[GRA-3] flags every superseded node, of more than 1,000 too", async () => {
    await inSphere(({ owner }) => {
      const hub = owner.capture("hub").id;
      const ids: string[] = [];
      for (let start = 0; start < 1_200; start += 400) {
        const items = Array.from({ length: 400 }, (_, n) => ({
          content: `old ${start + n}`,
          links: [{ type: "supersedes" as const, src: hub }],
        }));
        ids.push(...owner.captureMany(items).results.map(({ id }) => id));
      }
      const { nodes } = owner.graphView({ seedIds: [hub], limit: 1_500 });
      expect(nodes).toHaveLength(1_201);
      expect(nodes.filter((node) => !node.superseded).map(({ id }) => id)).toEqual([hub]);
    });
  });
});

describe("many chains at once", () => {
  it("[SUP-5] [REC-15] serves no replaced entry, however many chains match", async () => {
    await inSphere(({ owner }) => {
      const heads = new Set<string>();
      for (let service = 0; service < 100; service++) {
        const items = Array.from({ length: 30 }, (_, build) => ({
          content: `Deploy status of service web${service}: build ${build} is live`,
          status: "canonical" as const,
        }));
        const ids = owner.captureMany(items).results.map(({ id }) => id);
        for (const [n, id] of ids.entries()) if (n > 0) owner.link(id, ids[n - 1]!, "supersedes");
        heads.add(ids.at(-1)!);
      }
      for (const query of ["service web11 status", "build 3 is live"]) {
        const { hits } = owner.recall(query, { topK: 20 });
        expect(hits).toHaveLength(20);
        expect(hits.filter(({ id }) => !heads.has(id))).toEqual([]);
      }
    });
  });
});

describe("a chain of 1,200 replacements", () => {
  it("[SUP-7] is answered by recall, getEntry, lists and link, from either end", async () => {
    await inSphere(({ owner }) => {
      const items = Array.from({ length: 1_200 }, (_, n) => ({ content: `version ${n}` }));
      const ids = [items.slice(0, 500), items.slice(500, 1_000), items.slice(1_000)].flatMap(
        (part) => owner.captureMany(part).results.map(({ id }) => id),
      );
      for (const [n, id] of ids.entries()) if (n > 0) owner.link(id, ids[n - 1]!, "supersedes");
      expect(owner.getEntry(ids[300]!).supersededBy).toEqual([ids.at(-1)]);
      expect(owner.getEntry(ids[0]!).superseded).toBe(true);
      expect(owner.recall("version 1199").hits[0]?.id).toBe(ids.at(-1));
      const { hits } = owner.recall("version 700", { topK: 50 });
      expect(hits.map(({ id }) => id)).toEqual([ids.at(-1)]);
      expect(hits[0]?.supersedes).toHaveLength(50);
      expect(hits[0]?.content).toBe("version 1199");
      const { entries } = owner.listRecent({ n: 200 });
      expect(entries.filter((entry) => !entry.superseded).length).toBeLessThanOrEqual(1);
    });
  });
});
