import { describe, expect, it } from "vitest";
import { captured, capturedAll, DAY, daysAgo, times } from "./reads-support.ts";
import type { Open } from "./suite.ts";

export function registerMaintenanceReads(open: Open): void {
  describe("runStalenessPass", () => {
    it("[MNT-1] takes due entries oldest first, at most limit", async () => {
      const { owner } = await open();
      await capturedAll(
        owner,
        [5, 1, 4, 2, 3].map((n) => ({ content: `entry ${n}`, occurredAt: n * 1_000 })),
      );
      const run = () => owner.runStalenessPass({ limit: 2 });
      expect(await run()).toMatchObject({ flagged: 2, remaining: 3, nextDueAt: 3_000 + 90 * DAY });
      expect(await run()).toMatchObject({ flagged: 2, remaining: 1, nextDueAt: 5_000 + 90 * DAY });
      expect(await run()).toMatchObject({ flagged: 1, remaining: 0, nextDueAt: null });
    });

    it("[MNT-1] takes 100 without a limit", async () => {
      const { owner } = await open();
      await capturedAll(
        owner,
        times(130, (n) => ({ content: `entry ${n}`, occurredAt: n })),
      );
      expect(await owner.runStalenessPass()).toMatchObject({ flagged: 100, remaining: 30 });
    });

    it("[MNT-1] deprecates what is past its expiresAt, with a revision that says so", async () => {
      const { owner } = await open();
      const id = await captured(owner, "until yesterday", { expiresAt: daysAgo(1) });
      const later = await captured(owner, "until tomorrow", { expiresAt: daysAgo(-1) });
      expect(await owner.runStalenessPass()).toMatchObject({ expired: 1, flagged: 0 });
      expect(await owner.getEntry(id)).toMatchObject({ status: "deprecated", revision: 2 });
      expect(await owner.getEntry(later)).toMatchObject({ status: "draft", revision: 1 });
      expect((await owner.history(id)).revisions).toMatchObject([
        { changes: { status: ["draft", "deprecated"] }, reason: "expired" },
      ]);
    });

    it("[MNT-2] a second pass flags and expires nothing", async () => {
      const { owner } = await open();
      await capturedAll(owner, [
        { content: "due", occurredAt: 0 },
        { content: "expired", expiresAt: 1 },
      ]);
      expect(await owner.runStalenessPass()).toMatchObject({ flagged: 1, expired: 1 });
      expect(await owner.runStalenessPass()).toMatchObject({ scanned: 0, flagged: 0, expired: 0 });
    });

    it("[MNT-3] records and returns the run", async () => {
      const { owner } = await open();
      const before = Date.now();
      const occurredAt = daysAgo(10);
      await capturedAll(owner, [
        { content: "due", occurredAt: 0 },
        { content: "expired", expiresAt: 1 },
        { content: "later", occurredAt, volatility: "volatile" },
      ]);
      const run = await owner.runStalenessPass();
      expect(run).toEqual({
        at: expect.any(Number),
        trigger: expect.any(String),
        scanned: 2,
        flagged: 1,
        expired: 1,
        remaining: 0,
        nextDueAt: occurredAt + 14 * DAY,
      });
      expect(run.at).toBeGreaterThanOrEqual(before);
      const stats = await owner.getStats();
      expect(stats.runs).toEqual([run]);
      expect(stats.nextDueAt).toBe(run.nextDueAt);
    });

    it("[MNT-3] remaining is counted up to ten times the limit, and up to 1,000", async () => {
      const { owner } = await open();
      await capturedAll(
        owner,
        times(1_120, (n) => ({ content: `entry ${n}`, occurredAt: n })),
      );
      expect((await owner.runStalenessPass({ limit: 1 })).remaining).toBe(10);
      expect((await owner.runStalenessPass({ limit: 100 })).remaining).toBe(1_000);
      expect((await owner.runStalenessPass({ limit: 100 })).remaining).toBe(919);
    });

    it("[MNT-3] runs on an empty workspace", async () => {
      const { owner } = await open();
      expect(await owner.runStalenessPass()).toMatchObject({
        scanned: 0,
        flagged: 0,
        expired: 0,
        remaining: 0,
        nextDueAt: null,
      });
    });
  });
}
