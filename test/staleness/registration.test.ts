import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DueNews } from "../../contracts/index.ts";
import { DAY, NOW, inSphere } from "../support/sphere.ts";
import type { Bench } from "../support/sphere.ts";

const DUE = NOW + 14 * DAY;

/** A volatile entry that is due `days` after `DUE`. */
const capture = ({ owner }: Bench, days = 0) =>
  owner.capture(`Due ${crypto.randomUUID()}`, {
    volatility: "volatile",
    occurredAt: NOW + days * DAY,
  }).id;

/** Takes the news, and acknowledges it as the front door does. */
function tell({ sphere }: Bench): number | null {
  const { news } = sphere.dueState();
  if (news !== undefined) sphere.acknowledgeDue(news);
  return news?.dueAt ?? null;
}

describe("[MNT-6] a workspace has news for the directory", () => {
  it("when its first entry will be due, until the directory has heard", async () => {
    await inSphere((bench) => {
      expect(bench.sphere.dueState().news).toBeUndefined();
      capture(bench);
      expect(bench.sphere.dueState().news).toEqual({ dueAt: DUE, run: 0 });
      expect([tell(bench), tell(bench)]).toEqual([DUE, null]);
    });
  });

  it("again when it is due earlier, and not when it is due later", async () => {
    await inSphere((bench) => {
      const told = [0, 1, 0, -1, 3].map((days) => (capture(bench, days), tell(bench)));
      expect(told).toEqual([DUE, null, null, DUE - DAY, null]);
    });
  });

  it("not when what was due first is gone: the directory may hold an earlier time", async () => {
    await inSphere((bench) => {
      const id = capture(bench, -5);
      capture(bench);
      tell(bench);
      bench.owner.forget(id);
      expect(bench.sphere.dueState().news).toBeUndefined();
    });
  });

  it("after a pass only for what is due earlier than the pass has said", async () => {
    await inSphere((bench) => {
      capture(bench);
      capture(bench, 10);
      tell(bench);
      bench.clock.now = DUE;
      expect(bench.owner.runStalenessPass().nextDueAt).toBe(DUE + 10 * DAY);
      expect(tell(bench)).toBeNull();
      capture(bench, 9);
      expect(tell(bench)).toBe(DUE + 9 * DAY);
    });
  });

  it("after a pass that left nothing, for anything that will be due", async () => {
    await inSphere((bench) => {
      capture(bench);
      tell(bench);
      bench.clock.now = DUE;
      bench.owner.runStalenessPass();
      capture(bench, 30);
      expect(tell(bench)).toBe(DUE + 30 * DAY);
    });
  });

  it("still, when it is acknowledged only after a pass", async () => {
    await inSphere((bench) => {
      capture(bench);
      const late = bench.sphere.dueState().news as DueNews;
      bench.clock.now = DUE;
      bench.owner.runStalenessPass();
      bench.sphere.acknowledgeDue(late);
      capture(bench, 30);
      expect(tell(bench)).toBe(DUE + 30 * DAY);
    });
  });

  it("again, when nobody has come for a day: the directory may have lost it", async () => {
    await inSphere((bench) => {
      capture(bench);
      tell(bench);
      bench.clock.now = DUE + DAY - 1;
      expect(tell(bench)).toBeNull();
      bench.clock.now = DUE + DAY;
      expect([tell(bench), tell(bench)]).toEqual([DUE, DUE]);
    });
  });

  it("and a write costs no row for it", async () => {
    await inSphere((bench) => {
      capture(bench);
      tell(bench);
      const { rowsWritten } = bench.sql.counted(() => bench.sphere.dueState()).counts;
      expect(rowsWritten).toBe(0);
    });
  });

  it("is never missed, whatever is lost, late or overtaken", async () => {
    const day = fc.integer({ min: 0, max: 40 });
    const step = fc.oneof(
      fc.record({ capture: day }),
      fc.record({ forget: fc.nat() }),
      fc.constant("told" as const),
      fc.constant("lost" as const),
      fc.constant("held" as const),
      fc.constant("late" as const),
      fc.constant("tick" as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), (steps) =>
        inSphere((bench) => {
          const { sphere, owner, clock } = bench;
          const ids: string[] = [];
          let held: DueNews | undefined;
          let directory = Infinity;
          const deliver = (news: DueNews | undefined) => {
            if (news === undefined) return;
            directory = Math.min(directory, news.dueAt);
            sphere.acknowledgeDue(news);
          };
          for (const each of steps) {
            if (each === "told") deliver(sphere.dueState().news);
            if (each === "held") held = sphere.dueState().news;
            if (each === "late") deliver(held);
            if (each === "tick") {
              clock.now += 3 * DAY;
              if (directory <= clock.now)
                directory = owner.runStalenessPass().nextDueAt ?? Infinity;
            }
            if (typeof each === "object" && "capture" in each) {
              // Past due, soon due and due much later.
              ids.push(capture(bench, (clock.now - NOW) / DAY - 20 + each.capture));
            }
            if (typeof each === "object" && "forget" in each && ids.length > 0) {
              const [id = ""] = ids.splice(each.forget % ids.length, 1);
              owner.forget(id);
            }
            // Either the directory knows, or the workspace still has news for it.
            const { dueAt, news } = sphere.dueState();
            const earliest = dueAt ?? Infinity;
            const known = Math.min(directory, news?.dueAt ?? Infinity);
            expect(known).toBeLessThanOrEqual(earliest);
          }
        }),
      ),
      { numRuns: 60 },
    );
  });
});
