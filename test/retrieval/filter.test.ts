import { describe, expect, it } from "vitest";
import { passes, toFilter } from "../../src/retrieval/filter.ts";
import { candidate } from "./builders.ts";

const facts = candidate("a", { tags: ["mars", "moon"], occurredAt: 100 });
const deprecated = candidate("d", { status: "deprecated" });
const superseded = candidate("s", { superseded: true });
const exhaust = candidate("x", { exhaust: true });

describe("filter", () => {
  it("lets everything active in when nothing is asked", () => {
    expect(passes(facts, toFilter({}))).toBe(true);
  });

  it.each([
    ["deprecated", deprecated],
    ["superseded", superseded],
    ["exhaust", exhaust],
  ])("[REC-6] leaves out what is %s", (_name, each) => {
    expect(passes(each, toFilter({}))).toBe(false);
  });

  it("[REC-8] shows deprecated and superseded entries with includeInactive, and exhaust still not", () => {
    const filter = toFilter({ includeInactive: true });
    expect([deprecated, superseded, exhaust].map((each) => passes(each, filter))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("[REC-8] shows exhaust with includeExhaust, and inactive entries still not", () => {
    const filter = toFilter({ includeExhaust: true });
    expect([deprecated, superseded, exhaust].map((each) => passes(each, filter))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it("[REC-8] takes status deprecated as includeInactive too", () => {
    const filter = toFilter({ status: "deprecated" });
    expect(passes(deprecated, filter)).toBe(true);
    expect(passes({ ...deprecated, superseded: true }, filter)).toBe(true);
    expect(passes(facts, filter)).toBe(false);
  });

  it.each([
    ["tag", { tag: "moon" }, true],
    ["tag as a whole", { tag: "moo" }, false],
    ["kind", { kind: "semantic" }, true],
    ["other kind", { kind: "episodic" }, false],
    ["status", { status: "draft" }, true],
    ["other status", { status: "canonical" }, false],
    ["since, inclusive", { since: 100 }, true],
    ["since", { since: 101 }, false],
    ["until, inclusive", { until: 100 }, true],
    ["until", { until: 99 }, false],
    ["all of them", { tag: "mars", kind: "semantic", status: "draft", since: 1, until: 200 }, true],
    ["all but one", { tag: "mars", kind: "semantic", status: "draft", since: 1, until: 2 }, false],
  ] as const)("[REC-6] filters by %s", (_name, options, expected) => {
    expect(passes(facts, toFilter(options))).toBe(expected);
  });

  it("[REC-6] takes a time of 0 as given", () => {
    expect(passes(facts, toFilter({ until: 0 }))).toBe(false);
  });
});
