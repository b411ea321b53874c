import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Status } from "../../contracts/index.ts";
import type { SupersedesEdge } from "../../src/storage/edges.ts";
import { Supersession } from "../../src/storage/supersession.ts";

/** Edges of a graph whose entries are numbered upward: a higher number stands above a lower one. */
const anyGraph = fc.record({
  statuses: fc.array(fc.constantFrom<Status>("canonical", "draft", "deprecated"), {
    minLength: 8,
    maxLength: 8,
  }),
  pairs: fc.uniqueArray(fc.tuple(fc.nat(7), fc.nat(7)), { selector: String, maxLength: 14 }),
});

function edgesOf(graph: { statuses: Status[]; pairs: [number, number][] }): SupersedesEdge[] {
  const pairs = graph.pairs.filter(([a, b]) => a !== b);
  return pairs.map((pair) => {
    const [dst, src] = pair.toSorted((a, b) => a - b) as [number, number];
    return {
      src: `e${src}`,
      dst: `e${dst}`,
      srcOccurredAt: 0,
      srcStatus: graph.statuses[src]!,
      dstStatus: graph.statuses[dst]!,
      srcContested: pairs.some((other) => Math.min(...other) === src),
    };
  });
}

/** The rules in the plainest form, entry by entry: who replaces `id` itself or through deprecated ones. */
function replacers(edges: readonly SupersedesEdge[], id: string, canonical: boolean): Set<string> {
  const found = new Set<string>();
  for (const edge of edges) {
    if (edge.dst !== id) continue;
    if (edge.srcStatus === "draft" && edge.dstStatus === "canonical") continue;
    const replaces = edge.srcStatus !== "deprecated" && !(edge.srcStatus === "draft" && canonical);
    if (replaces) found.add(edge.src);
    else for (const each of replacers(edges, edge.src, canonical)) found.add(each);
  }
  return found;
}

describe("Supersession", () => {
  it("[SUP-1] [SUP-2] [SUP-3] agrees with the rules followed entry by entry", () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const edges = edgesOf(graph);
        const resolved = new Supersession(edges);
        const above = (n: number) => replacers(edges, `e${n}`, graph.statuses[n] === "canonical");
        for (const n of graph.statuses.keys()) {
          expect(resolved.isSuperseded(`e${n}`)).toBe(above(n).size > 0);
          const heads = new Set<string>();
          const open = [...above(n)];
          for (let id = open.pop(); id !== undefined; id = open.pop()) {
            const next = above(Number(id.slice(1)));
            if (next.size === 0) heads.add(id);
            open.push(...next);
          }
          expect(resolved.headsOf(`e${n}`)).toEqual([...heads].sort());
        }
      }),
      { numRuns: 500 },
    );
  });

  it("[SUP-7] makes nothing a head whose own edges were not looked up", () => {
    const edge = (src: string, dst: string, srcContested: boolean): SupersedesEdge => ({
      src,
      dst,
      srcOccurredAt: 0,
      srcStatus: "canonical",
      dstStatus: "canonical",
      srcContested,
    });
    const cut = new Supersession([edge("c", "b", true), edge("b", "a", true)]);
    expect([cut.isSuperseded("a"), cut.headsOf("a")]).toEqual([true, []]);
    const whole = new Supersession([edge("c", "b", false), edge("b", "a", true)]);
    expect([whole.headsOf("a"), whole.replacedBy("c", "a")]).toEqual([["c"], ["a", "b"]]);
  });

  it("follows a chain of 10,000 without a call stack of that depth", () => {
    const edges = Array.from({ length: 10_000 }, (_, n): SupersedesEdge => ({
      src: `e${n + 1}`,
      dst: `e${n}`,
      srcOccurredAt: 0,
      srcStatus: "canonical",
      dstStatus: "canonical",
      srcContested: n < 9_999,
    }));
    expect(new Supersession(edges).headsOf("e0")).toEqual(["e10000"]);
  });
});
