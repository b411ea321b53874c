import { describe, expect, it } from "vitest";
import { VOLATILITIES } from "../../contracts/index.ts";
import { DEFAULT_PARAMS } from "../../src/retrieval/params.ts";
import { dumpOf } from "../support/dump.ts";
import { DAY, NOW, inSphere } from "../support/sphere.ts";
import type { Bench, Calls } from "../support/sphere.ts";

const QUERIES = [
  "lantern",
  "lantern wick glass",
  "what happened in August 2026",
  "lantern last week",
  "東京",
  "submarine",
  "",
];

/** Entries that share words, are linked, replaced, expired, exhaust and of all ages. */
function fill({ owner }: Bench): string[] {
  const words = ["lantern", "wick", "glass", "oil", "東京の灯台"];
  const items = Array.from({ length: 60 }, (_, n) => ({
    content: `${words[n % 5]} and ${words[(n * 3) % 5]} ${"of the tower ".repeat(n % 4)}${n}`,
    tags: [words[(n * 2) % 4]!],
    volatility: VOLATILITIES[n % 3]!,
    kind: (["episodic", "semantic"] as const)[n % 2]!,
    occurredAt: NOW - n * 5 * DAY,
    ...(n % 11 === 0 && { expiresAt: NOW - DAY }),
    ...(n % 13 === 0 && { source: "system:log" }),
  }));
  const ids = owner.captureMany(items).results.map(({ id }) => id);
  for (const [n, id] of ids.entries()) {
    if (n > 0) owner.link(id, ids[n - 1]!, "caused_by", { weight: (n % 10) / 10 });
    if (n >= 2 && n % 7 === 0) owner.link(id, ids[n - 2]!, "supersedes");
  }
  return ids;
}

describe("the same database and clock", () => {
  it("[REC-19] give the same bytes in a warm object and in one just woken", async () => {
    await inSphere((bench) => {
      fill(bench);
      for (const query of QUERIES) bench.owner.recall(query);
      const answers = (calls: Calls) =>
        QUERIES.flatMap((query) =>
          [{}, { hops: 3, topK: 50 }, { includeInactive: true }, { kind: "semantic" as const }].map(
            (options) =>
              JSON.stringify(calls.recall(query, { ...options, explain: true, observe: true })),
          ),
        );
      expect(answers(bench.wake())).toEqual(answers(bench.owner));
    });
  });

  it("[REC-19] an answer does not depend on what was asked before", async () => {
    await inSphere((bench) => {
      fill(bench);
      const ask = (query: string) =>
        JSON.stringify(bench.owner.recall(query, { observe: true, explain: true }));
      const first = QUERIES.map(ask);
      expect(QUERIES.toReversed().map(ask).toReversed()).toEqual(first);
    });
  });
});

describe("a recall of as many as may be asked for", () => {
  it("[REC-27] shows them, however many of the best matches were deprecated", async () => {
    await inSphere(({ owner }) => {
      owner.captureMany(Array.from({ length: 200 }, (_, n) => ({ content: `harbour ${n}` })));
      const options = { topK: 50, hops: 0, observe: true };
      for (const { id } of owner.recall("harbour", options).hits.slice(0, 20)) {
        owner.setStatus(id, "deprecated");
      }
      expect(owner.recall("harbour", options).hits).toHaveLength(50);
    });
  });
});

describe("what a recall writes", () => {
  it("[REC-18] 100 recalls write recall counts, and no row of any other table or of the index", async () => {
    await inSphere((bench) => {
      fill(bench);
      const { recalls: none, ...before } = dumpOf(bench.storage);
      const presented = new Map<string, number>();
      for (let n = 0; n < 100; n++) {
        const { hits } = bench.owner.recall("lantern wick", { hops: 2 });
        for (const hit of hits.filter(({ via }) => via === undefined)) {
          presented.set(hit.id, (presented.get(hit.id) ?? 0) + 1);
        }
      }
      const { recalls, ...after } = dumpOf(bench.storage);
      expect(after).toEqual(before);
      expect(none).toEqual([]);
      expect(recalls).toHaveLength(presented.size);
      for (const [id, count] of presented) {
        expect(bench.owner.getEntry(id).recallCount).toBe(count);
      }
    });
  });

  it("[REC-18] observing writes nothing at all", async () => {
    await inSphere((bench) => {
      fill(bench);
      const before = dumpOf(bench.storage);
      for (const query of QUERIES) bench.owner.recall(query, { observe: true, hops: 3 });
      for (const query of QUERIES) bench.as("reader").recall(query);
      expect(dumpOf(bench.storage)).toEqual(before);
    });
  });
});

