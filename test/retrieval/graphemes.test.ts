import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { graphemeBoundary } from "../../src/retrieval/graphemes.ts";
import { trickyText } from "./tricky-text.ts";

const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });

/** Every boundary of a text, found by segmenting all of it. */
function boundaries(text: string): number[] {
  return [...Array.from(segmenter.segment(text), (segment) => segment.index), text.length];
}

describe("graphemeBoundary", () => {
  it("[REC-17] is the last boundary at or before the index, as segmenting the whole text finds it", () => {
    fc.assert(
      fc.property(trickyText, fc.nat(300), (text, index) => {
        const expected = boundaries(text).findLast((each) => each <= index);
        expect(graphemeBoundary(text, index)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["a letter with marks", "ae\u0301\u0302b", [0, 1, 4, 5]],
    ["a family of emoji", "a👨‍👩‍👧b", [0, 1, 9, 10]],
    ["flags, two by two", "🇵🇱🇩🇪", [0, 4, 8]],
    ["a skin tone", "👍🏽!", [0, 4, 5]],
    ["conjoining jamo", "\u1112\u1161\u11ab\u1100", [0, 3, 4]],
    ["a carriage return and line feed", "a\r\nb", [0, 1, 3, 4]],
    ["ideographs outside the basic plane", "𠮷𠮷", [0, 2, 4]],
  ])("[REC-17] keeps %s whole", (_name, text, expected) => {
    const found = Array.from({ length: text.length + 1 }, (_, index) =>
      graphemeBoundary(text, index),
    );
    expect([...new Set(found)]).toEqual(expected);
  });

  it("stays inside the text for any index", () => {
    expect([-5, 0, 3, 4, 1e9].map((index) => graphemeBoundary("text", index))).toEqual([
      0, 0, 3, 4, 4,
    ]);
    expect(graphemeBoundary("", 1)).toBe(0);
  });

  it("cuts a grapheme of 10,000 marks between code points, where nothing else is near", () => {
    const text = `e${"\u0301".repeat(10_000)}${"\u{1d165}".repeat(100)}`;
    expect(graphemeBoundary(text, 500)).toBe(0);
    expect(graphemeBoundary(text, 9_000)).toBe(9_000);
    expect(graphemeBoundary(text, 10_002)).toBe(10_001);
  });
});
