import { describe, expect, it } from "vitest";
import type { Arguments, MiniSphereApi } from "../../contracts/index.ts";
import { captured, capturedAll, recalledIds, times } from "./reads-support.ts";
import type { Item } from "./reads-support.ts";
import { refusal } from "./suite.ts";
import type { Open } from "./suite.ts";

type RecallOptions = NonNullable<Arguments<"recall">[1]>;

export function registerFilterReads(open: Open): void {
  describe("filters of recall", () => {
    it("[REC-6] deprecated, expired, superseded and exhaust entries are left out", async () => {
      const { owner } = await open();
      const [draft = "", canonical = "", , , replaced = ""] = await capturedAll(owner, [
        { content: "lantern draft" },
        { content: "lantern canonical", status: "canonical" },
        { content: "lantern deprecated", status: "deprecated" },
        { content: "lantern expired", expiresAt: 1 },
        { content: "lantern replaced" },
        { content: "<tool_result>lantern</tool_result>" },
        { content: "lantern roll-up", tags: ["rolled-up"] },
      ]);
      await owner.link(draft, replaced, "supersedes");
      expect((await recalledIds(owner, "lantern")).sort()).toEqual([draft, canonical].sort());
    });

    it("[REC-6] tag, kind, status, since and until each exclude, inclusive at both ends", async () => {
      const { owner } = await open();
      const [early = "", middle = "", late = ""] = await capturedAll(owner, [
        { content: "lantern a", occurredAt: 1_000, tags: ["red"], kind: "semantic" },
        { content: "lantern b", occurredAt: 2_000, tags: ["red"], status: "canonical" },
        { content: "lantern c", occurredAt: 3_000, kind: "semantic" },
      ]);
      const found = async (options: RecallOptions) =>
        (await recalledIds(owner, "lantern", options)).sort();
      expect(await found({ tag: " RED" })).toEqual([early, middle].sort());
      expect(await found({ kind: "semantic" })).toEqual([early, late].sort());
      expect(await found({ status: "canonical" })).toEqual([middle]);
      expect(await found({ status: "draft" })).toEqual([early, late].sort());
      expect(await found({ since: 2_000 })).toEqual([middle, late].sort());
      expect(await found({ until: 2_000 })).toEqual([early, middle].sort());
      expect(await found({ since: 2_000, until: 2_000 })).toEqual([middle]);
      expect(await found({ tag: "red", kind: "semantic", since: 1_001 })).toEqual([]);
      expect(await refusal(owner.recall("lantern", { since: 2, until: 1 }))).toMatchObject({
        code: "invalid_input",
        details: { path: "options.until" },
      });
    });

    it("[REC-6] hold for neighbours too", async () => {
      const { owner } = await open();
      const [seed = "", neighbour = "", gone = ""] = await capturedAll(owner, [
        { content: "lantern", tags: ["red"], occurredAt: 2_000 },
        { content: "wick", occurredAt: 1_000 },
        { content: "glass", status: "deprecated", tags: ["red"], occurredAt: 2_000 },
      ]);
      await owner.link(seed, neighbour, "relates_to", { weight: 1 });
      await owner.link(seed, gone, "relates_to", { weight: 1 });
      const found = (options: RecallOptions) => recalledIds(owner, "lantern", options);
      expect(await found({})).toEqual([seed, neighbour]);
      expect(await found({ tag: "red" })).toEqual([seed]);
      expect(await found({ since: 1_500 })).toEqual([seed]);
      expect(await found({ kind: "semantic" })).toEqual([]);
      expect(await found({ includeInactive: true })).toEqual(
        expect.arrayContaining([seed, neighbour, gone]),
      );
    });

    it("[REC-8] includeInactive and includeExhaust show what they name, with its status", async () => {
      const { owner } = await open();
      const [live = "", gone = "", replaced = "", raw = ""] = await capturedAll(owner, [
        { content: "lantern live" },
        { content: "lantern gone", status: "deprecated" },
        { content: "lantern replaced" },
        { content: "<think>lantern</think>" },
      ]);
      await owner.link(live, replaced, "supersedes");
      const statuses = async (options: RecallOptions) =>
        Object.fromEntries(
          (await owner.recall("lantern", { hops: 0, ...options })).hits.map((hit) => [
            hit.id,
            hit.status,
          ]),
        );
      const inactive = { [live]: "draft", [gone]: "deprecated", [replaced]: "draft" };
      expect(await statuses({ includeInactive: true })).toEqual(inactive);
      expect(await statuses({ includeExhaust: true })).toEqual({ [live]: "draft", [raw]: "draft" });
      expect(await statuses({ includeInactive: true, includeExhaust: true })).toEqual({
        ...inactive,
        [raw]: "draft",
      });
    });

    it("[REC-8] status deprecated implies includeInactive", async () => {
      const { owner } = await open();
      const gone = await captured(owner, "lantern gone", { status: "deprecated" });
      const expired = await captured(owner, "lantern expired", { expiresAt: 1 });
      await owner.capture("lantern live");
      const found = await recalledIds(owner, "lantern", { status: "deprecated" });
      expect(found.sort()).toEqual([gone, expired].sort());
    });
  });

  describe("a filter does not starve the search", () => {
    /** Ten entries that match the query worse than any of `better`. */
    async function crowded(owner: MiniSphereApi, better: readonly Item[], passing: Partial<Item>) {
      await capturedAll(owner, better);
      return capturedAll(
        owner,
        times(10, (n) => ({
          content: `${"other words stand here ".repeat(5)} lantern ${n}`,
          ...passing,
        })),
      );
    }
    const strong = (n: number) => `lantern lantern wick ${n}`;

    async function expectAllTen(owner: MiniSphereApi, ten: string[], options: RecallOptions) {
      for (const query of ["lantern", "lantern wick"]) {
        expect((await recalledIds(owner, query, options)).sort()).toEqual(ten.toSorted());
      }
    }

    it("[REC-7] by a rare tag, kind, status or time among 1,000 better matches", async () => {
      const { owner } = await open();
      const better = times(1_000, (n) => ({ content: strong(n), occurredAt: 5_000 }));
      const ten = await crowded(owner, better, {
        tags: ["rare"],
        kind: "semantic",
        status: "canonical",
        occurredAt: 1_000,
      });
      await expectAllTen(owner, ten, { tag: "rare" });
      await expectAllTen(owner, ten, { kind: "semantic" });
      await expectAllTen(owner, ten, { status: "canonical" });
      await expectAllTen(owner, ten, { until: 4_999 });
      await expectAllTen(owner, ten, { since: 900, until: 1_100 });
    });

    it("[REC-7] by 300 deprecated entries that match better", async () => {
      const { owner } = await open();
      const better = times(300, (n) => ({ content: strong(n), status: "deprecated" as const }));
      await expectAllTen(owner, await crowded(owner, better, {}), {});
    });

    it("[REC-7] by 300 expired entries that match better", async () => {
      const { owner } = await open();
      const better = times(300, (n) => ({ content: strong(n), expiresAt: 1 }));
      await expectAllTen(owner, await crowded(owner, better, {}), {});
    });

    it("[REC-7] by 300 exhaust entries that match better", async () => {
      const { owner } = await open();
      const better = times(300, (n) => ({ content: strong(n), source: "system:log" }));
      await expectAllTen(owner, await crowded(owner, better, {}), {});
    });

    it("[REC-7] by 300 superseded entries that match better", async () => {
      const { owner } = await open();
      const ids = await capturedAll(
        owner,
        times(300, (n) => ({ content: strong(n) })),
      );
      const head = await captured(owner, "silence", { kind: "episodic" });
      await Promise.all(ids.map((id) => owner.link(head, id, "supersedes")));
      const ten = await crowded(owner, [], {});
      const found = await recalledIds(owner, "lantern", { topK: 11 });
      expect(found.sort()).toEqual([...ten, head].sort());
    });

    it("[REC-7] by 300 entries that were superseded through deprecated ones", async () => {
      const { owner } = await open();
      const ids = await capturedAll(
        owner,
        times(300, (n) => ({ content: strong(n) })),
      );
      const head = await captured(owner, "silence");
      const middle = await captured(owner, "hush", { links: [{ type: "supersedes", src: head }] });
      await Promise.all(ids.map((id) => owner.link(middle, id, "supersedes")));
      await owner.setStatus(middle, "deprecated");
      const ten = await crowded(owner, [], {});
      const found = await recalledIds(owner, "lantern", { topK: 11 });
      expect(found.sort()).toEqual([...ten, head].sort());
    });
  });
}
