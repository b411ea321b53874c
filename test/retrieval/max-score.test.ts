import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxScore } from "../../src/retrieval/max-score.ts";
import type { Best } from "../../src/retrieval/max-score.ts";
import { DEFAULT_PARAMS } from "../../src/retrieval/params.ts";
import type { RankingParams } from "../../src/retrieval/params.ts";
import type { SelectedTerm } from "../../src/retrieval/stages.ts";
import { term } from "./builders.ts";
import { Shelf, averageOf, corpusOf, countsOf, lengthOf, selected } from "./shelf.ts";
import type { Text } from "./shelf.ts";

type Params = Pick<RankingParams, "bm25" | "columns">;

describe("maxScore", () => {
  it("[REC-27] finds what scoring every text finds, whatever is in memory", () => {
    const paths = { texts: 0, lists: 0 };
    fc.assert(
      fc.property(problem, (given) => {
        const shelf = new Shelf(given.texts, given.cached, given.keeps);
        expect(solve(given, shelf)).toEqual(byBruteForce(given));
        paths.texts += shelf.textsRead.length;
        paths.lists += shelf.listsRead.length;
      }),
      { numRuns: 1_500 },
    );
    expect(Math.min(paths.texts, paths.lists)).toBeGreaterThan(0);
  });

  it("[REC-19] scores to the same bit with all lists in memory and with none", () => {
    const all = TOKENS;
    let differently = 0;
    fc.assert(
      fc.property(problem, (given) => {
        const [cold, warm] = [[], all].map((cached) => new Shelf(given.texts, cached, false));
        expect(solve(given, cold!)).toStrictEqual(solve(given, warm!));
        differently += cold!.textsRead.length;
      }),
      { numRuns: 500 },
    );
    expect(differently).toBeGreaterThan(0);
  });

  it("asks of each entry once whether it is admitted, and of none that no term finds", () => {
    fc.assert(
      fc.property(problem, (given) => {
        const asked: number[] = [];
        const admits = (doc: number) => {
          asked.push(doc);
          return given.admits?.(doc) ?? true;
        };
        solve({ ...given, admits }, new Shelf(given.texts, given.cached, given.keeps));
        const found = byBruteForce({ ...given, admits: undefined, k: 1_000 });
        expect(asked.length).toBe(new Set(asked).size);
        expect(new Set(found.map(({ doc }) => doc)).isSupersetOf(new Set(asked))).toBe(true);
      }),
    );
  });
});

describe("of two ways to complete a score", () => {
  /** The rare word decides; the entry that has it is the only one that the common words can still lift. */
  const corpus = (bodyOfBest: string) => [
    text(7, bodyOfBest),
    ...Array.from({ length: 150 }, (_, at) => text(10 + at, "common usual")),
  ];
  const asked = ["rare", "common", "usual"].map((token) => term(token));

  it("[REC-27] reads the texts of the few that can still be among the best, not long lists", () => {
    const shelf = new Shelf(corpus("rare common"), [], false);
    const best = solve({ ...plain, texts: shelf.texts, asked, k: 1 }, shelf);
    expect(best).toEqual([{ doc: 7, score: expect.any(Number) }]);
    expect(shelf.textsRead).toEqual([{ docs: [7], tokens: ["usual", "common"] }]);
    expect(shelf.listsRead).toEqual(["rare"]);
  });

  it("reads the lists where the texts are longer", () => {
    const shelf = new Shelf(corpus(`rare ${"common ".repeat(2_000)}`.trim()), [], false);
    solve({ ...plain, texts: shelf.texts, asked, k: 1 }, shelf);
    expect(shelf.textsRead).toEqual([]);
    expect(shelf.listsRead).toEqual(["rare", "usual", "common"]);
  });

  it("[REC-27] meets no more entries once none that was not met can be among the best", () => {
    const shelf = new Shelf(corpus(`rare ${"common ".repeat(2_000)}`.trim()), [], false);
    const looked: number[] = [];
    const admits = (doc: number) => looked.push(doc) > 0;
    solve({ ...plain, texts: shelf.texts, asked, admits, k: 1 }, shelf);
    expect(looked).toEqual([7]);
  });

  /** Without saturation every term earns its whole bound, so the bound is as tight as it can be. */
  it.each([
    [0.999, 7],
    [1.001, 10],
  ])(
    "[REC-27] holds to the bound: terms left that are worth %f of the best so far",
    (share, best) => {
      const texts = corpus("rare");
      const [rare, common] = selected(asked, texts);
      const weight = (share * rare!.idf) / (2 * common!.idf);
      const weighted = [asked[0]!, ...asked.slice(1).map((each) => ({ ...each, weight }))];
      const params = { ...DEFAULT_PARAMS, bm25: { k1: 0, b: 0 } };
      const given = { ...plain, texts, asked: weighted, params, k: 1 };
      expect(solve(given, new Shelf(texts, [], false)).map(({ doc }) => doc)).toEqual([best]);
      expect(byBruteForce(given).map(({ doc }) => doc)).toEqual([best]);
    },
  );

  it("reads no list that memory has", () => {
    const shelf = new Shelf(corpus("rare common"), ["rare"], false);
    solve({ ...plain, texts: shelf.texts, asked, k: 1 }, shelf);
    expect(shelf.textsRead).toEqual([{ docs: [7], tokens: ["usual", "common"] }]);
    expect(shelf.listsRead).toEqual([]);
  });
});

