import { describe, expect, it } from "vitest";
import { feedback } from "../../src/retrieval/feedback.ts";
import { DEFAULT_PARAMS } from "../../src/retrieval/params.ts";
import type { SelectedTerm } from "../../src/retrieval/stages.ts";
import { scoreOf, term, text } from "./builders.ts";

const params = { ...DEFAULT_PARAMS, feedback: { weight: 0.2, terms: 3, texts: 2 } };
const corpus = { entryCount: 5, averageTokens: 3 };
const asked: SelectedTerm[] = [{ ...term("query"), df: 5, idf: 1, searched: true }];
const texts = [
  text("a", { body: "query harbour the" }),
  text("b", { body: "query harbour the" }),
  text("c", { body: "query harbour the" }),
  text("d", { body: "query meadow the" }),
];
const scored = texts.map(({ id }, at) => ({ id, score: 10 - at, matched: ["query"] }));

const run = (weight = 0.2) =>
  feedback(scored, texts, asked, corpus, { ...params, feedback: { ...params.feedback, weight } });

describe("feedback", () => {
  it("[REC-26] lifts what shares the telling words of the best texts", () => {
    expect(scoreOf(run(), "c")).toBeGreaterThan(8);
    expect(scoreOf(run(), "d")).toBe(7);
  });

  it("[REC-26] learns neither words of the query, nor stop words, nor words of one text", () => {
    const lone = [
      text("a", { body: "query the lone" }),
      ...texts.slice(3),
      text("e", { body: "x" }),
    ];
    const all = lone.map(({ id }, at) => ({ id, score: 10 - at, matched: [] }));
    expect(feedback(all, lone, asked, corpus, params)).toEqual(all);
  });

  it("[REC-26] finds nothing that the query has not found, and changes nothing when off", () => {
    expect(run().map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
    expect(run(0)).toEqual(scored);
  });

  it("[REC-26] is off while there are no more texts than it learns from", () => {
    expect(feedback(scored.slice(0, 2), texts, asked, corpus, params)).toEqual(scored.slice(0, 2));
  });
});
