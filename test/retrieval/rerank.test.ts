import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KINDS, VOLATILITIES } from "../../contracts/index.ts";
import { fuse } from "../../src/retrieval/fuse.ts";
import { DEFAULT_PARAMS } from "../../src/retrieval/params.ts";
import type { RankingParams } from "../../src/retrieval/params.ts";
import { rerank } from "../../src/retrieval/rerank.ts";
import type { RerankContext } from "../../src/retrieval/rerank.ts";
import type { Candidate, Ranked, Scored } from "../../src/retrieval/stages.ts";
import { candidate, ids } from "./builders.ts";

const DAY = 86_400_000;

/** Factors as they are before damping, and nothing clamped. */
const bare: RankingParams = {
  ...DEFAULT_PARAMS,
  damping: { recency: 1, importance: 1, tagOverlap: 1 },
  clamp: { min: 0, max: 1e9 },
};

const at = (now: number, rest: Partial<RerankContext> = {}): RerankContext => ({
  now,
  window: null,
  asksPast: false,
  wantsNewest: false,
  queryWords: new Set(),
  ...rest,
});

function factorsOf(each: Candidate, context = at(0), params = bare) {
  const [scored] = rerank([each], context, params);
  if (scored === undefined) throw new Error("rerank lost its candidate");
  return scored.factors;
}

const anyCandidate = fc.record({
  id: fc.constantFrom("a", "b", "c"),
  rrf: fc.double({ min: 1e-6, max: 1, noNaN: true }),
  kind: fc.constantFrom(...KINDS),
  volatility: fc.constantFrom(...VOLATILITIES),
  importance: fc.nat(5),
  tags: fc.subarray(["mars", "moon", "sun", "io", "dawn"]),
  occurredAt: fc.nat(8_640_000_000_000_000),
  textAt: fc.option(fc.nat(8_640_000_000_000_000)),
  recallCount: fc.nat(1_000_000),
});

const anyContext = fc.record({
  now: fc.nat(8_640_000_000_000_000),
  window: fc.option(fc.record({ since: fc.option(fc.nat()), until: fc.option(fc.nat()) })),
  asksPast: fc.boolean(),
  wantsNewest: fc.boolean(),
  queryWords: fc.constant(new Set(["mars", "moon", "sun", "io"])),
});

describe("rerank: score", () => {
  it("[REC-9] is the product of its factors", () => {
    fc.assert(
      fc.property(anyCandidate, anyContext, (each, context) => {
        for (const { factors, score } of rerank([candidate("a", each)], context, DEFAULT_PARAMS)) {
          const product = Object.values(factors).reduce((all, factor) => all * factor, 1);
          expect(score / product).toBeCloseTo(1, 12);
        }
      }),
    );
  });

  it("[REC-10] is rrf changed by 0.8 to 1.25, whatever the entry", () => {
    fc.assert(
      fc.property(anyCandidate, anyContext, (each, context) => {
        for (const { rrf, score } of rerank([candidate("a", each)], context, DEFAULT_PARAMS)) {
          expect(score / rrf).toBeGreaterThanOrEqual(0.8 - 1e-9);
          expect(score / rrf).toBeLessThanOrEqual(1.25 + 1e-9);
        }
      }),
    );
  });

  it("is rrf itself for a fresh entry that nothing lifts", () => {
    expect(rerank([candidate("a")], at(0), DEFAULT_PARAMS)[0]?.score).toBe(0.02);
  });

  it("leaves the clamp at 1 inside the range and meets its ends outside", () => {
    const sunk = candidate("a", { volatility: "volatile", importance: 1 });
    const fresh = { occurredAt: 365 * DAY };
    const lifted = candidate("a", { tags: ["a", "b", "c", "d"], importance: 5, ...fresh });
    const params = { ...bare, clamp: DEFAULT_PARAMS.clamp };
    const context = at(365 * DAY, { queryWords: new Set(["a", "b", "c", "d"]) });
    expect(factorsOf(candidate("a"), at(0), params).clamp).toBe(1);
    expect(rerank([sunk], context, params)[0]?.score).toBeCloseTo(0.02 * 0.8, 12);
    expect(rerank([lifted], context, params)[0]?.score).toBeCloseTo(0.02 * 1.25, 12);
  });

  it("[RWR-7] weighs age more, and age alone, where the newest is wished for", () => {
    const wish = at(30 * DAY, { wantsNewest: true });
    const recency = (context: RerankContext, recallCount: number) =>
      factorsOf(candidate("a", { recallCount }), context, DEFAULT_PARAMS).recency;
    expect(recency(wish, 0)).toBeLessThan(recency(at(30 * DAY), 0));
    expect(recency(wish, 1_000)).toBe(recency(wish, 0));
    expect(recency({ ...wish, asksPast: true }, 0)).toBe(1);
  });

  it("damps a factor by its exponent", () => {
    const aged = candidate("a", { importance: 5, tags: ["mars"] });
    const context = at(30 * DAY, { queryWords: new Set(["mars"]) });
    const [undamped, damped] = [bare, DEFAULT_PARAMS].map((params) =>
      factorsOf(aged, context, params),
    );
    const { recency, importance, tagOverlap } = DEFAULT_PARAMS.damping;
    expect(damped?.recency).toBeCloseTo((undamped?.recency ?? 0) ** recency, 12);
    expect(damped?.importance).toBeCloseTo((undamped?.importance ?? 0) ** importance, 12);
    expect(damped?.tagOverlap).toBeCloseTo((undamped?.tagOverlap ?? 0) ** tagOverlap, 12);
  });

  it("keeps everything that earlier stages found out", () => {
    const each = candidate("a", { tags: ["mars"], ranks: { keyword: 2, graph: 7, vector: null } });
    expect(rerank([each], at(0), DEFAULT_PARAMS)[0]).toMatchObject(each);
  });

  it("[REC-19] sorts by score, then id", () => {
    const list = [candidate("b"), candidate("c", { rrf: 0.03 }), candidate("a")];
    expect(ids(rerank(list, at(0), DEFAULT_PARAMS))).toEqual(["c", "a", "b"]);
    expect(ids(list)).toEqual(["b", "c", "a"]);
  });
});

