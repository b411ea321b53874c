import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { capturedAll, everything, times } from "./reads-support.ts";
import type { Open } from "./suite.ts";

const standing = { kind: "instruction", status: "canonical" } as const;

export function registerBriefBudgetReads(open: Open): void {
  describe("the size of a brief", () => {
    it("[BRF-6] every active instruction and handoff is quoted or counted as omitted", async () => {
      const { owner } = await open();
      await capturedAll(owner, [
        ...times(130, (n) => ({ content: `Rule ${n}`, ...standing })),
        ...times(25, (n) => ({ content: `Note ${n}`, tags: ["handoff"] })),
      ]);
      for (const maxChars of [1_000, 6_000, 100_000]) {
        const brief = await owner.getBrief({ maxChars });
        expect(brief.instructions.length + (brief.omitted["instructions"] ?? 0)).toBe(130);
        expect(brief.handoffs.length + (brief.omitted["handoffs"] ?? 0)).toBe(25);
      }
    });

    it("[BRF-6] stays within maxChars, leaving items out whole and counting them", async () => {
      const { owner } = await open();
      const long = (n: number) => `${n} "quoted" \\ 東京 😀 ${"ledger ".repeat(n % 70)}`;
      const ids = await capturedAll(owner, [
        ...times(40, (n) => ({ content: `Rule ${long(n)}`, ...standing })),
        ...times(40, (n) => ({ content: `Note ${long(n)}`, tags: ["handoff", "x".repeat(64)] })),
        ...times(40, (n) => ({ content: `Old ${long(n)}`, occurredAt: n })),
        ...times(40, (n) => ({
          content: `Fact ${long(n)}`,
          kind: "semantic" as const,
          status: "canonical" as const,
        })),
      ]);
      const shown = Object.fromEntries(
        (await owner.listRecent({ n: 200 })).entries.map((entry) => [entry.id, entry.content]),
      );
      const whole = await owner.getBrief({ maxChars: 100_000, objective: "ledger" });
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1_000, max: 60_000 }),
          fc.boolean(),
          async (maxChars, withObjective) => {
            const brief = await owner.getBrief({
              maxChars,
              ...(withObjective && { objective: "ledger" }),
            });
            expect(JSON.stringify(brief).length).toBeLessThanOrEqual(maxChars);
            for (const item of [...brief.instructions, ...brief.handoffs]) {
              expect(item.content).toBe(shown[item.id]);
            }
            expect(brief.instructions).toEqual(
              whole.instructions.slice(0, brief.instructions.length),
            );
            expect(brief.instructions.length + (brief.omitted["instructions"] ?? 0)).toBe(40);
          },
        ),
        { numRuns: 60 },
      );
      expect(Object.keys(shown).sort()).toEqual(ids.toSorted());
    });

    it("[BRF-6] what it says of its own evidence is about what it still quotes", async () => {
      const { owner } = await open();
      await capturedAll(owner, [
        { content: "Proved rule", ...standing, claimTag: "VERIFIED", evidenceRef: "log 7" },
        ...times(5, (n) => ({ content: `Old ${n} ${"x".repeat(300)}`, occurredAt: n })),
      ]);
      const seen = new Set<string>();
      for (let maxChars = 1_000; maxChars < 4_000; maxChars += 100) {
        const { evidence, warnings, staleness } = await owner.getBrief({ maxChars });
        expect(evidence.brief).toEqual({
          VERIFIED: 1,
          INFERRED: 0,
          UNKNOWN: staleness.oldest.length,
        });
        const said = warnings.some((warning) => warning.includes("UNKNOWN"));
        if (evidence.brief.UNKNOWN === 0) expect(said).toBe(false);
        seen.add(`${staleness.oldest.length} ${said}`);
      }
      expect([...seen]).toEqual(expect.arrayContaining(["0 false", "5 true"]));
    });

    it("[BRF-7] gives the same bytes twice and changes nothing but usage", async () => {
      const { owner } = await open();
      const ids = await capturedAll(owner, [
        { content: "Rule one", ...standing },
        { content: "Note ledger", tags: ["handoff"] },
        { content: "Stale ledger", occurredAt: 0 },
      ]);
      const before = await everything(owner, ids);
      const first = await owner.getBrief({ objective: "ledger", since: 0 });
      const second = await owner.getBrief({ objective: "ledger", since: 0 });
      expect({ ...second, at: first.at }).toEqual(first);
      expect(await everything(owner, ids)).toEqual(before);
    });
  });
}
