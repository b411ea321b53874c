import { describe, expect, it } from "vitest";
import { inSphere } from "../support/sphere.ts";
import type { Bench } from "../support/sphere.ts";

/** Rows that `work` reads and writes, read off the sphere's own usage counters. */
function rowsOf(
  bench: Bench,
  method: "capture" | "recall" | "link" | "setStatus",
  work: () => unknown,
) {
  const before = bench.owner.getStats().usage[method] ?? { rowsRead: 0, rowsWritten: 0 };
  work();
  const after = bench.rowsOf(method);
  return {
    read: after.rowsRead - before.rowsRead,
    written: after.rowsWritten - before.rowsWritten,
  };
}

/** Words with a skewed frequency, the same on every run. */
function sentence(seed: number): string {
  let state = (seed * 2_654_435_761) >>> 0;
  const words = Array.from({ length: 24 }, () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return `word${Math.floor((state / 2 ** 32) ** 3 * 3_000)}`;
  });
  return `${words.join(" ")} entry${seed}`;
}

function fill(bench: Bench, from: number, to: number) {
  for (let start = from; start < to; start += 500) {
    const items = Array.from({ length: Math.min(500, to - start) }, (_, index) => ({
      content: sentence(start + index),
    }));
    bench.owner.captureMany(items);
  }
}

describe("what a call costs in rows", () => {
  it("[STO-7] a recall in 10,000 entries reads at most 1,000 rows and writes at most topK", async () => {
    await inSphere((bench) => {
      fill(bench, 0, 10_000);
      const ids = bench.owner.listRecent({ n: 200 }).entries.map((entry) => entry.id);
      ids.slice(1).forEach((id, index) => bench.owner.link(ids[index]!, id, "follows"));
      for (const query of ["word1 word2 word3", "word2999", "entry77 word1500", sentence(9_950)]) {
        const rows = rowsOf(bench, "recall", () =>
          bench.owner.recall(query, { topK: 10, hops: 1 }),
        );
        expect(rows.read).toBeLessThanOrEqual(1_000);
        expect(rows.written).toBeLessThanOrEqual(10);
        const observed = rowsOf(bench, "recall", () =>
          bench.owner.recall(query, { observe: true }),
        );
        expect(observed.written).toBe(0);
      }
    });
  });

  it("[STO-7] a hub of 10,000 edges costs a recall no more than one of 100", async () => {
    const cost = async (edges: number) =>
      inSphere((bench) => {
        const hub = bench.owner.capture("the atlas project", { kind: "semantic" }).id;
        for (let start = 0; start < edges; start += 500) {
          const items = Array.from({ length: Math.min(500, edges - start) }, (_, index) => ({
            content: `note ${start + index}`,
            links: [{ type: "part_of_project" as const, dst: hub }],
          }));
          bench.owner.captureMany(items);
        }
        return rowsOf(bench, "recall", () => bench.owner.recall("atlas", { hops: 3 })).read;
      });
    const small = await cost(100);
    const large = await cost(10_000);
    expect(large).toBeLessThanOrEqual(small);
  });
});
