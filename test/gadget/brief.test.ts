import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../contracts/index.ts";
import { dumpOf } from "../support/dump.ts";
import { DAY, NOW, inSphere } from "../support/sphere.ts";
import type { Calls } from "../support/sphere.ts";

const standing = { kind: "instruction", status: "canonical" } as const;

const many = (n: number, item: (index: number) => Parameters<Calls["captureMany"]>[0][number]) =>
  Array.from({ length: n }, (_, index) => item(index));

function captureAll(owner: Calls, items: Parameters<Calls["captureMany"]>[0]): string[] {
  const ids: string[] = [];
  for (let start = 0; start < items.length; start += 500) {
    const { results } = owner.captureMany(items.slice(start, start + 500));
    ids.push(...results.map(({ id }) => id));
  }
  return ids;
}

/** More than 1,000 of everything that a brief counts, and items of every length in each of its lists. */
function crowd(owner: Calls): void {
  const long = (n: number) => `${n} ledger "${"\\x東😀".repeat(n % 60)}"`;
  const ids = captureAll(owner, [
    ...many(1_050, (n) => ({ content: `state ${long(n)}`, occurredAt: n, tags: [`t${n % 9}`] })),
    ...many(1_050, (n) => ({ content: `gone ${n}`, occurredAt: n, volatility: "volatile" })),
    ...many(60, (n) => ({
      content: `Rule ${long(n)}`,
      ...standing,
      occurredAt: n,
      tags: ["x".repeat(64), `${n}`],
    })),
    ...many(40, (n) => ({ content: `Note ${long(n)}`, tags: ["handoff"] })),
    ...many(40, (n) => ({ content: `Fact ${long(n)}`, kind: "semantic", status: "canonical" })),
    { content: "proposed", kind: "instruction" },
  ]);
  const head = ids.at(-2)!;
  for (const id of ids.slice(0, 1_001)) owner.update(id, null, { importance: 3 });
  for (const id of ids.slice(1_001, 2_002)) owner.setStatus(id, "deprecated");
  for (const id of captureAll(
    owner,
    many(1_001, (n) => ({ content: `m ${n}`, kind: "semantic" })),
  )) {
    owner.link(head, id, "supersedes");
    owner.forget(id);
  }
}

