import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Hit, RecallResult } from "../../contracts/entities.ts";
import { showRecall } from "../../src/cli/show/entries.ts";
import { columns, printable, wrap } from "../../src/cli/show/layout.ts";

describe("wrapping", () => {
  it("keeps lines within the width, breaking between words only", () => {
    expect(wrap("one two three four five six", 20, "  ")).toBe("  one two three four\n  five six");
  });

  it("keeps line breaks and leaves long words whole", () => {
    expect(wrap(`a\n\n${"x".repeat(30)} b`, 20)).toBe(`a\n\n${"x".repeat(30)}\nb`);
  });

  it("loses no word", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.integer({ min: 20, max: 80 }),
        (text, width) => {
          const words = (of: string) => of.split(/\s+/).filter(Boolean);
          expect(words(wrap(text, width))).toEqual(words(printable(text)));
        },
      ),
    );
  });
});

it("text from the memory cannot drive the terminal", () => {
  expect(printable("a\u001b[2Jb\u0007\u009bc\td\r\ne")).toBe("a\uFFFD[2Jb\uFFFD\uFFFDc\td\ne");
});

it("columns are aligned", () => {
  expect(
    columns(
      [
        ["a", 1],
        ["long", "x"],
      ],
      " ",
    ),
  ).toBe(" a     1\n long  x");
});

describe("a recall for people", () => {
  const hit: Hit = {
    id: "0badcafe",
    content: "What was said",
    truncated: true,
    score: 0.0246,
    kind: "episodic",
    status: "draft",
    claimTag: "UNKNOWN",
    evidenceRef: null,
    tags: ["commit"],
    source: null,
    actor: "test",
    occurredAt: Date.UTC(2026, 0, 31),
    createdAt: Date.UTC(2026, 0, 31),
    stale: true,
    inWindow: false,
    via: { from: "12345678", steps: [{ id: "0badcafe", type: "follows", direction: "in" }] },
  };
  const result: RecallResult = {
    hits: [],
    queryUsed: "q",
    window: null,
    asOf: null,
    reason: null,
    degraded: [],
  };

  it("shows place, id, day, classification, flags and the cut text", () => {
    expect(showRecall({ ...result, hits: [hit] }, 100)).toBe(
      " 1  0badcafe  2026-01-31  episodic  draft  UNKNOWN  #commit  0.0246  [stale; via 12345678 ←follows— 0badcafe]\n" +
        "    What was said …",
    );
  });

  it("says why there is nothing", () => {
    expect(showRecall({ ...result, reason: "no_match" }, 100)).toBe("No entry has these words.");
  });

  it("says which time the words named", () => {
    const window = { since: Date.UTC(2026, 0, 1), until: null };
    expect(showRecall({ ...result, window, hits: [hit] }, 100)).toContain("2026-01-01 to …");
  });

  it("says as of when it answers", () => {
    const asOf = Date.UTC(2019, 11, 31);
    expect(showRecall({ ...result, asOf, hits: [hit] }, 100)).toContain("stood on 2019-12-31.");
  });
});