describe("rerank: recency", () => {
  it.each([
    ["durable", 180, 0.9],
    ["state", 30, 0.6],
    ["volatile", 7, 0.15],
  ] as const)(
    "[REC-10] of a %s entry falls by half of the way in %i days, to %f",
    (volatility, days, floor) => {
      const recency = (age: number) => factorsOf(candidate("a", { volatility }), at(age)).recency;
      expect(recency(0)).toBe(1);
      expect(recency(days * DAY)).toBeCloseTo((1 + floor) / 2, 12);
      expect(recency(10_000 * DAY)).toBeCloseTo(floor, 6);
    },
  );

  it("[REC-11] counts from the last change of text, else from when it happened", () => {
    const recency = (textAt: number | null) =>
      factorsOf(candidate("a", { occurredAt: 0, textAt }), at(30 * DAY)).recency;
    expect(recency(null)).toBeCloseTo(0.8, 12);
    expect(recency(30 * DAY)).toBe(1);
  });

  it("is 1 for what lies in the future", () => {
    expect(factorsOf(candidate("a", { occurredAt: 90 * DAY }), at(0)).recency).toBe(1);
  });

  it("[REC-10] rises with recalls, and never above that of a fresh entry", () => {
    const recency = (recallCount: number) =>
      factorsOf(candidate("a", { volatility: "volatile", recallCount }), at(30 * DAY)).recency;
    const counted = [0, 1, 3, 1_000, 1e9].map(recency);
    expect(counted).toEqual(counted.toSorted((a, b) => a - b));
    expect(counted[0]).toBeLessThan(counted[1] ?? 0);
    expect(counted.at(-1)).toBe(1);
  });

  it("[RWR-5] is no factor when the query asks about the past", () => {
    const old = candidate("a", { volatility: "volatile" });
    expect(factorsOf(old, at(900 * DAY, { asksPast: true })).recency).toBe(1);
  });
});

describe("rerank: what lifts an entry", () => {
  it("[REC-10] is importance, neutral when unset", () => {
    const importance = [0, 1, 2, 3, 4, 5].map(
      (each) => factorsOf(candidate("a", { importance: each })).importance,
    );
    [1, 0.88, 0.96, 1.04, 1.12, 1.2].forEach((expected, each) =>
      expect(importance[each]).toBeCloseTo(expected, 12),
    );
  });

  it("[REC-10] are query words that are its tags, up to 1.5", () => {
    const overlap = (...tags: string[]) =>
      factorsOf(candidate("a", { tags }), at(0, { queryWords: new Set("abcde") })).tagOverlap;
    expect(overlap("x")).toBe(1);
    expect(overlap("a", "x")).toBeCloseTo(1.15, 12);
    expect(overlap("a", "b", "c", "x")).toBeCloseTo(1.45, 12);
    expect(overlap("a", "b", "c", "d", "e")).toBe(1.5);
  });

  it("[ANA-1] are tags that fold to the query's words, each word once", () => {
    const context = at(0, { queryWords: new Set(["lodz"]) });
    for (const tags of [["łódź"], ["lodz", "łódź"]]) {
      expect(factorsOf(candidate("a", { tags }), context).tagOverlap).toBeCloseTo(1.15, 12);
    }
  });

  it.each([
    [{ since: 10, until: 20 }, true],
    [{ since: 15, until: 15 }, true],
    [{ since: 16, until: null }, false],
    [{ since: null, until: 14 }, false],
    [{ since: null, until: 15 }, true],
    [null, false],
  ])("[RWR-2] is standing in the window %j", (window, inside) => {
    const [scored] = rerank(
      [candidate("a", { occurredAt: 15 })],
      at(15, { window }),
      DEFAULT_PARAMS,
    );
    expect(scored?.inWindow).toBe(inside);
    expect(scored?.factors.window).toBe(inside ? DEFAULT_PARAMS.windowBoost : 1);
  });
});

