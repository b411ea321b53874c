import { describe, expect, it } from "vitest";
import { finds } from "./support.ts";
import { FORMS_OF_IDENTIFIERS, INFLECTIONS, NO_INFLECTIONS, SCRIPTS } from "./tables.ts";

describe("scripts", () => {
  for (const [what, entry, ...queries] of SCRIPTS) {
    it(`[ANA-1] [ANA-2] ${what}`, () => {
      expect(queries.filter((query) => !finds(query, entry))).toEqual([]);
    });
  }
});

describe("identifiers and words", () => {
  for (const [what, entry, ...queries] of FORMS_OF_IDENTIFIERS) {
    it(`[ANA-3] [ANA-4] ${what}`, () => {
      expect(queries.filter((query) => !finds(query, entry))).toEqual([]);
    });
  }
});

describe("inflections", () => {
  for (const row of INFLECTIONS) {
    it(`[ANA-4] find one another: ${row}`, () => {
      const forms = row.split(" ");
      const missed = forms.flatMap((query) =>
        forms.filter((entry) => !finds(query, entry)).map((entry) => [query, entry]),
      );
      expect(missed).toEqual([]);
    });
  }

  for (const row of NO_INFLECTIONS) {
    it(`[ANA-4] are not: ${row}`, () => {
      const [one = "", other = ""] = row.split(" ");
      expect([finds(one, other), finds(other, one)]).toEqual([false, false]);
    });
  }
});