describe("the best", () => {
  const docsOf = (given: Partial<Problem>) =>
    solve({ ...plain, ...given }, new Shelf(given.texts ?? [], [], true)).map(({ doc }) => doc);
  const same = [9, 4, 6, 2].map((doc) => text(doc, "x y"));

  it("[REC-19] of equal scores are those with the smallest numbers", () => {
    expect(docsOf({ texts: same, asked: [term("x"), term("y")], k: 3 })).toEqual([2, 4, 6]);
  });

  it("are all that match, when these are fewer", () => {
    expect(docsOf({ texts: [...same, text(1, "z")], asked: [term("x")], k: 50 })).toEqual([
      2, 4, 6, 9,
    ]);
  });

  it.each([
    ["no terms", []],
    ["terms that no entry holds", [term("q"), term("x z")]],
  ])("are none for %s", (_what, asked) => {
    expect(docsOf({ texts: same, asked, k: 3 })).toEqual([]);
  });

  it("are none where there are no entries", () => {
    expect(docsOf({ texts: [], asked: [term("x")], k: 3 })).toEqual([]);
  });

  it("hold each entry once, also where a term or its column weighs nothing", () => {
    const tagged: Text = { doc: 3, columns: [[], [], [], ["x", "y"]] };
    const params = { ...DEFAULT_PARAMS, columns: { title: 1, body: 1, stems: 1, tags: 0 } };
    const asked = [term("x"), term("y"), term("x", { weight: 0 })];
    expect(docsOf({ texts: [tagged, text(5, "y")], asked, params, k: 9 })).toEqual([5, 3]);
  });
});

/** Terms are given without what the corpus says of them. */
interface Problem {
  texts: readonly Text[];
  asked: ReturnType<typeof term>[];
  params: Params;
  k: number;
  admits: ((doc: number) => boolean) | undefined;
  cached: readonly string[];
  /** Whether a list that was read is in memory from then on. */
  keeps: boolean;
}

const plain: Problem = {
  texts: [],
  asked: [],
  params: DEFAULT_PARAMS,
  k: 10,
  admits: undefined,
  cached: [],
  keeps: false,
};

/** Each twice as frequent as the one before. */
const TOKENS = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
const token = fc.nat(1_022).map((n) => TOKENS[Math.floor(Math.log2(n + 1))] ?? "j");
const tokens = (maxLength: number) => fc.array(token, { maxLength, size: "max" });

const texts = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 1, max: 3 }),
      title: tokens(2),
      body: tokens(8),
      repeats: fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 1, 1, 300),
      stems: tokens(3),
      tags: tokens(1),
    }),
    { maxLength: 120, size: "max" },
  )
  .map((entries) => {
    let doc = 0;
    return entries.map(({ gap, title, body, repeats, stems, tags }): Text => {
      const more = body.slice(0, 1).flatMap((first) => Array<string>(repeats - 1).fill(first));
      return { doc: (doc += gap), columns: [title, [...more, ...body], stems, tags] };
    });
  });

const weight = fc.constantFrom(0, 0.3, 0.5, 1, 2);
const problem: fc.Arbitrary<Problem> = fc.record({
  texts,
  asked: fc.array(
    fc
      .tuple(fc.constantFrom(...TOKENS, "absent", "j j", "j i", "j h g"), weight)
      .map(([token, weight]) => term(token, { weight })),
    { maxLength: 8 },
  ),
  params: fc.record({
    bm25: fc.record({
      k1: fc.constantFrom(0, 0.9, 1.2, 2.2),
      b: fc.constantFrom(0, 0.4, 0.75, 1),
    }),
    columns: fc.record({ title: weight, body: weight, stems: weight, tags: weight }),
  }),
  k: fc.constantFrom(1, 2, 3, 10, 200),
  admits: fc.constantFrom(
    undefined,
    (doc: number) => doc % 3 > 0,
    (doc: number) => doc % 7 === 0,
    () => false,
  ),
  cached: fc.subarray(TOKENS),
  keeps: fc.boolean(),
});

function text(doc: number, body: string): Text {
  return { doc, columns: [[], body.split(" "), [], []] };
}

function solve({ texts, asked, params, k, admits }: Problem, shelf: Shelf): Best[] {
  return maxScore(selected(asked, texts), shelf, corpusOf(texts), params, k, admits);
}

/** Every text is scored, in whole parts of 2^-24, each term's share rounded up. */
function byBruteForce({ texts, asked, params, k, admits }: Problem): Best[] {
  const terms = selected(asked, texts);
  return texts
    .filter(({ doc }) => admits?.(doc) ?? true)
    .map((each) => ({ doc: each.doc, score: scoreOf(each, terms, averageOf(texts), params) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.doc - other.doc)
    .slice(0, k);
}

function scoreOf(
  each: Text,
  terms: readonly SelectedTerm[],
  average: number,
  { bm25: { k1, b }, columns }: Params,
): number {
  const weights = [columns.title, columns.body, columns.stems, columns.tags];
  const parts = terms.map(({ token, weight, idf }) => {
    const counts = countsOf(each, token);
    if (counts.every((count) => count === 0)) return 0;
    const tf = counts.reduce((sum, count, at) => sum + (weights[at] ?? 0) * count, 0);
    // The module's order of operations: in another one a sum could round to the next part.
    const halfway = average > 0 ? k1 * (1 - b) + ((k1 * b) / average) * lengthOf(each) : k1;
    const worth = weight * idf * (k1 + 1) * 2 ** 24;
    return tf === 0 ? 1 : Math.max(1, Math.ceil((worth * tf) / (tf + halfway)));
  });
  return parts.reduce((sum, part) => sum + part, 0) / 2 ** 24;
}