describe("getBrief", () => {
  it("[BRF-6] fits any budget from the smallest on, whatever there is to say", async () => {
    await inSphere(({ owner, clock }) => {
      crowd(owner);
      clock.now += 60 * DAY;
      captureAll(
        owner,
        many(1_001, (n) => ({ content: `late ${n}`, occurredAt: n })),
      );
      const short = owner.getBrief({ maxChars: 1_000, objective: "ledger", since: 0 });
      expect(short.changes.counts).toEqual({
        captured: "1000+",
        updated: "1000+",
        superseded: "1000+",
        deprecated: "1000+",
        forgotten: "1000+",
      });
      fc.assert(
        fc.property(
          fc.oneof(
            fc.integer({ min: LIMITS.briefChars.min, max: 1_300 }),
            fc.integer({ min: LIMITS.briefChars.min, max: LIMITS.briefChars.max }),
          ),
          fc.record(
            {
              objective: fc.constantFrom("ledger", "", "rule note fact", "no such thing"),
              since: fc.constantFrom(0, NOW, NOW + 59 * DAY, LIMITS.timeMs),
              tag: fc.constantFrom("x".repeat(64), "handoff", "t3", "unused"),
            },
            { requiredKeys: [] },
          ),
          (maxChars, options) => {
            const text = JSON.stringify(owner.getBrief({ ...options, maxChars }));
            expect(text.length).toBeLessThanOrEqual(maxChars);
          },
        ),
        { numRuns: 60 },
      );
    });
  });

  it("[BRF-6] uses the budget that it has: one item more would not fit", async () => {
    await inSphere(({ owner }) => {
      captureAll(
        owner,
        many(50, (n) => ({ content: `Rule ${n} ${"x".repeat(100)}`, ...standing })),
      );
      for (const maxChars of [2_000, 4_000, 8_000]) {
        const brief = owner.getBrief({ maxChars });
        const chars = JSON.stringify(brief).length;
        const item = JSON.stringify(brief.instructions[0]).length;
        expect(brief.omitted["instructions"]).toBeGreaterThan(0);
        expect(chars).toBeLessThanOrEqual(maxChars);
        expect(chars + item + 20).toBeGreaterThan(maxChars);
      }
    });
  });

  it("[BRF-7] gives the same bytes warm and woken, and writes nothing", async () => {
    await inSphere(({ owner, wake, storage }) => {
      const ids = captureAll(owner, [
        ...many(30, (n) => ({ content: `Rule ledger ${n}`, ...standing, occurredAt: n })),
        ...many(30, (n) => ({ content: `Note ledger ${n}`, tags: ["handoff"] })),
      ]);
      owner.link(ids[1]!, ids[0]!, "supersedes");
      const before = dumpOf(storage);
      for (const options of [{}, { objective: "ledger" }, { tag: "handoff", since: 0 }]) {
        const warm = JSON.stringify(owner.getBrief(options));
        expect(JSON.stringify(owner.getBrief(options))).toBe(warm);
        expect(JSON.stringify(wake().getBrief(options))).toBe(warm);
      }
      expect(dumpOf(storage)).toEqual(before);
    });
  });

  it("[BRF-1] instructions come newest first, those of one time by id", async () => {
    await inSphere(({ owner, clock }) => {
      const first = captureAll(
        owner,
        many(3, (n) => ({ content: `Rule ${n}`, ...standing })),
      );
      clock.now += 1;
      const later = owner.capture("Later rule", { ...standing, occurredAt: 0 }).id;
      const { instructions } = owner.getBrief();
      expect(instructions.map(({ id }) => id)).toEqual([later, ...first.toSorted()]);
    });
  });

  it("[BRF-2] handoffs come newest first", async () => {
    await inSphere(({ owner, clock }) => {
      const ids = Array.from({ length: 4 }, (_, n) => {
        clock.now += 1;
        return owner.capture(`Note ${n}`, { tags: ["handoff"], occurredAt: NOW - n }).id;
      });
      expect(owner.getBrief().handoffs.map(({ id }) => id)).toEqual(ids.toReversed());
    });
  });

  it("[BRF-3] counts from since on, 7 days back by default, both to the millisecond", async () => {
    await inSphere(({ owner, clock }) => {
      owner.capture("on the day");
      const captured = (since?: number) =>
        owner.getBrief(since === undefined ? {} : { since }).changes.counts.captured;
      clock.now = NOW + 7 * DAY;
      expect(captured()).toBe(1);
      clock.now += 1;
      expect(captured()).toBe(0);
      expect(captured(NOW)).toBe(1);
      expect(captured(NOW + 1)).toBe(0);
    });
  });

  it("[BRF-3] counts to 1,000 and then says 1000+", async () => {
    await inSphere(({ owner }) => {
      captureAll(
        owner,
        many(1_000, (n) => ({ content: `entry ${n}`, occurredAt: 0 })),
      );
      expect(owner.getBrief().changes.counts.captured).toBe(1_000);
      expect(owner.getBrief().staleness.byVolatility.state).toBe(1_000);
      owner.capture("one more", { occurredAt: 0 });
      expect(owner.getBrief().changes.counts.captured).toBe("1000+");
      expect(owner.getBrief().staleness.byVolatility.state).toBe("1000+");
    });
  });

  it("[BRF-3] lists the newest changes first, each with what, when and a title", async () => {
    await inSphere(({ owner, clock }) => {
      const id = owner.capture("# First\n\nbody").id;
      clock.now += 5;
      owner.update(id, "# Second\n\nbody");
      clock.now += 5;
      owner.setStatus(id, "deprecated");
      const title = "# Second";
      expect(owner.getBrief().changes.newest).toEqual([
        { id, what: "deprecated", at: NOW + 10, title },
        { id, what: "updated", at: NOW + 5, title },
        { id, what: "captured", at: NOW, title },
      ]);
    });
  });

  it("[BRF-4] quotes the oldest stale entries, whether a pass has flagged some, all or none", async () => {
    await inSphere(({ owner, clock }) => {
      const ids = captureAll(
        owner,
        many(12, (n) => ({
          content: `entry ${n}`,
          volatility: n % 2 === 0 ? "state" : "volatile",
          occurredAt: NOW - (n % 2 === 0 ? 76 * DAY : 0) - Math.floor(n / 4) * DAY,
        })),
      );
      clock.now += 15 * DAY;
      const oldest = () => owner.getBrief().staleness.oldest.map(({ id }) => id);
      const expected = ids.slice(8).concat(ids.slice(4, 5));
      expect(oldest()).toEqual(expected);
      for (let n = 0; n < 4; n++) {
        owner.runStalenessPass({ limit: 3 });
        expect(oldest()).toEqual(expected);
      }
    });
  });

  it("[BRF-4] an expired draft is no proposal, before and after a pass", async () => {
    await inSphere(({ owner, clock }) => {
      owner.capture("proposed rule", { kind: "instruction", expiresAt: NOW + 10 });
      const drafts = () => owner.getBrief().warnings.filter((each) => each.includes("drafts"));
      expect(drafts()).toHaveLength(1);
      clock.now += 10;
      expect(drafts()).toEqual([]);
      owner.runStalenessPass();
      expect(drafts()).toEqual([]);
    });
  });
});
