import { describe, expect, it } from "vitest";
import type { Volatility } from "../../contracts/index.ts";
import { DAY, NOW, inSphere } from "../support/sphere.ts";
import type { Bench } from "../support/sphere.ts";

const TERMS = [
  ["volatile", 14],
  ["state", 90],
] as const satisfies [Volatility, number][];

/** Moves the clock to a time after NOW and tells whether the entry is stale then, by every read. */
function staleAt({ owner, clock }: Bench, id: string, at: number): boolean {
  clock.now = at;
  const { stale, staleSince } = owner.getEntry(id);
  const listed = owner.listRecent().entries.find((entry) => entry.id === id)?.stale;
  const node = owner.graphView({ seedIds: [id], hops: 0 }).nodes[0]?.stale;
  const hit = owner.recall("lantern", { observe: true }).hits.find((each) => each.id === id)?.stale;
  expect([listed, node, hit, staleSince !== null]).toEqual([stale, stale, stale, stale]);
  return stale;
}

describe("staleness by the clock", () => {
  it("[STL-1] begins at the due time, to the millisecond, in every read", async () => {
    for (const [volatility, days] of TERMS) {
      await inSphere((bench) => {
        const { id } = bench.owner.capture("lantern", { volatility });
        const due = NOW + days * DAY;
        expect(staleAt(bench, id, due - 1)).toBe(false);
        expect(staleAt(bench, id, due)).toBe(true);
        expect(bench.owner.getEntry(id).staleSince).toBe(due);
      });
    }
  });

  it("[STL-1] never begins for what is durable", async () => {
    await inSphere((bench) => {
      const { id } = bench.owner.capture("lantern", { volatility: "durable" });
      expect(staleAt(bench, id, NOW + 100_000 * DAY)).toBe(false);
      expect(bench.owner.getStats().nextDueAt).toBeNull();
    });
  });

  it("[STL-1] counts from occurredAt, in the past or in the future", async () => {
    await inSphere((bench) => {
      const past = bench.owner.capture("lantern past", { occurredAt: NOW - 89 * DAY }).id;
      const future = bench.owner.capture("lantern future", { occurredAt: NOW + 10 * DAY }).id;
      expect(staleAt(bench, past, NOW + DAY - 1)).toBe(false);
      expect(staleAt(bench, past, NOW + DAY)).toBe(true);
      expect(staleAt(bench, future, NOW + 100 * DAY - 1)).toBe(false);
      expect(staleAt(bench, future, NOW + 100 * DAY)).toBe(true);
    });
  });

  it("[STL-3] a change of text gives another term from then on, flagged or not", async () => {
    for (const passFirst of [false, true]) {
      await inSphere((bench) => {
        const { owner, clock } = bench;
        const { id } = owner.capture("lantern", { volatility: "volatile" });
        clock.now = NOW + 20 * DAY;
        if (passFirst) expect(owner.runStalenessPass().flagged).toBe(1);
        owner.append(id, "trimmed");
        expect(staleAt(bench, id, NOW + 34 * DAY - 1)).toBe(false);
        expect(staleAt(bench, id, NOW + 34 * DAY)).toBe(true);
        expect(owner.getEntry(id).staleSince).toBe(NOW + 34 * DAY);
      });
    }
  });

  it("[STL-3] affirming gives another term from then on, and changes neither text nor revision", async () => {
    await inSphere((bench) => {
      const { owner, clock } = bench;
      const { id } = owner.capture("lantern", { status: "canonical" });
      clock.now = NOW + 95 * DAY;
      owner.runStalenessPass();
      owner.setStatus(id, "canonical");
      expect(owner.getEntry(id)).toMatchObject({ revision: 1, updatedAt: NOW, stale: false });
      expect(staleAt(bench, id, NOW + 185 * DAY - 1)).toBe(false);
      expect(staleAt(bench, id, NOW + 185 * DAY)).toBe(true);
    });
  });

  it("[STL-3] tags, importance, links, recalls and other statuses give none", async () => {
    await inSphere((bench) => {
      const { owner, clock } = bench;
      const { id } = owner.capture("lantern");
      const other = owner.capture("wick").id;
      clock.now = NOW + 89 * DAY;
      owner.update(id, null, { tags: ["t"], importance: 5, source: "s", claimTag: "INFERRED" });
      owner.link(id, other, "relates_to");
      owner.recall("lantern");
      owner.setStatus(id, "deprecated");
      owner.setStatus(id, "draft");
      expect(staleAt(bench, id, NOW + 90 * DAY)).toBe(true);
      expect(owner.getEntry(id).staleSince).toBe(NOW + 90 * DAY);
    });
  });

  it("[STL-1] another volatility has another due time, after a pass too", async () => {
    await inSphere((bench) => {
      const { owner } = bench;
      const { id } = owner.capture("lantern", { volatility: "volatile" });
      expect(staleAt(bench, id, NOW + 20 * DAY)).toBe(true);
      owner.runStalenessPass();
      owner.update(id, null, { volatility: "state" });
      expect(staleAt(bench, id, NOW + 20 * DAY)).toBe(false);
      expect(staleAt(bench, id, NOW + 90 * DAY)).toBe(true);
      owner.update(id, null, { volatility: "durable" });
      expect(staleAt(bench, id, NOW + 90 * DAY)).toBe(false);
    });
  });

  it("[STL-1] ends when an entry is deprecated or expires, before a pass and after", async () => {
    for (const passFirst of [false, true]) {
      await inSphere(({ owner, clock }) => {
        const gone = owner.capture("lantern one").id;
        const expiring = owner.capture("lantern two", { expiresAt: NOW + 100 * DAY }).id;
        clock.now = NOW + 95 * DAY;
        if (passFirst) owner.runStalenessPass();
        expect(owner.getStats().stale.state).toBe(2);
        owner.setStatus(gone, "deprecated");
        expect(owner.getStats().stale.state).toBe(1);
        clock.now = NOW + 100 * DAY;
        expect(owner.getStats().stale.state).toBe(0);
        for (const id of [gone, expiring]) {
          expect(owner.getEntry(id)).toMatchObject({ stale: false, staleSince: null });
        }
      });
    }
  });
});
