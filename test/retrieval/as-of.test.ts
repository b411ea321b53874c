import { describe, expect, it } from "vitest";
import { rewriteQuery } from "../../src/retrieval/rewrite-query.ts";

/** A Wednesday. */
const NOW = Date.UTC(2026, 11, 2, 15, 30);

/** The last day that is looked at, or null. */
function asOf(text: string): string | null {
  const { asOf: time } = rewriteQuery(text, NOW);
  return time === null ? null : new Date(time).toISOString().replace("T23:59:59.999Z", "");
}

describe("as of", () => {
  const cases: readonly (readonly [text: string, day: string])[] = [
    ["which database as of 2019", "2019-12-31"],
    ["as of March 2019, which database", "2019-03-31"],
    ["database as of 5 March 2019", "2019-03-05"],
    ["database as of early 2019", "2019-12-31"],
    ["database as of last year", "2025-12-31"],
    ["As Of yesterday who owns billing", "2026-12-01"],
    ["database as of Q3 2024", "2024-09-30"],
    ["as of 2019", "2019-12-31"],
  ];
  for (const [text, day] of cases) {
    it(`[RWR-6] means the end of the span: ${text}`, () => {
      expect(asOf(text)).toBe(day);
    });
  }

  it("[RWR-6] is the end of the window that the phrase names, and leaves the text, [RWR-1]", () => {
    expect(rewriteQuery("database as of 2019", NOW)).toMatchObject({
      text: "database",
      window: { since: null, until: Date.UTC(2020, 0) - 1 },
      asOf: Date.UTC(2020, 0) - 1,
      asksPast: true,
    });
  });
});

describe("what a rule was", () => {
  const cases: readonly (readonly [text: string, day: string])[] = [
    ["what was the rule in March 2019", "2019-03-31"],
    ["What were our rules about naming in 2019?", "2019-12-31"],
    ["what was the data retention policy on 5 March 2019", "2019-03-05"],
    ["In 2019, what was the deployment procedure?", "2019-12-31"],
    ["what was the policy last week", "2026-11-29"],
    ["what were the guidelines between 2018 and 2019", "2019-12-31"],
    ["which naming convention applied in 2019", "2019-12-31"],
    ["which policy was in force during Q3 2024", "2024-09-30"],
  ];
  for (const [text, day] of cases) {
    it(`[RWR-6] asks as of the end of the window: ${text}`, () => {
      expect(asOf(text)).toBe(day);
    });
  }
});

describe("other wording", () => {
  const texts = [
    "the rule in March 2019",
    "what is the rule in 2019",
    "what happened in March 2019",
    "what was decided in March 2019",
    "what was the decision in March 2019",
    "what was the reason for the rule in March 2019",
    "what was the policy change in March 2019",
    "which rule was added in 2019",
    "what was the standard deviation in 2019",
    "what was the rule since 2019",
    "what was the rule before 2019",
    "what was the rule",
    "when did we change the rule in 2019",
    "state as of the first release",
    "as of now",
    "",
  ];
  for (const text of texts) {
    it(`[RWR-6] asks as of no time: ${JSON.stringify(text)}`, () => {
      expect(asOf(text)).toBeNull();
    });
  }
});
