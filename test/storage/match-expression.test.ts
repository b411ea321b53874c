import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyseEntry, tokenise, TOKEN_PUNCTUATION } from "../../src/analysis/analyzer.ts";
import { matchExpression } from "../../src/analysis/match-expression.ts";
import { anyText, queryTokens } from "../analysis/support.ts";
import { FORMS_OF_IDENTIFIERS, SCRIPTS } from "../analysis/tables.ts";

/** Runs `test` over a real FTS5 table that splits where the index does. */
function inTable(
  test: (table: { insert(content: string): void; count(expression: string): number }) => void,
) {
  return runInDurableObject(
    env.SPHERES.getByName(crypto.randomUUID()),
    (_instance, { storage: { sql } }) => {
      sql.exec(
        `CREATE VIRTUAL TABLE probe USING fts5 (text, tokenize = "ascii tokenchars '${TOKEN_PUNCTUATION}'")`,
      );
      test({
        insert: (content) => {
          const { title, body, stems } = analyseEntry(content, []);
          sql.exec("DELETE FROM probe");
          sql.exec("INSERT INTO probe (text) VALUES (?)", `${title} ${body} ${stems}`);
        },
        count: (expression) =>
          Number(
            sql.exec("SELECT count(*) AS n FROM probe WHERE probe MATCH ?", expression).one()["n"],
          ),
      });
    },
  );
}

describe("match expressions in FTS5", () => {
  it("[ANA-1] [ANA-2] [ANA-3] find what the analyzer indexed, in every script and form of word", async () => {
    await inTable(({ insert, count }) => {
      const lost = [...SCRIPTS, ...FORMS_OF_IDENTIFIERS].flatMap(([what, entry, ...queries]) => {
        insert(entry);
        return queries
          .filter((text) => count(matchExpression(queryTokens(text))) !== 1)
          .map((text) => [what, text]);
      });
      expect(lost).toEqual([]);
    });
  });

  it("[ANA-5] takes every token of any text as one token", async () => {
    await inTable(({ insert, count }) => {
      fc.assert(
        fc.property(anyText, (text) => {
          insert(text);
          const lost = tokenise(text).filter(({ token }) => count(matchExpression([token])) !== 1);
          expect(lost).toEqual([]);
        }),
      );
    });
  });

  it("[ANA-5] accepts whatever tokens it is given, operators and quotes included", async () => {
    await inTable(({ insert, count }) => {
      insert("something else");
      const anyToken = fc.oneof(
        anyText,
        fc.constantFrom("AND", "NOT", "*", '"', "text:", "{x}", "^", "NEAR(", ""),
      );
      fc.assert(
        fc.property(fc.array(anyToken, { minLength: 1, maxLength: 20 }), (tokens) => {
          expect(count(matchExpression(tokens))).toBeLessThanOrEqual(1);
        }),
      );
    });
  });

  it("[REC-1] takes the terms of the longest query", async () => {
    await inTable(({ insert, count }) => {
      insert("zyzzyva");
      const query = Array.from({ length: 900 }, (_, index) =>
        String.fromCodePoint(0x4e00 + index),
      ).join("");
      expect(count(matchExpression([...queryTokens(query), "zyzzyva"]))).toBe(1);
    });
  });
});
