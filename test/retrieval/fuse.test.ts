import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fuse } from "../../src/retrieval/fuse.ts";
import { DEFAULT_PARAMS } from "../../src/retrieval/params.ts";
import type { RankingParams } from "../../src/retrieval/params.ts";
import type { Ranked } from "../../src/retrieval/stages.ts";
import { ids } from "./builders.ts";

const params: RankingParams = {
  ...DEFAULT_PARAMS,
  armWeight: { keyword: 1, graph: 0.5, vector: 2 },
};

/** A list whose first is the best. */
const ranked = (...names: string[]): Ranked[] =>
  names.map((id, index) => ({ id, score: names.length - index }));

const none = { keyword: [], graph: [], vector: [] };

const anyList = fc.uniqueArray(
  fc.record({ id: fc.constantFrom(..."abcdefgh"), score: fc.integer({ min: 0, max: 4 }) }),
  { selector: (each) => each.id },
);

describe("fuse", () => {
  it("adds weight / (k + rank) over the arms, and keeps the ranks", () => {
    const fused = fuse(
      { keyword: ranked("a", "b"), graph: ranked("b"), vector: ranked("c", "d", "b") },
      params,
    );
    expect(fused.find((each) => each.id === "b")).toEqual({
      id: "b",
      rrf: 1 / 62 + 0.5 / 61 + 2 / 63,
      ranks: { keyword: 2, graph: 1, vector: 3 },
    });
  });

  it("takes an absent arm as an empty list", () => {
    expect(fuse({ ...none, keyword: ranked("a") }, params)).toEqual([
      { id: "a", rrf: 1 / 61, ranks: { keyword: 1, graph: null, vector: null } },
    ]);
    expect(fuse(none, params)).toEqual([]);
  });

  it("ranks nothing by an arm of weight 0", () => {
    const off = { ...params, armWeight: { ...params.armWeight, graph: 0 } };
    expect(ids(fuse({ ...none, keyword: ranked("a"), graph: ranked("b", "a") }, off))).toEqual([
      "a",
    ]);
  });

  it("looks at ranks and not at scores", () => {
    const huge = fuse({ ...none, keyword: [{ id: "a", score: 1e9 }, ...ranked("b")] }, params);
    expect(huge).toEqual(fuse({ ...none, keyword: ranked("a", "b") }, params));
  });

  it("gives equal scores of an arm the same rank, and the next one its place", () => {
    const tied = ["b", "a"].map((id) => ({ id, score: 1 }));
    const fused = fuse({ ...none, keyword: [...tied, { id: "c", score: 0.5 }] }, params);
    expect(fused.map(({ id, ranks }) => [id, ranks.keyword])).toEqual([
      ["a", 1],
      ["b", 1],
      ["c", 3],
    ]);
  });

  it("[REC-19] breaks ties by id, inside an arm and after fusion", () => {
    const tied = ["b", "a"].map((id) => ({ id, score: 1 }));
    expect(ids(fuse({ ...none, keyword: tied }, params))).toEqual(["a", "b"]);
    expect(ids(fuse({ keyword: ranked("b", "a"), graph: [], vector: [] }, params))).toEqual([
      "b",
      "a",
    ]);
    const crossed = { ...params, armWeight: { keyword: 1, graph: 1, vector: 1 } };
    expect(
      ids(fuse({ keyword: ranked("b", "a"), graph: ranked("a", "b"), vector: [] }, crossed)),
    ).toEqual(["a", "b"]);
  });

  it("[REC-19] gives the same list whatever the order in which the arms list their entries", () => {
    const shuffled = anyList.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, shuffled, shuffled, ([k, k2], [g, g2], [v, v2]) => {
        expect(fuse({ keyword: k2, graph: g2, vector: v2 }, params)).toEqual(
          fuse({ keyword: k, graph: g, vector: v }, params),
        );
      }),
    );
  });

  it("lists each entry of any arm exactly once, best first", () => {
    fc.assert(
      fc.property(anyList, anyList, anyList, (keyword, graph, vector) => {
        const fused = fuse({ keyword, graph, vector }, params);
        const all = new Set([...keyword, ...graph, ...vector].map((each) => each.id));
        expect(ids(fused).sort()).toEqual([...all].sort());
        const scores = fused.map((each) => each.rrf);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      }),
    );
  });

  it("never lowers an entry for a better rank in one arm", () => {
    fc.assert(
      fc.property(anyList, fc.integer({ min: 1, max: 8 }), (graph, at) => {
        const order = ranked(..."abcdefgh");
        const moved = order.map((each, index) => (index === at ? { ...each, score: 100 } : each));
        const id = order[at]?.id;
        const rrf = (keyword: Ranked[]) =>
          fuse({ keyword, graph, vector: [] }, params).find((each) => each.id === id)?.rrf ?? 0;
        expect(rrf(moved)).toBeGreaterThanOrEqual(rrf(order));
      }),
    );
  });
});
