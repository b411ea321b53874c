import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EDGE_TYPES } from "../../contracts/index.ts";
import { propagate } from "../../src/retrieval/graph-arm.ts";
import { DEFAULT_PARAMS } from "../../src/retrieval/params.ts";
import type { RankingParams } from "../../src/retrieval/params.ts";
import type { Ranked, WalkedEdge } from "../../src/retrieval/stages.ts";
import { edge, ids, scoreOf } from "./builders.ts";

/** A step over an edge of weight 1 passes on a half. */
const half = withShare(0.5);

function withShare(hopShare: number): RankingParams {
  return { ...DEFAULT_PARAMS, graph: { ...DEFAULT_PARAMS.graph, hopShare } };
}

const nothing = new Map<string, number>();
const seed = (id: string, score: number): Ranked => ({ id, score });

/** Graphs over eight nodes, of which the first few are seeds and the next few have words of their own. */
const anyGraph = fc.record({
  seeds: fc.uniqueArray(
    fc.record({ id: fc.constantFrom("a", "b", "c"), score: fc.integer({ min: 1, max: 100 }) }),
    { selector: (each) => each.id, minLength: 1 },
  ),
  own: fc.dictionary(fc.constantFrom("d", "e"), fc.integer({ min: 1, max: 100 })),
  edges: fc.array(
    fc.record({
      from: fc.constantFrom(..."abcdefgh"),
      to: fc.constantFrom(..."abcdefgh"),
      type: fc.constantFrom(...EDGE_TYPES),
      direction: fc.constantFrom("in" as const, "out" as const),
      weight: fc.constantFrom(0, 0.2, 0.5, 1),
      hop: fc.integer({ min: 1, max: 3 }),
    }),
    { maxLength: 30 },
  ),
  hopShare: fc.double({ min: 0, max: 0.99, noNaN: true }),
});

interface AnyGraph {
  seeds: Ranked[];
  own: Record<string, number>;
  edges: WalkedEdge[];
  hopShare: number;
}

const run = ({ seeds, own, edges, hopShare }: AnyGraph) =>
  propagate(seeds, new Map(Object.entries(own)), edges, withShare(hopShare));

/** Nodes that earned something themselves. */
const wordsOf = ({ seeds, own }: AnyGraph) =>
  new Set([...seeds.map(({ id }) => id), ...Object.keys(own)]);

const totals = (graph: AnyGraph) =>
  new Map(run(graph).ranking.map((each) => [each.id, each.score]));

