import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { VOLATILITIES } from "../../contracts/index.ts";
import { DAY, NOW, inSphere } from "../support/sphere.ts";
import type { Bench, Calls } from "../support/sphere.ts";

const BEFORE = NOW - 1_000 * DAY;

/** Entries whose due time was `BEFORE` + 90 days + their number. */
function due({ owner }: Bench, n: number): string[] {
  const items = Array.from({ length: n }, (_, index) => ({
    content: `due ${index}`,
    occurredAt: BEFORE + index,
  }));
  return owner.captureMany(items).results.map(({ id }) => id);
}

function captureFresh({ owner }: Bench, n: number): void {
  for (let start = 0; start < n; start += 500) {
    owner.captureMany(
      Array.from({ length: Math.min(500, n - start) }, (_, index) => ({
        content: `fresh ${start + index}`,
        volatility: VOLATILITIES[index % 3]!,
      })),
    );
  }
}

const flaggedIds = ({ sql }: Bench) =>
  sql
    .all<{ id: string }>(
      "SELECT id FROM entries WHERE stale_since IS NOT NULL ORDER BY stale_since",
    )
    .map(({ id }) => id);

describe("runStalenessPass", () => {
  it("[MNT-1] flags the oldest due times first, across volatilities", async () => {
    await inSphere((bench) => {
      const { owner } = bench;
      const [state, volatile] = owner
        .captureMany([
          { content: "due second", occurredAt: NOW - 100 * DAY },
          { content: "due first", occurredAt: NOW - 30 * DAY, volatility: "volatile" },
          { content: "due third", occurredAt: NOW - 20 * DAY, volatility: "volatile" },
        ])
        .results.map(({ id }) => id);
      owner.runStalenessPass({ limit: 1 });
      expect(flaggedIds(bench)).toEqual([volatile]);
      owner.runStalenessPass({ limit: 1 });
      expect(flaggedIds(bench)).toEqual([volatile, state]);
    });
  });

  it("[MNT-1] goes on where the last one stopped until nothing is due", async () => {
    await inSphere((bench) => {
      const ids = due(bench, 7);
      for (const flagged of [3, 3, 1, 0]) {
        expect(bench.owner.runStalenessPass({ limit: 3 }).flagged).toBe(flagged);
      }
      expect(flaggedIds(bench)).toEqual(ids);
    });
  });

  it("[MNT-1] an entry that expires is deprecated at its time and no sooner", async () => {
    await inSphere(({ owner, clock }) => {
      const { id } = owner.capture("lantern", { expiresAt: NOW + 10 });
      clock.now = NOW + 9;
      expect(owner.runStalenessPass()).toMatchObject({ expired: 0, nextDueAt: NOW + 10 });
      clock.now = NOW + 10;
      expect(owner.getStats().byStatus).toEqual({ canonical: 0, draft: 0, deprecated: 1 });
      expect(owner.runStalenessPass()).toMatchObject({ expired: 1, nextDueAt: null });
      expect(owner.getStats().byStatus).toEqual({ canonical: 0, draft: 0, deprecated: 1 });
      expect(owner.history(id).revisions[0]).toMatchObject({ at: NOW + 10, reason: "expired" });
    });
  });

  it("[MNT-2] a second pass at the same clock flags and expires nothing", async () => {
    await inSphere((bench) => {
      due(bench, 4);
      bench.owner.capture("expired", { expiresAt: 1 });
      expect(bench.owner.runStalenessPass()).toMatchObject({ flagged: 4, expired: 1 });
      expect(bench.owner.runStalenessPass()).toMatchObject({ flagged: 0, expired: 0, scanned: 0 });
      expect(flaggedIds(bench)).toHaveLength(4);
    });
  });

  it("[MNT-2] reads and writes rows by what it flags, not by what exists", async () => {
    const rows = (flagged: number, fresh: number) =>
      inSphere((bench) => {
        if (flagged > 0) due(bench, flagged);
        captureFresh(bench, fresh);
        expect(bench.owner.runStalenessPass().flagged).toBe(flagged);
        return bench.rowsOf("runStalenessPass");
      });
    const none = await rows(0, 3_000);
    const ten = await rows(10, 3_000);
    const twenty = await rows(20, 3_000);
    const thirty = await rows(30, 3_000);
    expect(await rows(10, 100)).toEqual(ten);
    expect(none.rowsRead).toBeLessThan(20);
    expect(thirty.rowsRead - twenty.rowsRead).toBe(twenty.rowsRead - ten.rowsRead);
    expect(thirty.rowsWritten - twenty.rowsWritten).toBe(twenty.rowsWritten - ten.rowsWritten);
  });

  it("[MNT-2] an update before the pass wins: the entry is fresh and not flagged", async () => {
    await inSphere((bench) => {
      const [first, second, third] = due(bench, 3);
      const { owner } = bench;
      owner.update(first!, "due 0, looked at");
      owner.setStatus(second!, "canonical");
      expect(owner.runStalenessPass()).toMatchObject({ flagged: 1 });
      expect(flaggedIds(bench)).toEqual([third]);
      expect(owner.getEntry(first!)).toMatchObject({ stale: false, staleSince: null });
    });
  });

  it("[MNT-2] a pass after a pass leaves an updated entry to its new term", async () => {
    await inSphere((bench) => {
      const { owner, clock } = bench;
      const [id] = due(bench, 1);
      owner.runStalenessPass();
      owner.update(id!, "looked at");
      expect(owner.runStalenessPass()).toMatchObject({ flagged: 0, nextDueAt: NOW + 90 * DAY });
      clock.now += 90 * DAY;
      expect(owner.runStalenessPass()).toMatchObject({ flagged: 1, nextDueAt: null });
      expect(owner.getEntry(id!).staleSince).toBe(NOW + 90 * DAY);
    });
  });

  it("[MNT-3] an entry that is due and expired counts once in remaining", async () => {
    await inSphere(({ owner }) => {
      owner.captureMany(
        Array.from({ length: 6 }, (_, n) => ({
          content: `entry ${n}`,
          occurredAt: n,
          expiresAt: n + 1,
        })),
      );
      expect(owner.runStalenessPass({ limit: 2 })).toMatchObject({ expired: 2, remaining: 4 });
    });
  });

  it("[MNT-3] keeps the newest 200 runs and names who asked", async () => {
    await inSphere(({ owner, as, clock, sql }) => {
      for (let n = 0; n < 205; n++) {
        clock.now = NOW + n;
        as("maintainer", `cron ${n}`).runStalenessPass();
      }
      expect(sql.one("SELECT count(*) AS n, min(at) AS first FROM runs")).toEqual({
        n: 200,
        first: NOW + 5,
      });
      expect(owner.getStats().runs[0]).toMatchObject({ at: NOW + 204, trigger: "cron 204" });
    });
  });

  it("[MNT-3] does and costs next to nothing in an empty database", async () => {
    await inSphere(({ owner, rowsOf }) => {
      expect(owner.runStalenessPass()).toEqual({
        at: NOW,
        trigger: "test",
        scanned: 0,
        flagged: 0,
        expired: 0,
        remaining: 0,
        nextDueAt: null,
      });
      expect(rowsOf("runStalenessPass").rowsRead).toBeLessThan(20);
      expect(rowsOf("runStalenessPass").rowsWritten).toBe(1);
    });
  });

  it("[MNT-4] trims the audit log towards its newest 100,000, at most limit a pass", async () => {
    await inSphere(({ owner, sql }) => {
      sql.run(
        `INSERT INTO events (at, actor, method, action, entry)
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100_025)
         SELECT i, 'a', 'm', 'updated', 'x' FROM n`,
      );
      const kept = () =>
        sql.one<{ n: number; oldest: number }>(
          "SELECT count(*) AS n, min(at) AS oldest FROM events",
        );
      owner.runStalenessPass({ limit: 10 });
      expect(kept()).toEqual({ n: 100_015, oldest: 11 });
      owner.runStalenessPass({ limit: 10 });
      owner.runStalenessPass({ limit: 10 });
      expect(kept()).toEqual({ n: 100_000, oldest: 26 });
      owner.runStalenessPass();
      expect(kept().n).toBe(100_000);
    });
  });
});

