import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PostingList } from "../../src/lib/packed-counts.ts";
import type { Postings } from "../../src/storage/postings.ts";
import type { Sql } from "../../src/storage/sql.ts";
import { NOW, inSphere } from "../support/sphere.ts";
import type { Bench } from "../support/sphere.ts";
import { undone, wakeStores } from "../support/stores.ts";
import { FaultyStorage, TAGS, attempt, write } from "../support/writes.ts";

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("write" as const),
      write,
      /** The statement after which it fails and is rolled back; 0 for none. */
      fault: fc.oneof(fc.constant(0), fc.constant(0), fc.integer({ min: 1, max: 30 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("wake" as const) }) },
);
const steps = fc.array(step, { minLength: 5, maxLength: 20, size: "max" });

/** From all in memory to nothing, and with lists that take several reads. */
const limits = fc.constantFrom(
  {},
  { capacity: 30_000 },
  { capacity: 8_000, placesPerRead: 1 },
  { capacity: 2_500 },
  { capacity: 0 },
  { placesPerRead: 2 },
  { placesPerRead: 301 },
);

describe("after any sequence of writes, refused, failed and rolled back ones among them", () => {
  it("[STO-11] lists and frequencies equal the index, after each", async () => {
    await inSphere((bench) => {
      fc.assert(
        fc.property(steps, limits, (given, within) => {
          undone(bench.storage, () => runAll(bench, given, within, expectAll));
        }),
        { numRuns: 80 },
      );
    });
  });

  it("[STO-11] they do where memory knows of some terms only", async () => {
    const looks = fc.array(fc.nat(), { minLength: 5, maxLength: 5 });
    await inSphere((bench) => {
      fc.assert(
        fc.property(steps, limits, looks, (given, within, seeds) => {
          undone(bench.storage, () => {
            let turn = 0;
            const look: Look = (postings, truth, tokens) => {
              const seed = seeds[turn++ % seeds.length] ?? 0;
              const some = tokens.filter((_, at) => (seed >>> (at % 29)) % 2 === 1);
              expectFrequencies(postings, truth, some.slice(0, some.length / 2));
              for (const each of some.slice(some.length / 3)) expectList(postings, truth, each);
            };
            const { postings, sql, tokens } = runAll(bench, given, within, look);
            expectAll(postings, truthOf(sql), tokens);
          });
        }),
        { numRuns: 80 },
      );
    });
  });

  it("[STO-11] what memory is said to hold is what it holds, and never more than its capacity", async () => {
    await inSphere((bench) => {
      fc.assert(
        fc.property(steps, limits, (given, within) => {
          undone(bench.storage, () => {
            const most = "capacity" in within ? (within.capacity ?? 0) : 8_000_000;
            const look: Look = (postings, truth, all) => {
              expect(postings.bytes).toBeLessThanOrEqual(most);
              expectAll(postings, truth, all);
              expect(postings.bytes).toBeLessThanOrEqual(most);
            };
            const { postings, tokens } = runAll(bench, given, within, look);
            postings.changed(tokens);
            for (const tag of [...TAGS, "greek"]) postings.tagRemoved(tag);
            expect(postings.bytes).toBe(0);
          });
        }),
        { numRuns: 40 },
      );
    });
  });

  it("[REC-19] a recall answers with the same bytes in an awake object and in one just woken", async () => {
    const queries = ["deploy rollback", '"deploy rollback" the', "echo 東京 v1.2", "src/a.ts echo"];
    const filters = [
      {},
      { tag: "release" },
      { kind: "episodic" },
      { includeInactive: true },
    ] as const;
    await inSphere((bench) => {
      fc.assert(
        fc.property(steps, limits, (given, within) => {
          undone(bench.storage, () => {
            runAll(bench, given, within, (_postings, _truth, _tokens, awake) => {
              const woken = wakeStores(bench.storage, bench.clock);
              const query = queries[given.length % queries.length]!;
              for (const filter of filters) {
                const options = { ...filter, observe: true, explain: true };
                const answers = [awake, woken].map(({ calls }) => calls.recall(query, options));
                expect(JSON.stringify(answers[0])).toBe(JSON.stringify(answers[1]));
              }
            });
          });
        }),
        { numRuns: 40 },
      );
    });
  });
});

