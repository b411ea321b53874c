import { describe, expect, it } from "vitest";
import { CLAIM_TAGS, EDGE_TYPES, KINDS, STATUSES, VOLATILITIES } from "../../contracts/index.ts";
import type { EntrySummary, MiniSphereApi } from "../../contracts/index.ts";
import { allPages, captured, capturedAll, daysAgo, times } from "./reads-support.ts";
import type { Open } from "./suite.ts";

export function registerCountReads(open: Open): void {
  describe("getTags", () => {
    it("[CNT-1] lists every tag in use with its entries, most used first, ties by tag", async () => {
      const { owner } = await open();
      const [first = "", second = ""] = await capturedAll(owner, [
        { content: "one", tags: ["beta", "alpha", "gone"] },
        { content: "two", tags: ["beta", "delta"] },
        { content: "three", tags: ["Beta "] },
      ]);
      await owner.update(first, null, { tags: ["beta", "alpha"] });
      expect(await owner.getTags()).toEqual([
        { tag: "beta", count: 3 },
        { tag: "alpha", count: 1 },
        { tag: "delta", count: 1 },
      ]);
      await owner.forget(second);
      expect(await owner.getTags()).toEqual([
        { tag: "beta", count: 2 },
        { tag: "alpha", count: 1 },
      ]);
    });

    it("[CNT-1] counts the tags of inactive entries too", async () => {
      const { owner } = await open();
      await captured(owner, "gone", { tags: ["old"], status: "deprecated" });
      expect(await owner.getTags()).toEqual([{ tag: "old", count: 1 }]);
    });
  });

  describe("getCount", () => {
    it("[CNT-2] counts entries of every status", async () => {
      const { owner } = await open();
      expect(await owner.getCount()).toBe(0);
      const [id = ""] = await capturedAll(
        owner,
        STATUSES.map((status) => ({ content: status, status })),
      );
      await owner.capture("expired", { expiresAt: 1 });
      await owner.capture("expired");
      expect(await owner.getCount()).toBe(4);
      await owner.forget(id);
      expect(await owner.getCount()).toBe(3);
    });
  });

  describe("getStats", () => {
    it("[CNT-3] counts nothing in a fresh workspace", async () => {
      const { owner } = await open();
      const stats = await owner.getStats();
      expect(stats).toMatchObject({ entries: 0, tags: 0, nextDueAt: null, runs: [] });
      expect(stats.stale).toEqual({ durable: 0, state: 0, volatile: 0 });
      expect(stats.edges.total).toBe(0);
      expect(Object.keys(stats.edges.byType).sort()).toEqual([...EDGE_TYPES].sort());
      expect(stats.databaseSize).toBeGreaterThan(0);
    });

    it("[CNT-3] agrees with the entries after every kind of change", async () => {
      const { owner } = await open();
      const ids = await capturedAll(
        owner,
        times(30, (n) => ({
          content: `entry ${n}`,
          tags: [`t${n % 4}`],
          kind: KINDS[n % 3]!,
          status: STATUSES[n % 2]!,
          volatility: VOLATILITIES[n % 3]!,
          claimTag: CLAIM_TAGS[n % 3]!,
          evidenceRef: "somewhere",
          occurredAt: daysAgo(n * 10),
          ...(n % 7 === 0 && { expiresAt: 5 }),
        })),
      );
      await owner.update(ids[1]!, "changed", { volatility: "durable" });
      await owner.update(ids[2]!, null, { kind: "semantic", tags: [] });
      await owner.setStatus(ids[3]!, "deprecated");
      await owner.forget(ids[4]!);
      await owner.append(ids[5]!, "more");
      await owner.link(ids[6]!, ids[9]!, "relates_to");
      await owner.link(ids[6]!, ids[12]!, "caused_by");
      await owner.link(ids[9]!, ids[12]!, "caused_by");
      await owner.unlink(ids[6]!, ids[12]!, "caused_by");
      await expectAgreement(owner);
      await owner.runStalenessPass();
      await expectAgreement(owner);

      const { edges } = await owner.getStats();
      expect(edges).toMatchObject({ total: 2, byType: { relates_to: 1, caused_by: 1 } });
    });

    it("[CNT-3] shows the newest 5 maintenance runs, newest first", async () => {
      const { owner } = await open();
      const runs = [];
      for (let n = 0; n < 6; n++) {
        await owner.capture(`long past ${n}`, { occurredAt: n, volatility: "volatile" });
        runs.unshift(await owner.runStalenessPass());
      }
      const stats = await owner.getStats();
      expect(stats.runs).toEqual(runs.slice(0, 5));
      expect(stats.runs.every((run) => run.flagged === 1)).toBe(true);
    });

    it("[CNT-4] counts calls and rows per method since the object woke", async () => {
      const { owner } = await open();
      await owner.capture("lantern");
      await owner.capture("wick");
      await owner.recall("lantern");
      await owner.getEntry((await owner.listRecent()).entries[0]?.id ?? "");
      const { usage } = await owner.getStats();
      expect(usage["capture"]?.calls).toBe(2);
      expect(usage["capture"]?.rowsWritten).toBeGreaterThan(1);
      expect(usage["recall"]).toMatchObject({ calls: 1, rowsWritten: 1 });
      expect(usage["recall"]?.rowsRead).toBeGreaterThan(0);
      expect(usage["getEntry"]).toMatchObject({ calls: 1, rowsWritten: 0 });
      expect(usage["forget"]).toBeUndefined();
    });
  });
}

/** Every count of the statistics, against the list of all entries. */
async function expectAgreement(owner: MiniSphereApi): Promise<void> {
  const pages = await allPages((cursor) => owner.listRecent({ n: 50, ...cursor }));
  const entries = pages.flatMap((page) => page.entries);
  const stats = await owner.getStats();
  expect(stats.entries).toBe(entries.length);
  expect(stats.byKind).toEqual(countsBy(entries, "kind", KINDS));
  expect(stats.byStatus).toEqual(countsBy(entries, "status", STATUSES));
  expect(stats.byVolatility).toEqual(countsBy(entries, "volatility", VOLATILITIES));
  expect(stats.byClaimTag).toEqual(countsBy(entries, "claimTag", CLAIM_TAGS));
  const stale = entries.filter((entry) => entry.stale);
  expect(stale.length).toBeGreaterThan(0);
  expect(stats.stale).toEqual(countsBy(stale, "volatility", VOLATILITIES));
  expect(stats.tags).toBe(new Set(entries.flatMap((entry) => entry.tags)).size);
}

function countsBy<F extends "kind" | "status" | "volatility" | "claimTag">(
  entries: readonly EntrySummary[],
  field: F,
  values: readonly string[],
) {
  return Object.fromEntries(
    values.map((value) => [value, entries.filter((entry) => entry[field] === value).length]),
  );
}
