import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CaptureOptions } from "../../contracts/index.ts";
import { EDGE_TYPES, KINDS, LIMITS, STATUSES, VOLATILITIES } from "../../contracts/index.ts";
import { splitOrigin } from "../../src/gadget/hygiene.ts";
import { expectInvariant } from "../support/invariant.ts";
import { DAY, NOW, inSphere } from "../support/sphere.ts";
import type { Bench, Calls } from "../support/sphere.ts";

const WORDS = [
  "deploy",
  "deploying",
  "rollback",
  "the",
  "Łódź",
  "naïve",
  "runStalenessPass",
  "src/storage/sql.ts",
  "v1.2.3",
  "don't",
  "東京タワー",
  "検索エンジン",
  "ประเทศไทย",
  "검색을",
  "🚀",
  "👩‍💻",
  "\n",
  '"quoted" AND *',
  "C++",
];
const TAGS = [
  "b",
  "a",
  "release",
  "100%",
  "it's",
  "タグ",
  "session:7",
  "type:turn",
  "auto-pattern",
  "\u{10428}",
  "\uff41",
];

const content = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 })
  .map((words) => words.join(" "));
const tags = fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 4 });
const options = fc.record(
  {
    tags,
    kind: fc.constantFrom(...KINDS),
    status: fc.constantFrom(...STATUSES),
    volatility: fc.constantFrom(...VOLATILITIES),
    claimTag: fc.constantFrom("VERIFIED" as const, "INFERRED" as const),
    evidenceRef: fc.constant("ticket 12"),
    expiresAt: fc.constantFrom(1, LIMITS.timeMs),
  },
  { requiredKeys: [] },
);
/** Which of the entries there are by then; some name none. */
const pick = fc.nat({ max: 30 });

/** One call as data, so that a failing sequence can be printed and shrunk. */
const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("capture" as const), content, options }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("captureMany" as const),
      items: fc.array(fc.tuple(content, options), { minLength: 1, maxLength: 4 }),
      link: fc.option(pick, { nil: undefined }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("append" as const), pick, content, options }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("update" as const),
      pick,
      content: fc.option(content),
      options,
      ifRevision: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("setStatus" as const),
      pick,
      status: fc.constantFrom(...STATUSES),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("forget" as const), pick }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom("link" as const, "unlink" as const),
      pick,
      dst: pick,
      type: fc.constantFrom(...EDGE_TYPES),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("recall" as const), content }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("pass" as const), days: fc.nat({ max: 60 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("wake" as const) }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** What the entries should be by now: text and tags by id, in the order of their first capture. */
class Model {
  readonly entries = new Map<string, { content: string; tags: string[] }>();

  /** An id to try: often an entry's, sometimes none's. */
  idAt(pick: number): string {
    return [...this.entries.keys()][pick % (this.entries.size + 1)] ?? "ffffffff";
  }

  captured(id: string, content: string, options: Pick<CaptureOptions, "tags">): void {
    const entry = this.entries.get(id) ?? { content, tags: [] };
    this.entries.set(id, { content, tags: merged(entry.tags, options.tags ?? []) });
  }
}

const merged = (before: readonly string[], asked: readonly string[]) =>
  [...new Set([...before, ...splitOrigin(asked).tags])].sort();

describe("after any sequence of operations", () => {
  it("[ANA-7] the index equals what the analyzer makes of the entries", async () => {
    await inSphere((bench) => {
      const sequence = fc.array(operation, { minLength: 10, maxLength: 30, size: "max" });
      fc.assert(
        fc.property(sequence, (operations) => {
          clear(bench);
          bench.clock.now = NOW;
          runAll(bench, operations);
        }),
        { numRuns: 200 },
      );
    });
  });

  it("[ANA-7] a thousand of them long, it still does", async () => {
    const operations = fc.sample(operation, { numRuns: 1_000, seed: 20_260_905 });
    await inSphere((bench) => runAll(bench, operations));
  });
});

function clear({ sql }: Bench): void {
  for (const table of ["entries", "entries_fts", "events", "runs", "tag_counts"]) {
    sql.run(`DELETE FROM ${table}`);
  }
  sql.run(`UPDATE totals SET counts = '{"entries":{},"edges":{},"tags":0}'`);
}

function runAll(bench: Bench, operations: readonly Operation[]): void {
  const model = new Model();
  let calls = bench.owner;
  for (const each of operations) {
    if (each.do === "wake") calls = bench.wake();
    else attempt(() => run(bench, calls, model, each));
  }
  expectInvariant(bench.storage);
  expect(calls.getCount()).toBe(model.entries.size);
  for (const [id, entry] of model.entries) {
    const { content, tags } = calls.getEntry(id);
    expect({ content, tags: [...tags].sort() }).toEqual(entry);
  }
}

/** Refusals are part of a sequence; anything else is not. */
function attempt(work: () => void): void {
  try {
    work();
  } catch (error) {
    expect(error).toMatchObject({
      code: expect.stringMatching(/^(invalid_input|not_found|conflict|limit_exceeded)$/),
    });
  }
}

/** Makes the call, and when it succeeds the change in the model. */
function run(
  bench: Bench,
  calls: Calls,
  model: Model,
  each: Exclude<Operation, { do: "wake" }>,
): void {
  switch (each.do) {
    case "capture": {
      model.captured(calls.capture(each.content, each.options).id, each.content, each.options);
      return;
    }
    case "captureMany": {
      const items = each.items.map(([content, options]) => ({ content, ...options }));
      const links =
        each.link === undefined ? [] : [{ type: "caused_by" as const, dst: model.idAt(each.link) }];
      const { results } = calls.captureMany([...items, { content: "the last of many", links }]);
      for (const [index, item] of items.entries()) {
        model.captured(results[index]!.id, item.content, item);
      }
      model.captured(results.at(-1)!.id, "the last of many", {});
      return;
    }
    case "append": {
      const id = model.idAt(each.pick);
      calls.append(id, each.content, each.options);
      const entry = model.entries.get(id)!;
      entry.content += `\n\n${each.content}`;
      entry.tags = merged(entry.tags, each.options.tags ?? []);
      return;
    }
    case "update": {
      const id = model.idAt(each.pick);
      const { ifRevision } = each;
      calls.update(id, each.content, { ...each.options, ...(ifRevision && { ifRevision }) });
      const entry = model.entries.get(id)!;
      entry.content = each.content ?? entry.content;
      if (each.options.tags) entry.tags = merged([], each.options.tags);
      return;
    }
    case "setStatus": {
      calls.setStatus(model.idAt(each.pick), each.status);
      return;
    }
    case "forget": {
      const id = model.idAt(each.pick);
      calls.forget(id);
      model.entries.delete(id);
      return;
    }
    case "link":
    case "unlink": {
      calls[each.do](model.idAt(each.pick), model.idAt(each.dst), each.type);
      return;
    }
    case "recall": {
      calls.recall(each.content);
      return;
    }
    case "pass": {
      bench.clock.now += each.days * DAY;
      calls.runStalenessPass();
    }
  }
}