describe("posting lists in memory", () => {
  it("[CNT-4] grow with a capture, and are not read again", async () => {
    await inSphere(({ storage, clock, sql }) => {
      const { calls, stores, sql: awake } = wakeStores(storage, clock);
      calls.capture("alpha beta", { tags: ["greek"] });
      const { postings } = stores.index;
      expectAll(postings, truthOf(sql), ["alpha", "beta", "gamma"]);
      calls.capture("alpha gamma", { tags: ["greek"] });
      const { counts } = awake.counted(() => {
        postings.documentFrequencies(["alpha", "beta", "gamma"]);
        for (const token of ["alpha", "beta"]) postings.list(token);
        postings.tagged("greek");
      });
      expect(counts.postingsRead).toBe(0);
      expectAll(postings, truthOf(sql), ["alpha", "beta", "gamma"]);
    });
  });

  it("[STO-11] have an entry that was forgotten no more, and the one that took its rid", async () => {
    await inSphere(({ storage, clock, sql }) => {
      const { calls, stores } = wakeStores(storage, clock);
      calls.capture("alpha beta", { tags: ["greek"] });
      const { id } = calls.capture("alpha gamma", { tags: ["greek"] });
      const tokens = ["alpha", "beta", "gamma", "delta"];
      expectAll(stores.index.postings, truthOf(sql), tokens);
      calls.forget(id);
      calls.capture("alpha delta", { tags: ["greek"] });
      expect(sql.one("SELECT max(rid) AS rid FROM entries")).toEqual({ rid: 2 });
      expectAll(stores.index.postings, truthOf(sql), tokens);
    });
  });

  it("leave in the order of their last use", async () => {
    await inSphere(({ storage, clock }) => {
      const { calls, stores, sql } = wakeStores(storage, clock, { capacity: 2_300 });
      calls.capture("alpha beta gamma delta");
      const { postings } = stores.index;
      const readsOf = (token: string) =>
        sql.counted(() => postings.list(token)).counts.postingsRead;
      for (const token of ["alpha", "beta", "gamma", "alpha", "delta"]) postings.list(token);
      expect(["alpha", "delta", "gamma"].map(readsOf)).toEqual([0, 0, 0]);
      expect(readsOf("beta")).toBeGreaterThan(0);
    });
  });

  it("are not kept where one would take more than a quarter of the memory", async () => {
    await inSphere(({ storage, clock, sql }) => {
      const { calls, stores } = wakeStores(storage, clock, { capacity: 4_000 });
      calls.captureMany(
        Array.from({ length: 100 }, (_, at) => ({ content: `alpha ${at}`, tags: ["greek"] })),
      );
      calls.capture("beta");
      const { postings } = stores.index;
      expectAll(postings, truthOf(sql), ["alpha", "beta"]);
      for (const token of ["alpha", "beta"]) postings.list(token);
      expect(["alpha", "beta"].map((token) => postings.cached(token) !== undefined)).toEqual([
        false,
        true,
      ]);
    });
  });

  it("[REC-27] of a phrase have each entry that holds it once", async () => {
    await inSphere(({ storage, clock }) => {
      const { calls, stores } = wakeStores(storage, clock, { placesPerRead: 2 });
      for (const content of [
        "beta alpha",
        "alpha beta alpha beta",
        "alpha, beta",
        "beta",
        "x alpha beta",
      ]) {
        calls.capture(content);
      }
      expect(postingsOf(stores.index.postings.list("alpha beta"))).toEqual([
        [2, BODY],
        [3, BODY],
        [5, BODY],
      ]);
    });
  });
});

