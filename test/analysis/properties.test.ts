import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  analyseEntry,
  tokenise,
  TOKEN_PUNCTUATION,
  TOKEN_UNITS,
} from "../../src/analysis/analyzer.ts";
import { fold, lower } from "../../src/analysis/fold.ts";
import { anyText, entryTokens, query } from "./support.ts";

const SAFE = new RegExp(
  `^(?:[a-z0-9${TOKEN_PUNCTUATION.replace("-", "\\-")}]|[^\\0-\\x7f])+$`,
  "u",
);

describe("any text at all", () => {
  it("[ANA-5] gives tokens without spaces, quotes or punctuation that the index does not know", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { title, body, stems, tags } = analyseEntry(text, [text]);
        const columns = [title, body, stems, tags].filter((column) => column !== "");
        for (const token of columns.flatMap((column) => column.split(" "))) {
          expect(token).toMatch(SAFE);
        }
      }),
    );
  });

  it("gives tokens of bounded length", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const { token } of tokenise(text)) {
          expect(token.length).toBeLessThanOrEqual(2 * TOKEN_UNITS);
        }
      }),
    );
  });

  it("[ANA-5] finds itself: an entry holds every term of the query that repeats it", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const held = entryTokens(text);
        expect(query(text).filter(({ token }) => !held.has(token))).toEqual([]);
      }),
    );
  });

  it("[ANA-1] gives the same tokens composed and decomposed", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const [composed, decomposed] = (["NFC", "NFD"] as const).map((form) =>
          tokenise(text.normalize(form)).map(({ token, role }) => [token, role]),
        );
        expect(decomposed).toEqual(composed);
      }),
    );
  });

  it("gives each query term once, with a weight, and its word", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const terms = query(text);
        expect(new Set(terms.map(({ token }) => token)).size).toBe(terms.length);
        expect(terms.every(({ weight, word }) => weight > 0 && weight <= 1.5 && word !== "")).toBe(
          true,
        );
      }),
    );
  });

  it("gives bounds that lie in the text, in order of their start", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let before = 0;
        for (const { start, end } of tokenise(text)) {
          expect(start).toBeGreaterThanOrEqual(before);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          before = start;
        }
      }),
    );
  });

  it("gives bounds that cut out the token", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const { token, start, end } of tokenise(text)) {
          const cut = text.slice(start, end);
          // What the dictionary takes for a word depends on its surroundings; its letters do not.
          const held = tokenise(cut).some((each) => each.token === token);
          expect(held || lower(fold(cut).text).includes(token), `${token} in ${cut}`).toBe(true);
        }
      }),
    );
  });
});

describe("folding", () => {
  it("[ANA-1] is the same for every character composed and decomposed", () => {
    const different: string[] = [];
    for (let code = 0; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code);
      const decomposed = character.normalize("NFD");
      if (decomposed !== character && fold(decomposed).text !== fold(character).text) {
        different.push(code.toString(16));
      }
    }
    expect(different).toEqual([]);
  });
});
