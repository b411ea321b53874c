import { describe, expect, it } from "vitest";
import { matchExpression } from "../../src/analysis/match-expression.ts";

describe("matchExpression", () => {
  it("[ANA-5] quotes each token and joins them by OR", () => {
    expect(matchExpression(["run", "c++"])).toBe('"run" OR "c++"');
  });

  it("[ANA-5] doubles quotes and leaves no NUL", () => {
    expect(matchExpression(['a"b', "c\0d"])).toBe('"a""b" OR "c d"');
  });

  it("refuses an empty list", () => {
    expect(() => matchExpression([])).toThrow(RangeError);
  });
});