describe("reads and passes", () => {
  it("[STL-2] no read can tell whether, when and how far passes have run", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const never = await replay(steps, () => undefined);
        const always = await replay(steps, (owner) => owner.runStalenessPass({ limit: 2 }));
        expect(always).toEqual(never);
      }),
      { numRuns: 25 },
    );
  });
});

type Step = (bench: Bench, ids: string[]) => void;

const nth = (ids: string[], n: number) => ids[n % Math.max(1, ids.length)];

/** Writes at moving times; on ids that exist already. */
const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .tuple(fc.nat(200), fc.constantFrom(...VOLATILITIES), fc.boolean())
    .map(([days, volatility, canonical]): Step => ({ owner, clock }, ids) => {
      const { id } = owner.capture(`lantern ${ids.length}`, {
        volatility,
        status: canonical ? "canonical" : "draft",
        occurredAt: clock.now - days * DAY,
        tags: ["handoff"],
      });
      ids.push(id);
    }),
  fc.nat(60).map((days): Step => ({ clock }) => {
    clock.now += days * DAY;
  }),
  fc.nat().map((n): Step => ({ owner }, ids) => {
    const id = nth(ids, n);
    if (id !== undefined) owner.append(id, `note ${n}`);
  }),
  fc
    .tuple(fc.nat(), fc.constantFrom("draft" as const, "canonical" as const, "deprecated" as const))
    .map(([n, status]): Step => ({ owner }, ids) => {
      const id = nth(ids, n);
      if (id !== undefined) owner.setStatus(id, status);
    }),
  fc
    .tuple(fc.nat(), fc.constantFrom(...VOLATILITIES))
    .map(([n, volatility]): Step => ({ owner }, ids) => {
      const id = nth(ids, n);
      if (id !== undefined) owner.update(id, null, { volatility });
    }),
);

/** What every read says after the steps, with `after` called behind each. */
function replay(steps: readonly Step[], after: (owner: Calls) => unknown) {
  let made = 0;
  return inSphere(
    (bench) => {
      const { owner } = bench;
      const ids: string[] = [];
      for (const each of steps) {
        each(bench, ids);
        after(owner);
      }
      const { stale, byStatus } = owner.getStats();
      return JSON.stringify({
        stale,
        byStatus,
        entries: ids.map((id) => [owner.getEntry(id), owner.history(id)]),
        listed: owner.listRecent({ n: 200 }),
        brief: owner.getBrief({ objective: "lantern" }),
        recalled: owner.recall("lantern", { topK: 50, explain: true }),
        nodes: ids.length > 0 && owner.graphView({ seedIds: ids }),
      });
    },
    { newId: () => (++made).toString(16).padStart(8, "0") },
  );
}
