import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EDGE_TYPES } from "../../contracts/index.ts";
import { expectInvariant } from "../support/invariant.ts";
import { inSphere } from "../support/sphere.ts";
import type { Bench, Calls } from "../support/sphere.ts";
import { undone, wakeStores } from "../support/stores.ts";
import { FaultyStorage, attempt, write } from "../support/writes.ts";

/** A link or an unlink between two of the newest entries; some of it is refused. */
const edge = fc.record({
  do: fc.constantFrom("link" as const, "unlink" as const),
  src: fc.nat({ max: 5 }),
  dst: fc.nat({ max: 5 }),
  type: fc.constantFrom(...EDGE_TYPES),
});
const step = fc.record({
  write: fc.oneof({ weight: 3, arbitrary: write }, { weight: 1, arbitrary: edge }),
  /** The statement that fails; 0: none does. */
  fault: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat({ max: 25 })),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe("after any sequence of writes, refused, failed and rolled back ones among them", () => {
  it("[CNT-3] the counts that are kept equal a recount, in an awake object and in one just woken", async () => {
    const steps = fc.array(step, { minLength: 5, maxLength: 25, size: "max" });
    await inSphere((bench) => {
      fc.assert(
        fc.property(steps, (given) => undone(bench.storage, () => runAll(bench, given))),
        { numRuns: 60 },
      );
    });
  });
});

function runAll({ storage, clock }: Bench, given: readonly Step[]): void {
  const faulty = new FaultyStorage(storage);
  const { calls } = wakeStores(faulty.storage, clock);
  for (const each of given) {
    faulty.after = each.fault;
    make(calls, clock, each.write);
    faulty.after = 0;
    expectInvariant(storage);
    const { usage: _usage, ...awake } = calls.getStats();
    const { usage: _none, ...woken } = wakeStores(storage, clock).calls.getStats();
    expect(awake).toEqual(woken);
  }
}

function make(calls: Calls, clock: { now: number }, each: Step["write"]): void {
  if ("dst" in each) attemptEdge(calls, each);
  else attempt(calls, clock, each);
}

function attemptEdge(calls: Calls, each: typeof edge extends fc.Arbitrary<infer T> ? T : never) {
  try {
    const ids = calls.listRecent({ n: 10 }).entries.map(({ id }) => id);
    calls[each.do](ids[each.src] ?? "none", ids[each.dst] ?? "none", each.type);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    const refused = /^(invalid_input|not_found|conflict)$/.test(code ?? "");
    if (!refused && message !== "injected") throw error;
  }
}

describe("a write", () => {
  it("[STO-6] of many entries, edges and tags writes its counts once, and a row a tag", async () => {
    await inSphere(({ storage, clock }) => {
      const { calls, sql } = wakeStores(storage, clock);
      const hub = calls.capture("hub").id;
      const items = (from: number, tags: string[]) =>
        Array.from({ length: 100 }, (_, n) => ({
          content: `note ${from + n}`,
          tags,
          links: [{ type: "caused_by" as const, dst: hub }],
        }));
      const written = (work: () => unknown) => sql.counted(work).counts.rowsWritten;
      const bare = written(() => calls.captureMany(items(0, [])));
      expect(bare).toBe(100 * (9 + 3) + 1);
      // Two rows for each tag of each entry, and one for each tag.
      expect(written(() => calls.captureMany(items(100, ["a", "b"])))).toBe(bare + 100 * 2 * 2 + 2);
    });
  });

  it("[STO-6] that changes no count writes none", async () => {
    await inSphere(({ storage, clock }) => {
      const { calls, sql } = wakeStores(storage, clock);
      const { id } = calls.capture("note", { status: "canonical", tags: ["a"] });
      const before = sql.all("SELECT * FROM totals");
      const { counts } = sql.counted(() => calls.update(id, null, { importance: 3 }));
      expect(sql.all("SELECT * FROM totals")).toEqual(before);
      // The entry and the indexes on what `save` sets, its revision, its line in the log and that line's index.
      expect(counts.rowsWritten).toBe(6);
    });
  });
});
