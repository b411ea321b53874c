import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Kind, RecallOptions, Status } from "../../contracts/index.ts";
import type { DocFacts, SupersessionView } from "../../src/retrieval/deps.ts";
import { admission, hasTag, passes as passesAt, toFilter } from "../../src/retrieval/filter.ts";
import type { RecallFilter } from "../../src/retrieval/filter.ts";
import type { CandidateFacts } from "../../src/retrieval/stages.ts";
import { candidate } from "./builders.ts";

const facts = candidate("a", { tags: ["mars", "moon"], occurredAt: 100 });
const deprecated = candidate("d", { status: "deprecated" });
const superseded = candidate("s");
const exhaust = candidate("x", { exhaust: true });

/** "s" is superseded; "l" is replaced only by something later than the time asked about. */
const view: SupersessionView = {
  isSuperseded: (id) => id === "s",
  isReplacedLater: (id) => id === "l",
  headsOf: () => [],
  replacedBy: () => [],
};
const passes = (facts: CandidateFacts, filter: RecallFilter) =>
  passesAt({ ...facts, doc: 1 }, filter, view, () => facts.tags.includes(filter.tag ?? ""));

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
    expect(passes({ ...superseded, status: "deprecated" }, filter)).toBe(true);
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

  it.each([
    [{ asOf: 100 }, true],
    [{ asOf: 99 }, false],
    [{ asOf: 99, until: 200 }, false],
    [{ asOf: 200, until: 99 }, false],
    [{ asOf: 0 }, false],
  ])("[REC-21] lets in what occurred until then: %o", (options, expected) => {
    expect(passes(facts, toFilter(options))).toBe(expected);
  });

  it("[REC-22] lets in what is deprecated and was replaced only later, and nothing else deprecated", () => {
    const filter = toFilter({ asOf: 100 });
    expect(passes(candidate("l", { status: "deprecated" }), filter)).toBe(true);
    expect(passes(deprecated, filter)).toBe(false);
  });

  it("[REC-6] takes a time of 0 as given", () => {
    expect(passes(facts, toFilter({ until: 0 }))).toBe(false);
  });

  it("[REC-7] what memory can tell of a filter keeps out nothing that passes it", () => {
    const day = fc.integer({ min: 0, max: 5 });
    const entry = fc.record({
      kind: fc.constantFrom("episodic", "semantic"),
      stored: fc.constantFrom("canonical", "draft", "deprecated"),
      expired: fc.boolean(),
      exhaust: fc.boolean(),
      occurredAt: day,
      tagged: fc.boolean(),
    });
    const options = fc.record(
      {
        tag: fc.constant("moon"),
        kind: fc.constantFrom("episodic", "semantic"),
        status: fc.constantFrom("canonical", "draft", "deprecated"),
        since: day,
        until: day,
        asOf: day,
        includeInactive: fc.boolean(),
        includeExhaust: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(entry, options, (each, asked) => {
        const filter = toFilter(asked as RecallOptions);
        const tags = {
          length: 1,
          docs: Uint32Array.of(each.tagged ? 1 : 0),
          counts: Uint32Array.of(0),
        };
        const tagged = hasTag(tags, 2);
        const memory: DocFacts = {
          size: 2,
          tokenCounts: new Uint32Array(2),
          kind: () => each.kind as Kind,
          status: () => each.stored as Status,
          mayExpire: () => each.expired,
          exhaust: () => each.exhaust,
          occurredAt: () => each.occurredAt,
        };
        const status = each.expired ? "deprecated" : (each.stored as Status);
        const found = { ...each, id: "l", doc: 1, kind: each.kind as Kind, status };
        const current = { ...view, isReplacedLater: () => asked.asOf !== undefined };
        if (passesAt(found, filter, current, tagged)) {
          expect(admission(memory, filter, tagged)(1)).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
