import { describe, expect, it } from "vitest";
import { isStopWord } from "../../src/analysis/stop-words.ts";
import { queryTokens } from "./support.ts";

describe("isStopWord", () => {
  it("[REC-2] knows function words, question words and filler", () => {
    const question =
      "Could you please remind me what happened and why we didn't do it, since that's how it was?";
    expect(queryTokens(question).filter((token) => !isStopWord(token))).toEqual([]);
  });

  it("leaves the subject of a question alone", () => {
    const subjects =
      "decide decided plan index time week new work need want like good use memory error".split(
        " ",
      );
    expect(subjects.filter(isStopWord)).toEqual([]);
  });
});
