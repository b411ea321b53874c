import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Arguments, MiniSphereApi } from "../../contracts/index.ts";
import { capturedAll, daysAgo, recalledIds, times } from "./reads-support.ts";
import type { Open } from "./suite.ts";

type RecallOptions = NonNullable<Arguments<"recall">[1]>;

export function registerAnyQueryReads(open: Open): void {
  describe("any query and any options", () => {
    it("[REC-1] throw nothing but invalid_input", async () => {
      const { owner } = await open();
      await capturedAll(owner, menagerie());
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(anyQuery, fc.string({ unit: "binary", maxLength: 2_100 })),
          fc.oneof(anyOptions, strangeOptions),
          async (query, options) => {
            try {
              await owner.recall(query, { observe: true, ...(options as object) });
            } catch (error) {
              expect((error as { code?: string }).code).toBe("invalid_input");
            }
          },
        ),
        { numRuns: 150 },
      );
    });

    it("[REC-1] give at most topK hits, each an entry that exists, each once", async () => {
      const { owner } = await open();
      const known = new Set(await capturedAll(owner, menagerie()));
      await linkNeighbours(owner, [...known]);
      await fc.assert(
        fc.asyncProperty(anyQuery, anyOptions, async (query, options) => {
          const ids = await recalledIds(owner, query, { ...options, observe: true });
          expect(ids.length).toBeLessThanOrEqual(options.topK ?? 10);
          expect(new Set(ids).size).toBe(ids.length);
          expect(ids.filter((id) => !known.has(id))).toEqual([]);
        }),
        { numRuns: 100 },
      );
    });

    it("[REC-9] give scores that are the product of their factors", async () => {
      const { owner } = await open();
      await linkNeighbours(owner, await capturedAll(owner, menagerie()));
      let seen = 0;
      await fc.assert(
        fc.asyncProperty(anyQuery, anyOptions, async (query, options) => {
          const asked = { ...options, observe: true, explain: true };
          for (const { score, why } of (await owner.recall(query, asked)).hits) {
            const { rrf, recency, importance, tagOverlap, window, clamp } = why!.factors;
            const product = rrf * recency * importance * tagOverlap * window * clamp;
            expect(Math.abs(score / product - 1)).toBeLessThan(1e-12);
            seen += 1;
          }
        }),
        { numRuns: 100 },
      );
      expect(seen).toBeGreaterThan(100);
    });

    it("[REC-13] give at most 12,000 characters, or 1,000,000 with full", async () => {
      const { owner } = await open();
      const long = menagerie().map((item, n) => ({
        ...item,
        content: `${item.content} ${`filler${n} `.repeat(n * 20)}`,
      }));
      await linkNeighbours(owner, await capturedAll(owner, long));
      let spent = 0;
      await fc.assert(
        fc.asyncProperty(anyQuery, anyOptions, async (query, options) => {
          const { hits } = await owner.recall(query, { ...options, observe: true });
          const total = hits.reduce((sum, hit) => sum + hit.content.length, 0);
          expect(total).toBeLessThanOrEqual(options.full ? 1_000_000 : 12_000);
          spent = Math.max(spent, options.full ? 0 : total);
        }),
        { numRuns: 100 },
      );
      expect(spent).toBeGreaterThan(9_000);
    });
  });
}

const ANIMALS = "otter badger heron lynx marten stoat weasel osprey".split(" ");

/** Entries of every kind, status and age that share words, tags and scripts. */
function menagerie() {
  return times(40, (n) => ({
    content: `${ANIMALS[n % 8]} and ${ANIMALS[(n * 3 + 1) % 8]} 東京${n} ${n % 5 === 0 ? "C++" : "🦊"}`,
    tags: [ANIMALS[(n * 5) % 8]!, `n${n % 3}`],
    kind: (["episodic", "semantic"] as const)[n % 2]!,
    status: (["draft", "canonical", "draft", "deprecated"] as const)[n % 4]!,
    volatility: (["durable", "state", "volatile"] as const)[n % 3]!,
    importance: n % 6,
    occurredAt: daysAgo(n * 9),
  }));
}

async function linkNeighbours(owner: MiniSphereApi, ids: readonly string[]): Promise<void> {
  for (const [n, id] of ids.entries()) {
    if (n > 0) await owner.link(id, ids[n - 1]!, "caused_by", { weight: (n % 10) / 10 });
    if (n % 10 === 2) await owner.link(id, ids[n - 2]!, "supersedes");
  }
}

/** Mostly words that some entries hold. */
const anyQuery = fc
  .array(
    fc.oneof(
      { arbitrary: fc.constantFrom(...ANIMALS), weight: 3 },
      fc.constantFrom("otters", "東京", "🦊", "C++", "the", "n1", "last week"),
      fc.constantFrom('"', "*", "AND", "NEAR(", "body:", "don't", "-", "^", "(", "%", "\\"),
      fc.string({ unit: "grapheme", maxLength: 12 }),
    ),
    { maxLength: 8 },
  )
  .map((words) => words.join(" "))
  .filter((query) => !query.includes("\0") && query.isWellFormed() && query.length <= 2_000);

const gentle = {
  topK: fc.integer({ min: 1, max: 50 }),
  hops: fc.integer({ min: 0, max: 3 }),
  full: fc.boolean(),
  includeInactive: fc.boolean(),
  includeExhaust: fc.boolean(),
};

const filters = fc.record(
  {
    ...gentle,
    tag: fc.constantFrom(...ANIMALS, "n1", "none"),
    kind: fc.constantFrom("episodic" as const, "semantic" as const),
    status: fc.constantFrom("draft" as const, "canonical" as const, "deprecated" as const),
    since: fc.constantFrom(0, daysAgo(200), daysAgo(20)),
    until: fc.constantFrom(daysAgo(10), daysAgo(0)),
    asOf: fc.constantFrom(0, daysAgo(100), daysAgo(0)),
  },
  { requiredKeys: [] },
);

const anyOptions: fc.Arbitrary<RecallOptions> = fc.oneof(
  fc.record(gentle, { requiredKeys: [] }),
  filters,
);

/** What no caller should send. */
const strangeOptions = fc.record(
  {
    topK: fc.constantFrom(-1, 0, 51, 1.5, Infinity, NaN, "10"),
    tag: fc.constantFrom("", " ", "x".repeat(300), 7, null),
    kind: fc.constantFrom("fact", null),
    hops: fc.constantFrom(-1, 4, "1"),
    since: fc.constantFrom(-1, 9e15, "yesterday"),
    until: fc.constantFrom(0, -5),
    asOf: fc.constantFrom(-1, 1.5, "2019"),
    unknown: fc.boolean(),
  },
  { requiredKeys: [] },
);
