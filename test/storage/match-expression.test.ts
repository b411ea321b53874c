import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyseEntry, analyseQuery } from "../../src/analysis/analyzer.ts";
import { matchExpression } from "../../src/analysis/match-expression.ts";
import { inSphere } from "../support/sphere.ts";
import type { Bench } from "../support/sphere.ts";

/** What FTS5 would read as syntax, and the entry of ENTRIES that holds its words. */
const HOSTILE: [query: string, found: number[]][] = [
  ["AND", []],
  ["android AND gradle", [0]],
  ["android NOT gradle", [0]],
  ["NEAR(android gradle, 2)", [0, 5]],
  ["gra*", []],
  ["*", []],
  ['"unbalanced', [1]],
  ['un"balanced', []],
  ["don't", [2]],
  ["pre-edit", [3]],
  ["C++", [4]],
  ["-android", [0]],
  ["^android", [0]],
  ["title:android", [0, 6]],
  ["{body} : android", [0, 7]],
  ["(android", [0]],
  ["android + gradle", [0]],
  ["'; DROP TABLE entries; --", [8]],
];

const ENTRIES = [
  "android gradle",
  "unbalanced",
  "don't do that",
  "pre-edit hook",
  "C++ templates",
  "near the sea",
  "the title of a book",
  "a body of water",
  "drop the table where entries go",
];

describe("a match expression in the real index", () => {
  it.each(HOSTILE)("[ANA-5] reads %s as the words it holds", async (query, found) => {
    await inSphere((bench) => {
      const ids = ENTRIES.map((content) => bench.owner.capture(content).id);
      expect(search(bench, query)).toEqual(found.map((index) => ids[index]!).sort());
    });
  });

  it("[ANA-5] finds an entry exactly when it holds one of the terms, whatever the texts", async () => {
    const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom(...ENTRIES, "AND OR *"));
    await inSphere((bench) => {
      fc.assert(
        fc.property(fc.uniqueArray(content(text), { minLength: 1 }), text, (contents, query) => {
          bench.storage.sql.exec("DELETE FROM entries");
          bench.storage.sql.exec("DELETE FROM entries_fts");
          const ids = contents.map((each) => bench.owner.capture(each).id);
          const terms = new Set(analyseQuery(query, FORMS).map((term) => term.token));
          const holding = ids.filter((_, index) =>
            tokensOf(contents[index]!).some((token) => terms.has(token)),
          );
          expect(search(bench, query)).toEqual(holding.sort());
        }),
        { numRuns: 200 },
      );
    });
  });

  it("[ANA-5] is never a syntax error, not even of strings that are no tokens", async () => {
    const anything = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({
        unit: fc.constantFrom('"', "*", "(", ")", ":", "^", "-", "+", "\0", " ", "a", "AND"),
      }),
    );
    await inSphere((bench) => {
      bench.owner.capture("a and or not near");
      fc.assert(
        fc.property(fc.array(anything, { minLength: 1 }), (tokens) => {
          expect(matches(bench, tokens).length).toBeLessThanOrEqual(1);
        }),
        { numRuns: 500 },
      );
    });
  });
});

const FORMS = { stem: 0.7, exact: 0.3 };

const content = (text: fc.Arbitrary<string>) =>
  text.filter((each) => each !== "" && !each.includes("\0") && each.isWellFormed());

/** Ids of the entries that the index finds for a query, sorted. */
function search(bench: Bench, query: string): string[] {
  const tokens = analyseQuery(query, FORMS).map((term) => term.token);
  if (tokens.length === 0) return [];
  return matches(bench, tokens);
}

/** Ids of the entries that hold any of the tokens, sorted. */
function matches({ sql }: Bench, tokens: readonly string[]): string[] {
  const rows = sql.all<{ id: string }>(
    `SELECT e.id FROM entries_fts AS f JOIN entries AS e ON e.rid = f.rowid
     WHERE entries_fts MATCH ?`,
    matchExpression(tokens),
  );
  return rows.map((row) => row.id).sort();
}

function tokensOf(content: string): string[] {
  const { title, body, stems } = analyseEntry(content, []);
  return `${title} ${body} ${stems}`.split(" ");
}