describe("counts in a few texts", () => {
  it("[REC-27] equal those of the posting lists", async () => {
    await inSphere((bench) => {
      const writes = fc.array(write, { minLength: 5, maxLength: 20, size: "max" });
      fc.assert(
        fc.property(writes, (given) => {
          undone(bench.storage, () => {
            const { calls, stores } = wakeStores(bench.storage, bench.clock);
            for (const each of given) attempt(calls, bench.clock, each);
            const truth = truthOf(bench.sql);
            const tokens = [...truth.lists.keys(), "absent"];
            const docs = bench.sql
              .all<{ rid: number }>("SELECT rid FROM entries ORDER BY rid DESC")
              .map(({ rid }) => rid);
            const counted = stores.index.postings
              .countsIn(docs, tokens)
              .map((counts) => [...counts]);
            const listed = tokens.map((token) =>
              docs.map((doc) => truth.lists.get(token)?.get(doc) ?? 0),
            );
            expect(counted).toEqual(listed);
          });
        }),
        { numRuns: 60 },
      );
    });
  });
});

type Steps = typeof steps extends fc.Arbitrary<infer T> ? T : never;
type Look = (
  postings: Postings,
  truth: Truth,
  tokens: string[],
  awake: ReturnType<typeof wakeStores>,
) => void;

/** Takes the steps in one object that wakes anew at times, and looks after each. */
function runAll(bench: Bench, given: Steps, within: object, look: Look) {
  const faulty = new FaultyStorage(bench.storage);
  const seen = new Set(["absent"]);
  bench.clock.now = NOW;
  let awake = wakeStores(faulty.storage, bench.clock, within);
  for (const each of given) {
    if (each.do === "wake") awake = wakeStores(faulty.storage, bench.clock, within);
    else {
      faulty.after = each.fault;
      attempt(awake.calls, bench.clock, each.write);
      faulty.after = 0;
    }
    const truth = truthOf(bench.sql);
    for (const token of truth.lists.keys()) seen.add(token);
    look(awake.stores.index.postings, truth, [...seen], awake);
  }
  return { postings: awake.stores.index.postings, sql: bench.sql, tokens: [...seen] };
}

/** What the stored analysed texts and the tags say. */
interface Truth {
  /** By token and rid, the packed counts by column. */
  lists: Map<string, Map<number, number>>;
  tagged: Map<string, number[]>;
}

function truthOf(sql: Sql): Truth {
  const lists: Truth["lists"] = new Map();
  const rows = sql.all<{ rid: number; title: string; body: string; stems: string; tags: string }>(
    "SELECT rowid AS rid, title, body, stems, tags FROM entries_fts ORDER BY rowid",
  );
  for (const { rid, title, body, stems, tags } of rows) {
    for (const [column, text] of [title, body, stems, tags].entries()) {
      const tokens = Map.groupBy(text.split(" ").filter(Boolean), (token) => token);
      for (const [token, places] of tokens) {
        const list = lists.get(token) ?? new Map<number, number>();
        const count = Math.min(255, places.length) * 256 ** column;
        lists.set(token, list.set(rid, (list.get(rid) ?? 0) + count));
      }
    }
  }
  const tags = sql.all<{ tag: string; rid: number }>("SELECT tag, rid FROM tags ORDER BY rid");
  const tagged = Map.groupBy(tags, ({ tag }) => tag);
  return {
    lists,
    tagged: new Map([...tagged].map(([tag, all]) => [tag, all.map(({ rid }) => rid)])),
  };
}

function expectAll(postings: Postings, truth: Truth, tokens: string[]): void {
  expectFrequencies(postings, truth, tokens);
  for (const token of tokens) expectList(postings, truth, token);
  for (const tag of [...TAGS, "greek"]) {
    const { length, docs } = postings.tagged(tag);
    expect([...docs.subarray(0, length)], tag).toEqual(truth.tagged.get(tag) ?? []);
  }
}

function expectFrequencies(postings: Postings, truth: Truth, tokens: string[]): void {
  const frequencies = tokens.map((token) => [token, truth.lists.get(token)?.size ?? 0] as const);
  expect(postings.documentFrequencies(tokens)).toEqual(new Map(frequencies));
}

function expectList(postings: Postings, truth: Truth, token: string): void {
  expect(postingsOf(postings.list(token)), token).toEqual([...(truth.lists.get(token) ?? [])]);
}

/** Pairs of rid and packed counts. */
function postingsOf({ length, docs, counts }: PostingList): [number, number][] {
  return Array.from({ length }, (_, at) => [docs[at]!, counts[at]!]);
}

/** Once in the body. */
const BODY = 256;
