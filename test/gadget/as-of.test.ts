import * as fc from "fast-check";
import { expect, it } from "vitest";
import { STATUSES } from "../../contracts/index.ts";
import { inSphere } from "../support/sphere.ts";

const SIZE = 7;

/** Entries at times 0 to SIZE, some deprecated, and edges from any entry to one before it in the list. */
const histories = fc.record({
  times: fc.array(fc.nat(SIZE), { minLength: SIZE, maxLength: SIZE }),
  statuses: fc.array(fc.constantFrom(...STATUSES), { minLength: SIZE, maxLength: SIZE }),
  edges: fc.array(fc.tuple(fc.nat(SIZE - 1), fc.nat(SIZE - 1)), { maxLength: 10 }),
});

it("[REC-22] the index that reads on and the resolver agree on what was current as of any time", async () => {
  await fc.assert(
    fc.asyncProperty(histories, async ({ times, statuses, edges }) => {
      await inSphere(({ owner }) => {
        const { results } = owner.captureMany(
          times.map((occurredAt, n) => ({
            content: `quokka ${n}`,
            occurredAt,
            status: statuses[n] ?? "draft",
          })),
        );
        for (const [a, b] of edges) {
          const [src, dst] = [results[Math.max(a, b)]?.id, results[Math.min(a, b)]?.id];
          if (src && dst && src !== dst) owner.link(src, dst, "supersedes");
        }
        const shown = (query: string, asOf: number | undefined) =>
          owner
            .recall(query, { hops: 0, topK: 50, ...(asOf !== undefined && { asOf }) })
            .hits.map((hit) => hit.id)
            .sort();
        for (const asOf of [undefined, ...Array.from({ length: SIZE + 1 }, (_, time) => time)]) {
          // A time alone is listed by SQL, words are answered through the resolver.
          expect(shown("in 1970", asOf)).toEqual(shown("quokka", asOf));
        }
      });
    }),
    { numRuns: 60 },
  );
});

it("[REC-21] a full pool of later matches starves nothing that was current then", async () => {
  await inSphere(({ owner }) => {
    owner.captureMany(
      Array.from({ length: 300 }, (_, n) => ({ content: `quokka ${n}`, occurredAt: 2_000 + n })),
    );
    const old = owner.capture("the quokka stood in a long line of other animals then", {
      occurredAt: 1_000,
      status: "deprecated",
    }).id;
    owner.capture("moved", { occurredAt: 2_000, links: [{ type: "supersedes", dst: old }] });
    const { hits } = owner.recall("quokka", { asOf: 1_500 });
    expect(hits.map((hit) => hit.id)).toEqual([old]);
  });
});
