import { describe, expect, it } from "vitest";
import { finds } from "./support.ts";
import { FORMS_OF_IDENTIFIERS, SCRIPTS } from "./tables.ts";

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