describe("the clock of a recall", () => {
  const undamped = {
    ...DEFAULT_PARAMS,
    damping: { ...DEFAULT_PARAMS.damping, recency: 1 },
  };

  it("[REC-10] after one half-life recency has fallen half the way to its floor", async () => {
    await inSphere(
      ({ owner, clock }) => {
        const id = new Map(
          VOLATILITIES.map((volatility) => [
            volatility,
            owner.capture(`lantern ${volatility}`, { volatility }).id,
          ]),
        );
        const recencyAfter = (days: number, volatility: (typeof VOLATILITIES)[number]) => {
          clock.now = NOW + days * DAY;
          const { hits } = owner.recall("lantern", { explain: true, observe: true });
          return hits.find((hit) => hit.id === id.get(volatility))?.why?.factors.recency;
        };
        for (const [volatility, halfLife, floor] of [
          ["durable", 180, 0.9],
          ["state", 30, 0.6],
          ["volatile", 7, 0.15],
        ] as const) {
          expect(recencyAfter(0, volatility)).toBe(1);
          expect(recencyAfter(halfLife, volatility)).toBeCloseTo((1 + floor) / 2, 12);
          expect(recencyAfter(2 * halfLife, volatility)).toBeCloseTo((1 + 3 * floor) / 4, 12);
          expect(recencyAfter(100 * halfLife, volatility)).toBeCloseTo(floor, 12);
        }
      },
      { params: undamped },
    );
  });

  it("[REC-11] a change of text starts the age anew, and a change of tags does not", async () => {
    await inSphere(({ owner, clock }) => {
      const [text, tags] = owner
        .captureMany([{ content: "lantern one" }, { content: "lantern two" }])
        .results.map(({ id }) => id);
      clock.now += 40 * DAY;
      owner.update(text!, "lantern uno");
      owner.update(tags!, null, { tags: ["tower"] });
      const { hits } = owner.recall("lantern", { explain: true });
      const recency = new Map(hits.map((hit) => [hit.id, hit.why?.factors.recency]));
      expect(recency.get(text!)).toBe(1);
      expect(recency.get(tags!)).toBeLessThan(1);
      expect(hits.map(({ id }) => id)).toEqual([text, tags]);
    });
  });

  it("[REC-10] what happens in the future is as fresh as what happens now", async () => {
    await inSphere(({ owner }) => {
      owner.capture("lantern", { occurredAt: NOW + 400 * DAY });
      const { hits } = owner.recall("lantern", { explain: true });
      expect(hits[0]?.why?.factors.recency).toBe(1);
    });
  });

  it("[REC-6] an entry leaves recall at its expiresAt and not a millisecond before", async () => {
    await inSphere(({ owner, clock }) => {
      const { id } = owner.capture("lantern", { expiresAt: NOW + 1_000 });
      const found = () => owner.recall("lantern", { observe: true }).hits.map((hit) => hit.id);
      clock.now = NOW + 999;
      expect(found()).toEqual([id]);
      clock.now = NOW + 1_000;
      expect(found()).toEqual([]);
      expect(owner.recall("lantern").reason).toBe("all_filtered");
    });
  });

  it("[SUP-1] what it replaced is back when a head expires", async () => {
    await inSphere(({ owner, clock }) => {
      const old = owner.capture("lantern").id;
      const head = owner.capture("wick", {
        expiresAt: NOW + 1_000,
        links: [{ type: "supersedes", dst: old }],
      }).id;
      expect(owner.recall("lantern").hits).toMatchObject([{ id: head, supersedes: [old] }]);
      clock.now += 1_000;
      expect(owner.recall("lantern", { hops: 0 }).hits.map((hit) => hit.id)).toEqual([old]);
    });
  });

  it("[RWR-1] relative phrases count from the clock of the call", async () => {
    await inSphere(({ owner, clock }) => {
      const yesterday = owner.capture("lantern one", { occurredAt: NOW - DAY }).id;
      owner.capture("lantern two", { occurredAt: NOW - 30 * DAY });
      const { hits, queryUsed, window } = owner.recall("which lantern broke yesterday");
      expect(queryUsed).toBe("which lantern broke");
      expect(window).toEqual({ since: Date.UTC(2026, 8, 4), until: Date.UTC(2026, 8, 5) - 1 });
      expect(hits[0]).toMatchObject({ id: yesterday, inWindow: true });
      clock.now += DAY;
      expect(owner.recall("lantern yesterday").window).toEqual({
        since: Date.UTC(2026, 8, 5),
        until: Date.UTC(2026, 8, 6) - 1,
      });
    });
  });

  it("[RWR-4] yesterday alone lists what happened then, newest first", async () => {
    await inSphere(({ owner }) => {
      const at = [3, 20, 11].map((hour) => Date.UTC(2026, 8, 4, hour));
      const ids = at.map((occurredAt) => owner.capture(`note ${occurredAt}`, { occurredAt }).id);
      owner.capture("today's note");
      const { hits, queryUsed } = owner.recall("what happened yesterday?");
      expect(queryUsed).toBe("");
      expect(hits.map((hit) => hit.id)).toEqual([ids[1], ids[2], ids[0]]);
    });
  });
});