describe("propagate: how much arrives", () => {
  it("passes share × type weight × edge weight of the seed's score on", () => {
    const edges = [edge("a", "b", { type: "about_person", weight: 0.8 })];
    const { ranking } = propagate([seed("a", 10)], nothing, edges, half);
    expect(scoreOf(ranking, "b")).toBeCloseTo(
      10 * 0.5 * half.graph.typeWeight.about_person * 0.8,
      12,
    );
  });

  it("multiplies along a path", () => {
    const edges = [edge("a", "b"), edge("b", "c", { hop: 2 }), edge("c", "d", { hop: 3 })];
    const { ranking } = propagate([seed("a", 16)], nothing, edges, half);
    expect(ranking).toEqual([seed("a", 16), seed("b", 8), seed("c", 4), seed("d", 2)]);
  });

  it("adds what arrives to what a node's own words earned", () => {
    const { ranking } = propagate([seed("a", 10)], new Map([["b", 3]]), [edge("a", "b")], half);
    expect(scoreOf(ranking, "b")).toBe(8);
  });

  it("lets seeds that are neighbours pass on their own score, not what they received", () => {
    const { ranking } = propagate(
      [seed("a", 10), seed("b", 6)],
      nothing,
      [edge("a", "b"), edge("b", "a")],
      half,
    );
    expect(ranking).toEqual([seed("a", 13), seed("b", 11)]);
  });

  it("counts only the strongest of several paths from one seed", () => {
    const edges = [
      edge("a", "b"),
      edge("a", "c"),
      edge("b", "d", { hop: 2 }),
      edge("c", "d", { hop: 2 }),
    ];
    const parallel = [edge("a", "b", { type: "follows" }), edge("a", "b", { weight: 0.2 })];
    const { ranking } = propagate([seed("a", 16)], nothing, [...edges, ...parallel], half);
    expect(scoreOf(ranking, "d")).toBe(4);
    expect(scoreOf(ranking, "b")).toBe(8);
  });

  it("prefers two strong steps to one weak one", () => {
    const edges = [edge("a", "c", { weight: 0.1 }), edge("a", "b"), edge("b", "c", { hop: 2 })];
    const { ranking, paths } = propagate([seed("a", 16)], nothing, edges, half);
    expect(scoreOf(ranking, "c")).toBe(4);
    expect(paths.get("c")?.steps.map((step) => step.id)).toEqual(["b", "c"]);
  });

  it("lets two seeds say more than one, and less than twice as much", () => {
    const edges = [edge("a", "n"), edge("b", "n"), edge("a", "m")];
    const { ranking } = propagate([seed("a", 8), seed("b", 8)], nothing, edges, half);
    expect(scoreOf(ranking, "m")).toBe(4);
    expect(scoreOf(ranking, "n")).toBe(6);
  });

  it("goes no further than the walk did", () => {
    const edges = [edge("a", "b"), edge("b", "c")];
    const { ranking } = propagate([seed("a", 8)], nothing, edges, half);
    expect(ids(ranking)).toEqual(["a", "b"]);
  });

  it("passes on in the direction walked only", () => {
    const { ranking } = propagate([seed("a", 8)], nothing, [edge("b", "a")], half);
    expect(ranking).toEqual([seed("a", 8)]);
  });

  it("leaves out what an edge of weight 0 leads to", () => {
    const { ranking, paths } = propagate(
      [seed("a", 8)],
      nothing,
      [edge("a", "b", { weight: 0 })],
      half,
    );
    expect(ids(ranking)).toEqual(["a"]);
    expect(paths.size).toBe(0);
  });

  it("ranks every keyword hit, seeds or not, without any edge", () => {
    const own = new Map([
      ["a", 8],
      ["c", 2],
      ["b", 2],
      ["gone", 0],
    ]);
    const { ranking } = propagate([seed("a", 8)], own, [], half);
    expect(ranking).toEqual([seed("a", 8), seed("b", 2), seed("c", 2)]);
  });
});

describe("propagate: paths", () => {
  it("[REC-4] tells the strongest path to a node that has no words of its own", () => {
    const edges = [
      edge("a", "b", { type: "follows", direction: "in" }),
      edge("b", "c", { type: "decided", hop: 2 }),
      edge("z", "c", { weight: 0.1 }),
    ];
    const { paths } = propagate([seed("a", 10), seed("z", 9)], nothing, edges, half);
    expect(paths.get("c")).toEqual({
      from: "a",
      steps: [
        { id: "b", type: "follows", direction: "in" },
        { id: "c", type: "decided", direction: "out" },
      ],
    });
  });

  it("[REC-4] tells the path also to what has words of its own", () => {
    const { paths } = propagate([seed("a", 10)], new Map([["c", 1]]), [edge("a", "c")], half);
    expect(paths.get("c")?.from).toBe("a");
  });

  it("[REC-19] takes the smaller seed id where two paths are equally strong", () => {
    const edges = [edge("b", "n"), edge("a", "n")];
    const { paths } = propagate([seed("b", 4), seed("a", 4)], nothing, edges, half);
    expect(paths.get("n")?.from).toBe("a");
  });
});

