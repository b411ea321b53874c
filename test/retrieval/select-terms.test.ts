import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_PARAMS } from "../../src/retrieval/params.ts";
import { selectTerms } from "../../src/retrieval/select-terms.ts";
import type { QueryTerm } from "../../src/retrieval/stages.ts";
import { term } from "./builders.ts";

function select(terms: QueryTerm[], df: Record<string, number>, entryCount: number) {
  return selectTerms(terms, new Map(Object.entries(df)), entryCount, DEFAULT_PARAMS);
}

const tokens = (terms: readonly { token: string }[]) => terms.map((each) => each.token);
const searched = (terms: readonly { token: string; searched: boolean }[]) =>
  tokens(terms.filter((each) => each.searched));

describe("selectTerms", () => {
  it("puts the rarest term first, and tokens in order where entries are equally many", () => {
    const terms = [term("c"), term("b", { word: "1" }), term("a", { word: "2" })];
    expect(tokens(select(terms, { a: 7, b: 7, c: 2 }, 100))).toEqual(["c", "a", "b"]);
  });

  it("leaves out terms that no entry holds", () => {
    expect(tokens(select([term("here"), term("gone")], { here: 1 }, 10))).toEqual(["here"]);
  });

  it("[REC-2] leaves out stop words, however rare they are", () => {
    const terms = [term("when", { stopWord: true }), term("release")];
    expect(tokens(select(terms, { when: 1, release: 40 }, 100))).toEqual(["release"]);
  });

  it("[REC-2] keeps nothing of a query of stop words only", () => {
    expect(select([term("when", { stopWord: true })], { when: 1 }, 100)).toEqual([]);
  });

  it("[REC-3] does not search a term of more than half of the entries when a rarer word remains", () => {
    const terms = [term("common"), term("rare")];
    expect(searched(select(terms, { common: 51, rare: 50 }, 100))).toEqual(["rare"]);
    expect(searched(select(terms, { common: 50, rare: 50 }, 100))).toEqual(["common", "rare"]);
  });

  it("[REC-3] lets a term that is not searched score what the others find", () => {
    const kept = select([term("common"), term("rare")], { common: 51, rare: 50 }, 100);
    expect(tokens(kept)).toEqual(["rare", "common"]);
  });

  it("[REC-3] drops none that stands in 50 entries or fewer", () => {
    expect(searched(select([term("all"), term("rare")], { all: 50, rare: 1 }, 50))).toEqual([
      "rare",
      "all",
    ]);
  });

  it("[REC-3] keeps saturated terms when no rarer word remains", () => {
    expect(searched(select([term("b"), term("a")], { a: 90, b: 80 }, 100))).toEqual(["b", "a"]);
  });

  it("[REC-27] searches a word by its stem, and scores its exact form with what that finds", () => {
    const forms = [term("meetings", { word: "meetings" }), term("meet", { word: "meetings" })];
    const terms = select([...forms, term("berlin")], { meetings: 4, meet: 9, berlin: 3 }, 100);
    expect(searched(terms)).toEqual(["berlin", "meet"]);
    expect(tokens(terms)).toEqual(["berlin", "meetings", "meet"]);
  });

  it("[ANA-4] keeps a saturated stem when only its own exact form is rarer", () => {
    const forms = [term("meetings", { word: "meetings" }), term("meet", { word: "meetings" })];
    const df = { meetings: 10, meet: 90, berlin: 3 };
    expect(searched(select(forms, df, 100))).toEqual(["meet"]);
    expect(searched(select([...forms, term("berlin")], df, 100))).toEqual(["berlin", "meetings"]);
  });

  it("gives idf = ln(1 + (N - df + 0.5) / (df + 0.5))", () => {
    expect(select([term("a")], { a: 3 }, 10)[0]).toMatchObject({
      df: 3,
      idf: Math.log(1 + 7.5 / 3.5),
    });
  });

  it("[REC-11] gives a term of every entry an idf above 0", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (entryCount) => {
        expect(select([term("a")], { a: entryCount }, entryCount)[0]?.idf).toBeGreaterThan(0);
      }),
    );
  });

  it("[REC-23] searches the saturated words of a phrase beside it", () => {
    const phrase = term("plan b", { word: "plan b" });
    const df = { "plan b": 1, plan: 90, b: 80 };
    expect(searched(select([term("plan"), term("b"), phrase], df, 100))).toEqual([
      "plan b",
      "b",
      "plan",
    ]);
  });

  describe("parts of an identifier", () => {
    const word = "run_pass";
    const weights = (whole: string, df: Record<string, number>) =>
      select(
        [
          term(whole, { weight: 1.5 }),
          term("run", { word: whole, weight: 0.75, part: true }),
          term("pass", { word: whole, weight: 0.75, part: true }),
          term("other", { weight: 0.75 }),
        ],
        { run: 5, pass: 6, other: 7, ...df },
        100,
      ).map(({ token, weight }) => [token, Number(weight.toFixed(12))]);

    it("[REC-24] share a small worth where some entry holds the whole", () => {
      const { parts } = DEFAULT_PARAMS.forms;
      expect(weights(word, { [word]: 1 })).toEqual([
        [word, 1.5],
        // Two words: the identifier and one beside it.
        ["run", parts],
        ["pass", parts],
        ["other", 0.75],
      ]);
    });

    it("[REC-24] keep theirs where none does, and in words joined by hyphens", () => {
      const kept = [
        ["run", 0.75],
        ["pass", 0.75],
        ["other", 0.75],
      ];
      expect(weights(word, {})).toEqual(kept);
      expect(weights("run-pass", { "run-pass": 1 }).slice(1)).toEqual(kept);
      expect(weights("東京都", { 東京都: 1 }).slice(1)).toEqual(kept);
    });
  });

  it("keeps a term exactly when some term that is no stop word stands in some entry", () => {
    const anyTerm = fc.record({
      token: fc.constantFrom("a", "b", "c", "d"),
      word: fc.constantFrom("a", "b"),
      weight: fc.constant(1),
      stopWord: fc.boolean(),
      part: fc.boolean(),
    });
    const anyDf = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.nat(1_000));
    fc.assert(
      fc.property(fc.array(anyTerm), anyDf, fc.integer({ min: 1, max: 1_000 }), (terms, df, n) => {
        const searchable = terms.some(({ stopWord, token }) => !stopWord && (df[token] ?? 0) > 0);
        const selected = select(terms, df, n);
        expect(selected.length > 0).toBe(searchable);
        expect(selected.every(({ idf }) => idf > 0)).toBe(true);
      }),
    );
  });
});
