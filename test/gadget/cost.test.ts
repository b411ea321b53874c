import { describe, expect, it } from "vitest";
import type { RecallOptions } from "../../contracts/index.ts";
import { DAY, NOW, inSphere } from "../support/sphere.ts";
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

/** Of the walk to it, of the entry itself, and of whether something supersedes it. */
const ROWS_A_GROUND = 5;

describe("what a call costs in rows", () => {
  it("[STO-7] a recall in 10,000 entries reads at most 500 rows and writes at most topK", async () => {
    await inSphere((bench) => {
      fill(bench, 0, 10_000);
      const ids = bench.owner.listRecent({ n: 200 }).entries.map((entry) => entry.id);
      ids.slice(1).forEach((id, index) => bench.owner.link(ids[index]!, id, "follows"));
      for (const query of ["word1 word2 word3", "word2999", "entry77 word1500", sentence(9_950)]) {
        const rows = rowsOf(bench, "recall", () =>
          bench.owner.recall(query, { topK: 10, hops: 1 }),
        );
        expect(rows.read).toBeLessThanOrEqual(500);
        expect(rows.written).toBeLessThanOrEqual(10);
        const observed = rowsOf(bench, "recall", () =>
          bench.owner.recall(query, { observe: true }),
        );
        expect(observed.written).toBe(0);
      }
    });
  });

  it("[STO-7] among hubs, with and without filters, it reads rows by its bounds, not by the entries", async () => {
    const most = async (entries: number) =>
      inSphere((bench) => {
        const [person, project] = ["Ada Lovelace, engineer", "the atlas project"].map(
          (content) => bench.owner.capture(content, { kind: "semantic" }).id,
        );
        for (let start = 0; start < entries; start += 250) {
          const items = Array.from({ length: 250 }, (_, index) => ({
            content: sentence(start + index),
            tags: ["all", `of${(start + index) % 100}`],
            occurredAt: (start + index) * 1_000,
            kind: index % 5 === 0 ? ("semantic" as const) : ("episodic" as const),
            links: [
              { type: "about_person" as const, dst: person! },
              { type: "part_of_project" as const, dst: project! },
            ],
          }));
          bench.owner.captureMany(items);
        }
        const read = (options: RecallOptions) =>
          Math.max(
            ...["atlas word1 word7", "ada word20 word300", "word2", sentence(40)].map(
              (query) => rowsOf(bench, "recall", () => bench.owner.recall(query, options)).read,
            ),
          );
        const filters: RecallOptions[] = [
          { tag: "all" },
          { tag: "of7" },
          { kind: "semantic" },
          { since: (entries - 20) * 1_000 },
          { since: 100_000, until: 300_000 },
        ];
        return { plain: read({}), filtered: Math.max(...filters.map(read)) };
      });
    const [small, large] = [await most(1_000), await most(4_000)];
    expect(large.plain).toBeLessThanOrEqual(500);
    expect(large.filtered).toBeLessThanOrEqual(1_500);
    expect(large.plain).toBeLessThanOrEqual(small.plain * 1.2);
    expect(large.filtered).toBeLessThanOrEqual(small.filtered * 1.2);
  });

  it("[STO-7] past what was replaced or expired it reads a few rows each, and chains up to a bound", async () => {
    const cost = (entries: number, outdated: "replaced" | "expired") =>
      inSphere((bench) => {
        const expires = outdated === "expired" ? { expiresAt: NOW + DAY } : {};
        for (let start = 0; start < entries; start += 250) {
          const rules = Array.from({ length: 250 }, (_, index) => ({
            content: `harbour rule ${start + index}`,
            ...expires,
          }));
          const { results } = bench.owner.captureMany(rules);
          if (outdated === "expired") continue;
          const laws = results.map(({ id }, index) => ({
            content: `quay law ${start + index}`,
            links: [{ type: "supersedes" as const, dst: id }],
          }));
          bench.owner.captureMany(laws);
        }
        const current = `harbour current ${"and much besides ".repeat(20)}`;
        bench.owner.captureMany(
          Array.from({ length: 20 }, (_, index) => ({ content: `${current} ${index}` })),
        );
        bench.clock.now += 2 * DAY;
        const options = { hops: 0, topK: 50, includeInactive: false };
        let found = 0;
        const { read } = rowsOf(bench, "recall", () => {
          const { hits } = bench.owner.recall("harbour", options);
          found = hits.filter((hit) => hit.content.startsWith("harbour current")).length;
        });
        return { read, found };
      });
    const expired = await cost(1_000, "expired");
    expect(expired.found).toBe(20);
    expect(expired.read).toBeLessThanOrEqual(500 + 3 * 1_000);
    const replaced = await cost(1_000, "replaced");
    expect(replaced.read).toBeLessThanOrEqual(500 + 3 * 1_000 + 25 * 450);
  });

  it("[STO-7] [EVD-2] hits that each rest on eight others cost a recall a few rows a ground", async () => {
    const cost = (grounds: number) =>
      inSphere((bench) => {
        const claim = { claimTag: "VERIFIED", evidenceRef: "page 1" } as const;
        for (let n = 0; n < 10; n++) {
          const layer = (name: string, from: string[]) =>
            bench.owner.capture(`${name} ${n}`, { ...claim, derivedFrom: from }).id;
          const far = Array.from({ length: grounds }, (_, at) => layer(`source ${at}`, []));
          const near = Array.from({ length: grounds }, (_, at) => layer(`step ${at}`, [far[at]!]));
          layer("numbat", near);
        }
        return rowsOf(bench, "recall", () => bench.owner.recall("numbat", { hops: 0 })).read;
      });
    const [bare, resting] = [await cost(0), await cost(4)];
    expect(resting - bare).toBeLessThanOrEqual(ROWS_A_GROUND * 10 * 8);
    expect(resting).toBeLessThanOrEqual(500);
  });

  it("[EVD-5] of more than 500 grounds it reads the nearer ones, and no more", async () => {
    await inSphere((bench) => {
      const { owner } = bench;
      const claim = { claimTag: "INFERRED" } as const;
      const near = owner.capture("near", claim).id;
      const top = owner.capture("numbat", { ...claim, derivedFrom: [near] }).id;
      for (let start = 0; start < 1_000; start += 500) {
        owner.captureMany(
          Array.from({ length: 500 }, (_, at) => ({
            content: `source ${start + at}`,
            ...claim,
            links: [{ type: "caused_by" as const, src: near }],
          })),
        );
      }
      owner.setStatus(near, "deprecated");
      expect(owner.getEntry(top)).toMatchObject({
        effectiveClaim: "UNKNOWN",
        restsOnWeaker: [near],
      });
      const { read } = rowsOf(bench, "recall", () => owner.recall("numbat", { hops: 0 }));
      expect(read).toBeLessThanOrEqual(100 + 500 * ROWS_A_GROUND);
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
