import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_PARAMS } from "../../src/retrieval/params.ts";
import { liftByProximity } from "../../src/retrieval/proximity.ts";
import type { SelectedTerm } from "../../src/retrieval/stages.ts";
import { term, text } from "./builders.ts";

const params = { ...DEFAULT_PARAMS, proximity: 0.5 };
const terms = ["red", "fox", "den"].map((token): SelectedTerm => ({
  ...term(token),
  df: 1,
  idf: 1,
  searched: true,
}));

function lifted(body: string, asked = terms) {
  const scored = [{ id: "a", score: 8, matched: [] }];
  return liftByProximity(scored, () => text("a", { body }), asked, params)[0]?.score;
}

describe("liftByProximity", () => {
  it("[REC-26] adds the share of the pairs of words that stand together, in any order", () => {
    expect(lifted("red x fox x x x x x x den")).toBe(8 * 1.25);
    expect(lifted("fox red")).toBe(8 * 1.25);
    expect(lifted("red fox den")).toBe(8 * 1.5);
  });

  it("[REC-26] adds nothing for words far apart, one word repeated, or a query of one word", () => {
    expect(lifted("red x x x x x fox")).toBe(8);
    expect(lifted("red red red")).toBe(8);
    expect(lifted("red fox", terms.slice(0, 1))).toBe(8);
  });

  it("[REC-26] never lowers a score and never adds more than its share", () => {
    const body = fc.array(fc.constantFrom("red", "fox", "den", "x")).map((all) => all.join(" "));
    fc.assert(
      fc.property(body, (each) => {
        expect(lifted(each)).toBeGreaterThanOrEqual(8);
        expect(lifted(each)).toBeLessThanOrEqual(8 * 1.5);
      }),
    );
  });
});
