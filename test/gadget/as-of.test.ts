import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { STATUSES } from "../../contracts/index.ts";
import { DAY, NOW, errorOf, inSphere } from "../support/sphere.ts";

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

describe("the past from revisions", () => {
  it("[REC-22][REC-28][ENT-2] shows text, status and evidence of then, and what stands now", async () => {
    await inSphere(({ owner, clock }) => {
      const id = owner.capture("The quokka sleeps in the barn", { tags: ["one"] }).id;
      clock.now = NOW + DAY;
      owner.update(id, "The quokka sleeps in the loft", {
        tags: ["two"],
        claimTag: "VERIFIED",
        evidenceRef: "seen",
      });
      clock.now = NOW + 2 * DAY;
      owner.setStatus(id, "canonical");
      owner.append(id, "and eats there");
      const at = (asOf: number) => {
        const hit = owner.recall("quokka", { asOf, observe: true }).hits[0]!;
        const entry = owner.getEntry(id, { asOf });
        for (const key of ["content", "status", "claimTag", "evidenceRef", "tags"] as const) {
          expect(hit[key], key).toEqual(entry[key]);
        }
        expect(entry.asOf).toEqual({ at: asOf, exact: true });
        expect(hit.changedSince === true).toBe(entry.content !== owner.getEntry(id).content);
        return [
          entry.content.split("\n")[0],
          entry.status,
          entry.claimTag,
          entry.tags,
          entry.revision,
        ];
      };
      expect(at(NOW)).toEqual(["The quokka sleeps in the barn", "draft", "UNKNOWN", ["one"], 1]);
      const loft = "The quokka sleeps in the loft";
      expect(at(NOW + DAY)).toEqual([loft, "draft", "VERIFIED", ["two"], 2]);
      expect(at(NOW + 2 * DAY)).toEqual([loft, "canonical", "INFERRED", ["two"], 4]);
      expect(owner.getEntry(id).asOf).toBeUndefined();
      expect(errorOf(() => owner.getEntry(id, { asOf: NOW - 1 })).code).toBe("not_found");
    });
  });

  it("[REC-28] says when the words that found a hit came later, and does not find words that are gone", async () => {
    await inSphere(({ owner, clock }) => {
      const id = owner.capture("The heron waits").id;
      clock.now += DAY;
      owner.update(id, "The quokka waits");
      const hit = (query: string) => owner.recall(query, { asOf: NOW }).hits[0];
      expect(hit("quokka")).toMatchObject({ content: "The heron waits", matchedLater: true });
      expect(hit("waits")).toMatchObject({ content: "The heron waits", changedSince: true });
      expect(hit("waits")?.matchedLater).toBeUndefined();
      expect(hit("heron")).toBeUndefined();
      expect(owner.recall("waits").hits[0]?.changedSince).toBeUndefined();
    });
  });

  it("[REC-22] a draft that became canonical later had replaced nothing then", async () => {
    await inSphere(({ owner, clock }) => {
      const old = owner.capture("quokka in the barn", { status: "canonical" }).id;
      const draft = owner.capture("Housing in the loft", {
        links: [{ type: "supersedes", dst: old }],
      }).id;
      clock.now += DAY;
      owner.setStatus(draft, "canonical");
      expect(owner.recall("quokka").hits).toMatchObject([{ id: draft, supersedes: [old] }]);
      expect(owner.recall("quokka", { asOf: NOW, hops: 0 }).hits).toMatchObject([{ id: old }]);
      expect(owner.getEntry(old, { asOf: NOW }).supersededBy).toEqual([]);
      expect(owner.getEntry(old).supersededBy).toEqual([draft]);
    });
  });

  it("[ENT-2][REC-28] says when revisions of then are no longer kept", async () => {
    await inSphere(({ owner, clock }) => {
      const id = owner.capture("quokka").id;
      for (let n = 0; n < 201; n++) {
        clock.now += 1;
        owner.update(id, `quokka ${n}`);
      }
      expect(owner.getEntry(id, { asOf: NOW })).toMatchObject({
        content: "quokka 0",
        revision: 2,
        asOf: { exact: false },
      });
      expect(owner.getEntry(id, { asOf: NOW + 2 })).toMatchObject({
        content: "quokka 1",
        asOf: { exact: true },
      });
      expect(owner.recall("quokka", { asOf: NOW }).hits[0]).toMatchObject({ inexact: true });
    });
  });

  it("[ENT-3][REC-29] reads the revisions of the entry and a row for its text, and none of what never changed", async () => {
    await inSphere(({ owner, clock, rowsOf }) => {
      const id = owner.capture("quokka").id;
      const other = owner.capture("heron").id;
      for (let n = 0; n < 5; n++) {
        clock.now += 1;
        owner.update(id, `quokka ${n}`);
      }
      const rows = (method: "getEntry" | "recall", work: () => unknown) => {
        const before = owner.getStats().usage[method]?.rowsRead ?? 0;
        work();
        return rowsOf(method).rowsRead - before;
      };
      const entry = (of: string, asOf?: number) =>
        rows("getEntry", () => owner.getEntry(of, asOf === undefined ? {} : { asOf }));
      expect(entry(id, NOW) - entry(id)).toBe(5 + 1);
      expect(entry(other, NOW) - entry(other)).toBe(0);
      const recall = (query: string, options: { asOf?: number } = {}) =>
        rows("recall", () => owner.recall(query, { observe: true, hops: 0, ...options }));
      recall("heron quokka");
      expect(recall("heron", { asOf: NOW }) - recall("heron")).toBeLessThanOrEqual(2);
      expect(recall("quokka", { asOf: NOW }) - recall("quokka")).toBeLessThanOrEqual(2 + 3 * 5 + 1);
    });
  });
});
