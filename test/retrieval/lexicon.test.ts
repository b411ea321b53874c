import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Lexicon } from "../../src/retrieval/lexicon.ts";

const column = fc
  .array(
    fc.oneof(
      fc.string({ minLength: 1, maxLength: 3 }).filter((each) => !each.includes(" ")),
      fc.constantFrom("a", "b", "ab", "ba", "日本", "é"),
      fc.nat(5_000).map((n) => `t${n}`),
    ),
  )
  .map((tokens) => tokens.join(" "));

describe("Lexicon", () => {
  it("gives equal tokens one number, and numbers the tokens of a text in order", () => {
    fc.assert(
      fc.property(fc.array(column, { maxLength: 60 }), (columns) => {
        const lexicon = new Lexicon();
        const rest = { tokenCount: 0, wasCut: false };
        for (const [at, body] of columns.entries()) {
          const title = columns[at - 1] ?? "";
          const { numbers } = lexicon.numbered({ id: "", title, body, ...rest });
          const read = (list: Uint32Array) => Array.from(list, (number) => lexicon.token(number));
          expect(read(numbers.body).join(" ")).toBe(body);
          expect(read(numbers.title).join(" ")).toBe(title);
        }
        const tokens = new Set(columns.flatMap((each) => each.split(" ")).filter(Boolean));
        expect(lexicon.size).toBe(tokens.size);
        for (const token of tokens) expect(lexicon.token(lexicon.find(token) ?? -1)).toBe(token);
        expect(lexicon.find("no such token")).toBe(undefined);
      }),
    );
  });
});