describe("rerank after fusion", () => {
  /** Thirty-one keyword hits by rank, `h1` first, as fusion scores them. */
  const ranked: Ranked[] = Array.from({ length: 31 }, (_, index) => ({
    id: `h${index + 1}`,
    score: 100 - index,
  }));

  function rerankHits(facts: (id: string) => Partial<Candidate>): Scored[] {
    const fused = fuse({ keyword: ranked, graph: ranked, vector: [] }, DEFAULT_PARAMS);
    const hits = fused.map((each) => ({ ...candidate(each.id), ...each, ...facts(each.id) }));
    return rerank(hits, at(1_000 * DAY), DEFAULT_PARAMS);
  }

  const aged = (days: number) => ({ occurredAt: (1_000 - days) * DAY });

  it("[REC-10] keeps a month-old first hit among the first three of thirty fresh ones", () => {
    const hits = rerankHits((id) => aged(id === "h1" ? 30 : 0));
    expect(ids(hits).indexOf("h1")).toBeLessThan(3);
  });

  it("[REC-10] keeps even a volatile one before most of them", () => {
    const hits = rerankHits((id) => ({ volatility: "volatile", ...aged(id === "h1" ? 30 : 0) }));
    expect(ids(hits).indexOf("h1")).toBeLessThan(15);
  });

  it("[REC-11] leaves a never-recalled first hit first among entries that are recalled all the time", () => {
    const hits = rerankHits((id) => ({ recallCount: id === "h1" ? 0 : 1_000, ...aged(0) }));
    expect(hits[0]?.id).toBe("h1");
  });

  it("puts the fresher of two hits of like rank first", () => {
    const hits = rerankHits((id) => aged(id === "h2" ? 400 : 0));
    expect(ids(hits).indexOf("h3")).toBeLessThan(ids(hits).indexOf("h2"));
  });

  it("[REC-5] keeps a neighbour below the best keyword hit, whatever lifts the one and sinks the other", () => {
    const graph = [...ranked, { id: "n", score: 99.5 }];
    const fused = fuse({ keyword: ranked, graph, vector: [] }, DEFAULT_PARAMS);
    const list = fused.map((each) => ({
      ...candidate(each.id),
      ...each,
      ...(each.id === "n"
        ? { importance: 5, tags: ["mars"], ...aged(0) }
        : { importance: 1, volatility: "volatile" as const, ...aged(900) }),
    }));
    const context = at(1_000 * DAY, { queryWords: new Set(["mars"]) });
    const found = ids(rerank(list, context, DEFAULT_PARAMS));
    expect(found.indexOf("n")).toBeGreaterThan(found.indexOf("h1"));
  });
});

describe("rerank: neighbours", () => {
  const none = { keyword: null, graph: 1, vector: null };
  const lifted = { tags: ["mars"], importance: 5, ranks: none };

  it("[REC-5] keeps a neighbour just below the best direct hit, whatever lifts it", () => {
    const scored = rerank(
      [candidate("direct", { rrf: 1 / 61 }), candidate("near", { rrf: 1 / 60, ...lifted })],
      at(0, { queryWords: new Set(["mars"]) }),
      DEFAULT_PARAMS,
    );
    expect(ids(scored)).toEqual(["direct", "near"]);
    expect((scored[1]?.score ?? 0) / (scored[0]?.score ?? 1)).toBeCloseTo(0.999, 9);
  });

  it("[REC-9] says so in the clamp, so that the score stays the product", () => {
    const [, near] = rerank(
      [candidate("direct", { rrf: 1 / 61 }), candidate("near", { rrf: 1 / 60, ...lifted })],
      at(0, { queryWords: new Set(["mars"]) }),
      DEFAULT_PARAMS,
    );
    const product = Object.values(near?.factors ?? {}).reduce((all, factor) => all * factor, 1);
    expect((near?.score ?? 0) / product).toBeCloseTo(1, 12);
  });
});