describe("propagate: equally strong paths", () => {
  it("[REC-19] names the same of two edges, in whichever order they were walked", () => {
    const edges = [edge("a", "n", { type: "follows" }), edge("a", "n", { type: "decided" })];
    for (const walked of [edges, edges.toReversed()]) {
      const { paths } = propagate([seed("a", 4)], nothing, walked, half);
      expect(paths.get("n")?.steps).toEqual([{ id: "n", type: "decided", direction: "out" }]);
    }
  });

  it("names the shorter one", () => {
    const long = [edge("a", "b", { weight: 0.5 }), edge("b", "c", { weight: 0.5, hop: 2 })];
    const edges = [...long, edge("a", "c", { weight: 0.25 })];
    const { paths } = propagate([seed("a", 4)], nothing, edges, withShare(1));
    expect(paths.get("c")?.steps.map((step) => step.id)).toEqual(["c"]);
  });
});

describe("propagate: what always holds", () => {
  it("[REC-5] keeps a node without words of its own below the hit that its strongest path comes from", () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const { ranking, paths } = run(graph);
        for (const [id, { from }] of paths) {
          if (wordsOf(graph).has(id)) continue;
          expect(scoreOf(ranking, id)).toBeLessThan(scoreOf(ranking, from));
        }
      }),
    );
  });

  it("[REC-5] keeps a thousand interlinked neighbours of a hub below it, with shares near 1", () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `n${index}`);
    const spokes = names.map((name) => edge("hub", name));
    const ring = names.map((name, at) => edge(name, names[(at + 1) % 1_000] ?? "", { hop: 2 }));
    const back = names.map((name) => edge(name, "hub", { hop: 2 }));
    const { ranking } = propagate(
      [seed("hub", 5)],
      nothing,
      [...spokes, ...ring, ...back],
      withShare(0.99),
    );
    expect(ranking[0]).toEqual(seed("hub", 5));
    expect(ranking[1]?.score).toBeLessThan(5);
  });

  it("[REC-5] keeps a node that every hit points at below them, with the default parameters", () => {
    const seeds = Array.from({ length: DEFAULT_PARAMS.graph.seeds }, (_, at) => seed(`s${at}`, 3));
    const edges = seeds.map(({ id }) => edge(id, "hub"));
    const { ranking } = propagate(seeds, nothing, edges, DEFAULT_PARAMS);
    expect(ranking.at(-1)?.id).toBe("hub");
  });

  it("echoes nothing: a lone seed keeps exactly its score, whatever stands around it", () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const lone = { ...graph, seeds: [seed("a", 7)], own: {} };
        expect(totals(lone).get("a")).toBe(7);
      }),
    );
  });

  it("[REC-19] depends on no order of seeds, own scores or edges", () => {
    const shuffled = anyGraph.chain((graph) =>
      fc.record({
        graph: fc.constant(graph),
        seeds: fc.shuffledSubarray(graph.seeds, { minLength: graph.seeds.length }),
        edges: fc.shuffledSubarray(graph.edges, { minLength: graph.edges.length }),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ graph, seeds, edges }) => {
        const own = Object.fromEntries(Object.entries(graph.own).toReversed());
        expect(run({ ...graph, own, seeds, edges })).toEqual(run(graph));
      }),
    );
  });

  it("never lowers any node for one more edge", () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const before = totals({ ...graph, edges: graph.edges.slice(1) });
        const after = totals(graph);
        for (const [id, score] of before) {
          expect(after.get(id) ?? 0).toBeGreaterThanOrEqual(score - 1e-9);
        }
      }),
    );
  });

  it("never lowers any node for a better seed", () => {
    fc.assert(
      fc.property(anyGraph, fc.integer({ min: 0, max: 100 }), (graph, gain) => {
        const [first, ...rest] = graph.seeds;
        const raised = [seed(first?.id ?? "", (first?.score ?? 0) + gain), ...rest];
        const after = totals({ ...graph, seeds: raised });
        for (const [id, score] of totals(graph)) {
          expect(after.get(id) ?? 0).toBeGreaterThanOrEqual(score - 1e-9);
        }
      }),
    );
  });
});
