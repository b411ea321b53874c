import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_PARAMS } from "../../src/retrieval/params.ts";
import { bestWindow, budgetSnippets } from "../../src/retrieval/snippets.ts";
import { trickyText } from "./tricky-text.ts";

const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });

const words = (...list: string[]): ReadonlySet<string> => new Set(list);
const filler = (chars: number) =>
  "lorem ipsum dolor sit amet ".repeat(chars / 27 + 1).slice(0, chars);

function budget(
  contents: string[],
  { full = false, reservedChars = 0, params = DEFAULT_PARAMS } = {},
) {
  return budgetSnippets(contents, words("needle"), { full, reservedChars }, params);
}

const lengths = (snippets: { content: string }[]) => snippets.map(({ content }) => content.length);
const sum = (numbers: number[]) => numbers.reduce((all, each) => all + each, 0);

/** Whether a snippet stands somewhere in the text between two grapheme boundaries. */
function isWholeGraphemes(snippet: string, text: string): boolean {
  const starts = Array.from(segmenter.segment(text), (segment) => segment.index);
  const boundaries = new Set([...starts, text.length]);
  return starts.some(
    (start) => text.startsWith(snippet, start) && boundaries.has(start + snippet.length),
  );
}

describe("bestWindow", () => {
  it("is the whole text where that fits", () => {
    expect(bestWindow("short text", words("text"), 10)).toEqual({
      content: "short text",
      truncated: false,
    });
  });

  it("says when it is cut, and begins at the beginning where no word occurs", () => {
    expect(bestWindow("one two three", words("absent"), 8)).toEqual({
      content: "one two ",
      truncated: true,
    });
  });

  it("[REC-17] finds a word at character 400,000", () => {
    const text = `${filler(400_000)} the needle is here ${filler(100_000)}`;
    const { content } = bestWindow(text, words("needle"), 400);
    expect(content).toContain("the needle is here");
    expect(content.length).toBeGreaterThan(350);
  });

  it("[REC-17] prefers the place with most different words to the one with most occurrences", () => {
    const text = `${"needle ".repeat(30)}${filler(500)} needle in a haystack ${filler(500)}`;
    expect(bestWindow(text, words("needle", "haystack"), 100).content).toContain(
      "needle in a haystack",
    );
  });

  it("counts words that stand together, in whichever order they are given", () => {
    const places = ["needle, haystack", "needle", "haystack", "needle"];
    const text = places.map((place) => `${filler(500)} ${place}`).join(" ");
    for (const list of [words("needle", "haystack"), words("haystack", "needle")]) {
      expect(bestWindow(text, list, 100).content).toContain("needle, haystack");
    }
  });

  it("counts the forms of one word as one", () => {
    const text = `deployment ${filler(500)} deploys alpha ${filler(500)}`;
    const list = words("deployment", "deploy", "alpha");
    expect(bestWindow(text, list, 60).content).toContain("deploys alpha");
  });

  it("counts a short word and a longer one that begins like it as two", () => {
    const text = `gopher ${filler(500)} go, gopher ${filler(500)}`;
    expect(bestWindow(text, words("go", "gopher"), 60).content).toContain("go, gopher");
  });

  it("passes over a word that does not fit, and not over its parts", () => {
    const text = `log ${filler(500)} log runStalenessPass`;
    expect(bestWindow(text, words("log", "runstalenesspass", "run"), 8).content).toBe("log runS");
  });

  it("shows the longer of two words whole where one begins like the other", () => {
    const text = `${"口".repeat(50)}東京都庁舎建物${"口".repeat(50)}`;
    expect(bestWindow(text, words("東京都庁舎建物", "京都"), 7).content).toContain(
      "東京都庁舎建物",
    );
  });

  it("prefers a word of its own to a part of another", () => {
    const text = `transportation ${filler(500)} the port is 8787 ${filler(500)}`;
    expect(bestWindow(text, words("port"), 60).content).toContain("port is 8787");
  });

  it("takes the first of equally good places", () => {
    const text = `${filler(300)} first needle ${filler(300)} second needle ${filler(300)}`;
    expect(bestWindow(text, words("needle"), 100).content).toContain("first needle");
  });

  it("shows what stands around the words, more after than before, from the start of a line", () => {
    const text = `${filler(500)}\nBEFORE the needle AFTER${filler(500)}`;
    const { content } = bestWindow(text, words("needle"), 200);
    expect(content).toMatch(/^BEFORE the needle AFTER/);
    expect(content).toHaveLength(200);
  });

  it("begins at a word where no line begins near", () => {
    const { content } = bestWindow(`${filler(500)} needle ${filler(500)}`, words("needle"), 200);
    expect(content).toMatch(/^(lorem|ipsum|dolor|sit|amet) /);
  });

  it("keeps to its characters where the words lie as far apart as they may", () => {
    const text = `${filler(300)} alpha ${"x".repeat(80)} omega ${filler(300)}`;
    const { content } = bestWindow(text, words("alpha", "omega"), 92);
    expect(content).toBe(`alpha ${"x".repeat(80)} omega`.slice(0, 92));
    expect(content).toHaveLength(92);
  });

  it.each([
    ["case", "DEPLOYMENT failed", ["deployment"]],
    ["diacritics", "w Łodzi i w Łódź", ["lodz"]],
    ["decomposed letters", "Ło\u0301dz\u0301", ["lodz"]],
    ["letters that fold to two", "Straße", ["strasse"]],
    ["letters after ones that fold to two", "ßßßß straße", ["strasse"]],
    ["Greek final sigma", "ΟΔΟΣ", ["οδοσ"]],
    ["full-width forms", "ＦＴＳ５", ["fts5"]],
    ["ideographs inside a sentence", "今天部署失败了", ["部署"]],
    ["a single ideograph", "一只猫在", ["猫"]],
    ["Hangul with a particle", "배포는 금요일", ["배포"]],
    ["decomposed Hangul", "배포는".normalize("NFD"), ["배포"]],
    ["voiced kana, composed and not", "か\u3099くせい", ["がく"]],
    ["an emoji", "released 🚀 today", ["🚀"]],
    ["a stem", "deployments", ["deploy"]],
    ["a stem that ends otherwise than its inflection", "a happy end", ["happi"]],
    ["a stem that has an e its inflection lacks", "filing", ["file"]],
    ["a part of camel case", "runStalenessPass()", ["pass"]],
    ["a short part of camel case", "getApiKey", ["api"]],
    ["a path", "see src/a/b.ts", ["src/a/b.ts"]],
  ])("[REC-17] finds %s", (_name, place, list) => {
    const text = `${"· ".repeat(400)}${place} ${"· ".repeat(400)}`;
    expect(bestWindow(text, words(...list), place.length + 40).content).toContain(place);
  });

  it("[REC-17] finds a word that the text writes with an apostrophe", () => {
    for (const written of ["O'Brien", "O’BRIEN", "oʼbrien"]) {
      const text = `${filler(300)}${written} ${filler(300)}`;
      expect(bestWindow(text, words("obrien"), 50).content).toContain(written);
    }
    const quoted = `${filler(300)}'needle' ${filler(300)}`;
    expect(bestWindow(quoted, words("needle"), 50).content).toContain("'needle'");
  });

  it("[REC-23] prefers a phrase to its words further apart", () => {
    const text = `exact, and other words. ${filler(300)} the Exact Words. ${filler(300)}`;
    const sought = words("exact", "words", "exact words");
    expect(bestWindow(text, sought, 60).content).toContain("Exact Words");
  });

  it("[REC-17] finds a word after characters that fold to many", () => {
    const text = `${"ﷺ".repeat(1_000)} the needle ${"ﷺ".repeat(1_000)}`;
    expect(bestWindow(text, words("needle"), 40).content).toContain("the needle");
  });

  it("takes no short word for found inside a longer one", () => {
    const text = `catalog of things ${filler(300)} the log says ${filler(300)}`;
    expect(bestWindow(text, words("log"), 40).content).toContain("the log says");
    expect(bestWindow(`${filler(300)} catalog`, words("log"), 27).content).toBe(filler(27));
  });

  it("[REC-17] is a part of the text in whole graphemes, of at most maxChars", () => {
    const anyWords = fc
      .subarray(["deploy", "lodz", "部署", "e", "한글", "👍"])
      .map((list) => words(...list));
    fc.assert(
      fc.property(trickyText, anyWords, fc.nat(80), (text, list, maxChars) => {
        const { content, truncated } = bestWindow(text, list, maxChars);
        expect(content.length).toBeLessThanOrEqual(maxChars);
        expect(truncated).toBe(content !== text);
        expect(content === "" || isWholeGraphemes(content, text)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it("[REC-17] shows some word where any occurs and fits", () => {
    fc.assert(
      fc.property(
        fc.nat(3_000),
        fc.nat(3_000),
        fc.integer({ min: 20, max: 400 }),
        (before, after, maxChars) => {
          const text = `${filler(before)} needle ${filler(after)}`;
          expect(bestWindow(text, words("needle", "absent"), maxChars).content).toContain("needle");
        },
      ),
    );
  });

  it("is empty where not one grapheme fits", () => {
    expect(bestWindow("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", words(), 5)).toEqual({ content: "", truncated: true });
    expect(bestWindow("text", words("text"), 0)).toEqual({ content: "", truncated: true });
    expect(bestWindow("", words("text"), 0)).toEqual({ content: "", truncated: false });
  });

  it.each([400, 4_000])("survives 10,000 combining marks within %i characters", (maxChars) => {
    const text = `${filler(2_000)}e${"\u0301".repeat(10_000)} needle ${filler(2_000)}`;
    const { content } = bestWindow(text, words("needle"), maxChars);
    expect(content.length).toBeLessThanOrEqual(maxChars);
    expect(content).toContain("needle");
    expect(text).toContain(content);
  });
});

describe("budgetSnippets", () => {
  it("[REC-13] gives the first two hits 4,000 characters and the others 400", () => {
    const snippets = budget(Array.from({ length: 5 }, () => "x".repeat(9_000)));
    expect(lengths(snippets)).toEqual([4_000, 4_000, 400, 400, 400]);
    expect(snippets.every(({ truncated }) => truncated)).toBe(true);
  });

  it("[REC-13] leaves texts whole that fit", () => {
    expect(budget(["a", "x".repeat(4_000), "x".repeat(400)])).toEqual([
      { content: "a", truncated: false },
      { content: "x".repeat(4_000), truncated: false },
      { content: "x".repeat(400), truncated: false },
    ]);
  });

  it("[REC-13] spends 12,000 in all, and leaves the rest of the hits empty and marked", () => {
    const snippets = budget(Array.from({ length: 20 }, () => "x".repeat(9_000)));
    expect(sum(lengths(snippets))).toBe(12_000);
    expect(lengths(snippets)).toEqual([4_000, 4_000, ...Array(10).fill(400), ...Array(8).fill(0)]);
    expect(snippets.at(-1)).toEqual({ content: "", truncated: true });
  });

  it("[REC-13] counts what is reserved for neighbours and notes", () => {
    const contents = Array.from({ length: 5 }, () => "x".repeat(9_000));
    expect(lengths(budget(contents, { reservedChars: 7_900 }))).toEqual([4_000, 100, 0, 0, 0]);
    expect(lengths(budget(contents, { reservedChars: 99_999 }))).toEqual([0, 0, 0, 0, 0]);
  });

  it("gives no slivers to later hits when a cut at a grapheme leaves some characters", () => {
    const contents = [`${"x".repeat(95)}👨‍👩‍👧‍👦`, "x".repeat(50)];
    expect(lengths(budget(contents, { reservedChars: 11_900 }))).toEqual([95, 0]);
  });

  it("[REC-13] gives whole entries with full, until 1,000,000 are spent", () => {
    const whole = "x".repeat(450_000);
    const snippets = budget([whole, whole, `${"y ".repeat(200_000)}needle`, "z"], { full: true });
    expect(lengths(snippets)).toEqual([450_000, 450_000, 100_000, 0]);
    expect(snippets.map(({ truncated }) => truncated)).toEqual([false, false, true, true]);
    expect(snippets[2]?.content).toMatch(/needle$/);
  });

  it("[REC-13] never exceeds any budget, for any contents", () => {
    const anyBudget = fc.record({
      full: fc.boolean(),
      reservedChars: fc.nat(300),
      fullHits: fc.nat(3),
      fullChars: fc.nat(100),
      restChars: fc.nat(30),
      totalChars: fc.nat(300),
      fullTotalChars: fc.nat(400),
    });
    fc.assert(
      fc.property(fc.array(trickyText, { maxLength: 12 }), anyBudget, (contents, any) => {
        const { full, reservedChars, fullTotalChars, ...snippets } = any;
        const params = { ...DEFAULT_PARAMS, snippets, fullTotalChars };
        const shown = budget(contents, { full, reservedChars, params });
        const total = full ? fullTotalChars : snippets.totalChars;
        expect(shown).toHaveLength(contents.length);
        expect(sum(lengths(shown))).toBeLessThanOrEqual(Math.max(0, total - reservedChars));
        shown.forEach(({ content, truncated }, index) => {
          const own = index < snippets.fullHits ? snippets.fullChars : snippets.restChars;
          expect(full || content.length <= own).toBe(true);
          expect(truncated).toBe(content !== contents[index]);
          expect(content.isWellFormed()).toBe(true);
        });
      }),
      { numRuns: 500 },
    );
  });
});
