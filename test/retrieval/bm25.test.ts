import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyseEntry, analyseQuery } from "../../src/analysis/analyzer.ts";
import { phraseTerms } from "../../src/analysis/phrases.ts";
import { scoreTexts } from "../../src/retrieval/bm25.ts";
import { DEFAULT_PARAMS } from "../../src/retrieval/params.ts";
import type { SelectedTerm } from "../../src/retrieval/stages.ts";
import { countsOf, ids, scoreOf, term, text } from "./builders.ts";
import type { WholeText } from "./builders.ts";

const selected = (token: string, rest: Partial<SelectedTerm> = {}): SelectedTerm => ({
  ...term(token),
  df: 1,
  idf: 1,
  searched: true,
  ...rest,
});

function score(texts: WholeText[], terms: SelectedTerm[], averageTokens = 4) {
  return scoreTexts(texts, countsOf(texts, terms), terms, { averageTokens }, DEFAULT_PARAMS);
}

describe("scoreTexts", () => {
  it("is idf × tf × (k1 + 1) / (tf + k1 × (1 − b + b × length / average))", () => {
    const found = score([text("a", { body: "x x y z z z z z" })], [selected("x", { idf: 3 })]);
    expect(scoreOf(found, "a")).toBeCloseTo((3 * 2 * 2.2) / (2 + 1.2 * (0.25 + 0.75 * 2)), 12);
  });

  it("adds the terms of a text, each by its weight", () => {
    const entry = text("a", { body: "x y" });
    const alone = (token: string) => scoreOf(score([entry], [selected(token)]), "a");
    const both = score([entry], [selected("x"), selected("y", { weight: 0.5 })]);
    expect(scoreOf(both, "a")).toBeCloseTo(alone("x") + 0.5 * alone("y"), 12);
  });

  it("puts the rarer of two terms first", () => {
    const texts = [text("common", { body: "c" }), text("rare", { body: "r" })];
    expect(ids(score(texts, [selected("r", { idf: 4 }), selected("c", { idf: 1 })]))).toEqual([
      "rare",
      "common",
    ]);
  });

  it("puts the shorter of two texts first", () => {
    const texts = [text("long", { body: "x y y y y y" }), text("short", { body: "x y" })];
    expect(ids(score(texts, [selected("x")]))).toEqual(["short", "long"]);
  });

  it("values different words above repetitions of one", () => {
    const texts = [text("repeats", { body: "x x x x" }), text("varied", { body: "x y z z" })];
    expect(ids(score(texts, [selected("x"), selected("y")]))).toEqual(["varied", "repeats"]);
  });

  it("counts a title above a body, and saturates once for all columns", () => {
    const texts = [
      text("body", { body: "x", tokenCount: 4 }),
      text("title", { title: "x", tokenCount: 4 }),
      text("both", { title: "x", body: "x", tokenCount: 4 }),
    ];
    const found = score(texts, [selected("x")]);
    expect(ids(found)).toEqual(["both", "title", "body"]);
    expect(scoreOf(found, "both")).toBeLessThan(scoreOf(found, "title") + scoreOf(found, "body"));
  });

  it("finds stems and tags too", () => {
    const texts = [text("stem", { stems: "run" }), text("tag", { tags: "run" })];
    expect(ids(score(texts, [selected("run")])).sort()).toEqual(["stem", "tag"]);
  });

  it("compares whole tokens", () => {
    expect(score([text("a", { body: "category scat" })], [selected("cat")])).toEqual([]);
  });

  it("names the words that hit once each, not their forms", () => {
    const terms = [
      selected("runs", { word: "runs" }),
      selected("run", { word: "runs" }),
      selected("gone"),
      selected("fast"),
    ];
    const entry = text("a", { body: "fast runs", stems: "run" });
    expect(score([entry], terms)[0]?.matched).toEqual(["runs", "fast"]);
  });

  it("leaves out texts that hold none of the terms", () => {
    expect(
      ids(score([text("a", { body: "x" }), text("b", { body: "y" })], [selected("x")])),
    ).toEqual(["a"]);
  });

  it("[REC-19] breaks ties by id, whatever the order of the texts", () => {
    const texts = ["b", "c", "a"].map((id) => text(id, { body: "x" }));
    expect(ids(score(texts, [selected("x")]))).toEqual(["a", "b", "c"]);
  });

  it("[REC-11] scores the only entry of a workspace", () => {
    const found = score(
      [text("a", { body: "x" })],
      [selected("x", { idf: Math.log(1 + 1 / 3) })],
      1,
    );
    expect(scoreOf(found, "a")).toBeGreaterThan(0);
  });

  it("scores texts without words of their own, where tags match", () => {
    expect(scoreOf(score([text("a", { tags: "x" })], [selected("x")], 0), "a")).toBeGreaterThan(0);
  });

  it("never lowers a score for one more occurrence at equal length", () => {
    fc.assert(
      fc.property(fc.nat(50), fc.integer({ min: 1, max: 500 }), (count, tokenCount) => {
        const entry = (id: string, times: number) =>
          text(id, { body: "x ".repeat(times), tags: "x", tokenCount });
        const found = score([entry("less", count), entry("more", count + 1)], [selected("x")]);
        expect(scoreOf(found, "more")).toBeGreaterThan(scoreOf(found, "less"));
      }),
    );
  });
});

describe("a title that is the query", () => {
  const lift = (title: string, query: string) => {
    const words = analyseQuery(query, DEFAULT_PARAMS.forms);
    const terms = [...words, ...phraseTerms(query, 1)]
      .filter((each) => !each.stopWord)
      .map((each) => ({ ...each, df: 1, idf: 1, searched: true }));
    const texts = [text("a", analyseEntry(title, []))];
    const at = (titleMatch: number) =>
      scoreTexts(
        texts,
        countsOf(texts, terms),
        terms,
        { averageTokens: 4 },
        { ...DEFAULT_PARAMS, titleMatch },
      );
    return scoreOf(at(3), "a") / scoreOf(at(1), "a");
  };

  it.each([
    ["Release policy", "release policy"],
    ["The release policy", "policy of the release"],
    ["ADR 060: Go API Stability", "adr 060 go api stability"],
    ["runStalenessPass in src/a/b.ts", "src/a/b.ts runStalenessPass"],
    ["Zażółć gęślą jaźń", "zazolc gesla jazn"],
    ["東京都の方針", "東京都の方針"],
    ["นโยบายการเผยแพร่", "นโยบายการเผยแพร่"],
    ["Release policy\n\nHow we do it.", "release policy"],
    ["The release policy", '"release policy"'],
  ])("[REC-25] lifts the entry: %s, %s", (title, query) => {
    expect(lift(title, query)).toBeCloseTo(3, 12);
  });

  it.each([
    ["Release policy for plugins", "release policy"],
    ["Release policy", "release policy for plugins"],
    ["Notes\n\nrelease policy", "release policy"],
    ["src b.ts", "src/a/b.ts"],
    ["Policy release", '"release policy"'],
  ])("[REC-25] is no other: %s, %s", (title, query) => {
    expect(lift(title, query)).toBe(1);
  });
});
