import { describe, expect, it } from "vitest";
import { rewriteQuery } from "../../src/retrieval/rewrite-query.ts";

const NOW = Date.UTC(2026, 11, 2, 15, 30);
const rewrite = (text: string) => rewriteQuery(text, NOW);

describe("a wish for the newest", () => {
  const wishes: readonly (readonly [text: string, rest: string])[] = [
    ["what is the current owner of billing", "what is the owner of billing"],
    ["latest deploy config", "deploy config"],
    ["What's our newest retry policy?", "What's our retry policy?"],
    ["which database do we currently use", "which database do we use"],
    ["most recent incident in billing", "incident in billing"],
    ["who most recently changed the parser", "who changed the parser"],
    ["Who is Melanie’s current boss?", "Who is Melanie’s boss?"],
    ["which port does it use these days?", "which port does it use?"],
    ["which port does it use at the moment?", "which port does it use?"],
    ["which port is it as of now?", "which port is it?"],
    ["Currently, who owns billing?", "who owns billing?"],
    [
      "tell me who of the whole team is currently on call for us",
      "tell me who of the whole team is on call for us",
    ],
    ["what is the latest on the migration", "what is the on the migration"],
  ];
  for (const [text, rest] of wishes) {
    it(`[RWR-7] leaves the text: ${text}`, () => {
      expect(rewrite(text)).toEqual({
        text: rest,
        window: null,
        asOf: null,
        asksPast: false,
        wantsNewest: true,
      });
    });
  }

  const stays = [
    "where does Ann live now?",
    "what do we do now",
    "is the cache still used?",
    "do we still need the lock",
    "why is it still failing?",
    "latest",
    "what is the latest?",
    "currently",
  ];
  for (const text of stays) {
    it(`[RWR-7] is read in stop words and where it stands alone: ${text}`, () => {
      expect(rewrite(text)).toMatchObject({ text, wantsNewest: true });
    });
  }

  const none = [
    "alternating current limits",
    "the loader, which our team wrote in Go, currently reads both formats",
    "how do I measure the current draw",
    "docker image latest",
    "the latest-build job",
    "pay at the latest",
    "current_timestamp default",
    "current",
    "what did we do until now?",
    "we still use it",
    "was it still broken?",
    "did it still work in May?",
    "how do I paint a still life",
    "the Now page",
    "the history of the current schema",
    "when did we get the latest printer",
    "what was the newest rule in March 2019",
    "recent changes",
    "",
  ];
  for (const text of none) {
    it(`[RWR-7] is not read into ${JSON.stringify(text)}`, () => {
      expect(rewrite(text)).toMatchObject({ text, wantsNewest: false });
    });
  }
});
