import { describe, expect, it } from "vitest";
import type { MiniSphereApi } from "../../contracts/index.ts";
import { captured, capturedAll, DAY, daysAgo, everything, hitOf, times } from "./reads-support.ts";
import type { Open } from "./suite.ts";

/** Reads that show whether an entry is stale. */
async function shown(owner: MiniSphereApi, id: string) {
  const { stale, staleSince } = await owner.getEntry(id);
  const listed = (await owner.listRecent({ n: 200 })).entries.find((each) => each.id === id);
  const { nodes } = await owner.graphView({ seedIds: [id], hops: 0 });
  return { stale, staleSince, listed: listed?.stale, node: nodes[0]?.stale };
}

export function registerStalenessReads(open: Open): void {
  describe("staleness", () => {
    it("[STL-1] volatile is due after 14 days, state after 90, durable never", async () => {
      const { owner } = await open();
      const cases = [
        ["volatile", 13, false],
        ["volatile", 15, true],
        ["state", 89, false],
        ["state", 91, true],
        ["durable", 5_000, false],
      ] as const;
      for (const [volatility, age, stale] of cases) {
        const occurredAt = daysAgo(age);
        const id = await captured(owner, `${volatility} ${age}`, { volatility, occurredAt });
        const term = volatility === "volatile" ? 14 : 90;
        expect(await shown(owner, id)).toEqual({
          stale,
          staleSince: stale ? occurredAt + term * DAY : null,
          listed: stale,
          node: stale,
        });
      }
    });

    it("[STL-1] a deprecated or expired entry is never stale", async () => {
      const { owner } = await open();
      const ids = await capturedAll(owner, [
        { content: "deprecated", occurredAt: 0, status: "deprecated" },
        { content: "expired", occurredAt: 0, expiresAt: 1 },
      ]);
      const fresh = { stale: false, staleSince: null, listed: false, node: false };
      for (const id of ids) expect(await shown(owner, id)).toEqual(fresh);
      expect((await owner.getStats()).stale.state).toBe(0);
      await owner.runStalenessPass();
      for (const id of ids) expect(await shown(owner, id)).toEqual(fresh);
    });

    it("[STL-2] an answer is the same whether a pass has run or not", async () => {
      const { owner } = await open();
      const ids = await capturedAll(
        owner,
        times(12, (n) => ({
          content: `lantern ${n}`,
          occurredAt: daysAgo(n * 12),
          volatility: (["volatile", "state", "durable"] as const)[n % 3]!,
          tags: ["handoff"],
        })),
      );
      await owner.link(ids[0]!, ids[1]!, "relates_to");
      const answers = async () => {
        const { stale, byStatus } = await owner.getStats();
        const { at: _at, changes: _changes, ...brief } = await owner.getBrief();
        const scores = ({ hits }: Awaited<ReturnType<MiniSphereApi["recall"]>>) =>
          hits.map(({ id, stale: isStale }) => [id, isStale]);
        return {
          entries: await everything(owner, ids),
          listed: await owner.listRecent(),
          connected: await owner.connections(ids[0]!),
          graph: await owner.graphView(),
          recalled: scores(await owner.recall("lantern", { observe: true, topK: 50 })),
          brief,
          stale,
          byStatus,
        };
      };
      const before = await answers();
      const run = await owner.runStalenessPass();
      expect(run.flagged).toBeGreaterThan(3);
      expect(await answers()).toEqual(before);
    });

    it("[STL-2] stale is a flag on the hit and does not change its score", async () => {
      const { owner } = await open();
      const id = await captured(owner, "lantern", { volatility: "volatile", occurredAt: 0 });
      const query = ["when did the lantern", { observe: true }] as const;
      const before = await hitOf(owner, id, ...query);
      expect(before.stale).toBe(true);
      await owner.setStatus(id, "canonical");
      const after = await hitOf(owner, id, ...query);
      expect(after.stale).toBe(false);
      expect(after.score).toBe(before.score);
    });

    it("[STL-3] a change of text makes an entry fresh, before and after a pass", async () => {
      const { owner } = await open();
      const [early = "", late = ""] = await capturedAll(owner, [
        { content: "one", occurredAt: 0 },
        { content: "two", occurredAt: 1 },
      ]);
      await owner.update(early, "one changed");
      expect((await owner.runStalenessPass()).flagged).toBe(1);
      expect((await owner.getEntry(early)).stale).toBe(false);
      expect((await owner.getEntry(late)).stale).toBe(true);
      await owner.append(late, "appended");
      expect(await owner.getEntry(late)).toMatchObject({ stale: false, staleSince: null });
      expect(await owner.runStalenessPass()).toMatchObject({ flagged: 0 });
    });

    it("[STL-3] setStatus to canonical makes an entry fresh, also when it is canonical", async () => {
      const { owner } = await open();
      const [draft = "", canonical = ""] = await capturedAll(owner, [
        { content: "one", occurredAt: 0 },
        { content: "two", occurredAt: 0, status: "canonical" },
      ]);
      await owner.runStalenessPass();
      for (const id of [draft, canonical]) {
        await owner.setStatus(id, "canonical");
        expect(await owner.getEntry(id)).toMatchObject({ stale: false, staleSince: null });
      }
    });

    it("[STL-3] other changes, links and recalls do not", async () => {
      const { owner } = await open();
      const other = await captured(owner, "other");
      for (const passFirst of [false, true]) {
        const id = await captured(owner, `lantern ${passFirst}`, { occurredAt: 0 });
        if (passFirst) await owner.runStalenessPass();
        await owner.update(id, null, { tags: ["t"], importance: 3, source: "s", kind: "semantic" });
        await owner.link(id, other, "relates_to");
        await owner.recall("lantern");
        await owner.setStatus(id, "deprecated");
        await owner.setStatus(id, "draft");
        expect(await owner.getEntry(id)).toMatchObject({ stale: true, staleSince: 90 * DAY });
      }
    });
  });
}
