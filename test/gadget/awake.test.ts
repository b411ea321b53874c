import { describe, expect, it } from "vitest";
import type { RecallOptions } from "../../contracts/index.ts";
import { NOW, inSphere } from "../support/sphere.ts";
import type { Bench, Calls } from "../support/sphere.ts";

const QUESTIONS: [what: string, query: string, options: RecallOptions][] = [
  ["common and rare words", "word1 word2 word250", {}],
  ["a rare word", "entry77", {}],
  ["words that no entry holds", "word1 nowhere", {}],
  ["a tag", "word1 word40", { tag: "tag0" }],
  ["a tag that few have", "word1", { tag: "rare" }],
  ["a kind", "word1 word40", { kind: "instruction" }],
  ["a status", "word1 word2", { status: "canonical" }],
  ["a time", "word1 word2", { since: NOW - 50, until: NOW - 10 }],
  ["all of these", "word1", { tag: "tag3", kind: "semantic", since: NOW - 400 }],
];

describe("rows of a recall", () => {
  it("[CNT-4] none are of posting lists when it is repeated, and the others are as many", async () => {
    await inSphere((bench) => {
      fill(bench);
      for (const [what, query, options] of QUESTIONS) {
        const woken = bench.wake();
        const first = rowsOf(woken, () => ask(woken, query, options));
        const second = rowsOf(woken, () => ask(woken, query, options));
        expect(first.postingsRead, what).toBeGreaterThan(0);
        expect(second, what).toEqual({ ...first, postingsRead: 0 });
      }
    });
  });

  it("[REC-19] its bytes are the same in the object that wrote the entries and in one just woken", async () => {
    await inSphere((bench) => {
      fill(bench, 0, 700);
      for (const [, query, options] of QUESTIONS) ask(bench.owner, query, options);
      // Memory, which knows the words by now, follows these.
      fill(bench, 700, 1_500);
      for (const [what, query, options] of QUESTIONS) {
        const answer = ask(bench.owner, query, options);
        expect(answer, what).toContain('"hits":[{');
        expect(ask(bench.wake(), query, options), what).toBe(answer);
      }
    });
  });

  it("[CNT-4] none are of posting lists after captures in between", async () => {
    await inSphere(({ owner }) => {
      for (let at = 0; at < 200; at++) owner.capture(`note ${at} on word${at % 20}`);
      ask(owner, "word1 word2 note", {});
      owner.capture("another note on word1");
      const { postingsRead } = rowsOf(owner, () => ask(owner, "word1 word2 note", {}));
      expect(postingsRead).toBe(0);
    });
  });

  it("[CNT-4] a phrase is sought anew each time", async () => {
    await inSphere((bench) => {
      fill(bench);
      const repeated = () => rowsOf(bench.owner, () => ask(bench.owner, '"word1 word2"', {}));
      repeated();
      expect(repeated().postingsRead).toBeGreaterThan(0);
    });
  });
});

const ask = (calls: Calls, query: string, options: RecallOptions) =>
  JSON.stringify(calls.recall(query, { ...options, observe: true, explain: true }));

function rowsOf(calls: Calls, work: () => unknown) {
  const none = { calls: 0, rowsRead: 0, rowsWritten: 0, postingsRead: 0 };
  const before = calls.getStats().usage.recall ?? none;
  work();
  const after = calls.getStats().usage.recall ?? none;
  return {
    rowsRead: after.rowsRead - before.rowsRead,
    rowsWritten: after.rowsWritten - before.rowsWritten,
    postingsRead: after.postingsRead - before.postingsRead,
  };
}

/** Words of every frequency; from 1,024 entries on a row of doc values is stored. */
function fill({ owner }: Bench, from = 0, to = 1_500): void {
  for (let first = from; first < to; first += 500) {
    owner.captureMany(
      Array.from({ length: Math.min(500, to - first) }, (_, index) => {
        const at = first + index;
        const words = [1, 2, 5, 40, 250].filter((word) => at % word === 0);
        return {
          content: `entry${at} ${words.map((word) => `word${word}`).join(" ")}`,
          tags: [`tag${at % 10}`, ...(at % 500 === 3 ? ["rare"] : [])],
          kind: (["episodic", "semantic", "instruction"] as const)[at % 3]!,
          status: at % 4 ? ("draft" as const) : ("canonical" as const),
          occurredAt: NOW - at,
        };
      }),
    );
  }
}
