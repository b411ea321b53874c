import * as fc from "fast-check";
import { KINDS, STATUSES, VOLATILITIES } from "../../contracts/index.ts";
import { DAY, NOW } from "./sphere.ts";
import type { Calls } from "./sphere.ts";
import { interceptingSql } from "./storage-proxy.ts";

const WORDS = [
  "deploy",
  "deploying",
  "rollback",
  "the",
  "src/a.ts",
  "東京タワー",
  "v1.2",
  "\n",
  "echo ".repeat(300),
];
export const TAGS = ["release", "deploy", "it's", "タグ", "auto-pattern"];

const content = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 })
  .map((words) => words.join(" "));
const options = fc.record(
  {
    tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 3 }),
    kind: fc.constantFrom(...KINDS),
    status: fc.constantFrom(...STATUSES),
    volatility: fc.constantFrom(...VOLATILITIES),
    expiresAt: fc.constantFrom(NOW + DAY, NOW + 90 * DAY),
  },
  { requiredKeys: [] },
);
const occurred = fc.record({ occurredAt: fc.integer({ min: 0, max: NOW }) }, { requiredKeys: [] });
/** The newest, the one before it, …; some name none. */
const back = fc.nat({ max: 12 });

/** A write as data, so that a failing sequence can be printed and shrunk. */
export const write = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("capture" as const), content, options, occurred }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("captureMany" as const),
      items: fc.array(fc.tuple(content, options), { minLength: 1, maxLength: 4 }),
      /** The last item is refused, and all are undone. */
      refused: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("append" as const), back, content, options }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("update" as const),
      back,
      content: fc.option(content),
      options: fc.record(
        { ...expiryCleared(), tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 3 }) },
        { requiredKeys: [] },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("setStatus" as const),
      back,
      status: fc.constantFrom(...STATUSES),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("forget" as const), back }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("pass" as const), days: fc.nat({ max: 60 }) }),
  },
);
export type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;

function expiryCleared() {
  return { kind: fc.constantFrom(...KINDS), expiresAt: fc.constantFrom(null, NOW + 40 * DAY) };
}

/** Makes the call. Refusals are part of a sequence, and so are the faults that the test injects. */
export function attempt(calls: Calls, clock: { now: number }, each: Write): void {
  try {
    make(calls, clock, each);
  } catch (error) {
    const { code } = error as { code?: string };
    const refused = /^(invalid_input|not_found|conflict)$/.test(code ?? "");
    if (!refused && error !== INJECTED) throw error;
  }
}

function make(calls: Calls, clock: { now: number }, each: Write): void {
  const idOf = (places: number) =>
    calls.listRecent({ n: places + 1 }).entries[places]?.id ?? "none";
  clock.now += 1;
  switch (each.do) {
    case "capture":
      calls.capture(each.content, { ...each.options, ...each.occurred });
      return;
    case "captureMany": {
      const items = each.items.map(([content, options]) => ({ content, ...options }));
      const last = { content: "the last", links: [{ type: "follows" as const, dst: "none" }] };
      calls.captureMany(each.refused ? [...items, last] : items);
      return;
    }
    case "append":
      calls.append(idOf(each.back), each.content, each.options);
      return;
    case "update":
      calls.update(idOf(each.back), each.content, each.options);
      return;
    case "setStatus":
      calls.setStatus(idOf(each.back), each.status);
      return;
    case "forget":
      calls.forget(idOf(each.back));
      return;
    case "pass":
      clock.now += each.days * DAY;
      calls.runStalenessPass();
  }
}

const INJECTED = new Error("injected");

/** Storage on which the statement that `after` counts down to is run and then throws. */
export class FaultyStorage {
  /** 0: none does. */
  after = 0;
  readonly storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.storage = interceptingSql(storage, (exec, query, bindings) => {
      const cursor = exec(query, ...bindings);
      if (this.after > 0 && --this.after === 0) {
        cursor.toArray();
        throw INJECTED;
      }
      return cursor;
    });
  }
}
