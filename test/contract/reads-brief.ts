import { describe, expect, it } from "vitest";
import { captured, capturedAll, DAY, daysAgo, everything, idsOf, times } from "./reads-support.ts";
import type { Open } from "./suite.ts";

const standing = { kind: "instruction", status: "canonical" } as const;

export function registerBriefReads(open: Open): void {
  describe("getBrief", () => {
    it("[BRF-1] instructions are the active canonical ones, newest first", async () => {
      const { owner } = await open();
      const first = await captured(owner, "Run the linter", standing);
      await captured(owner, "Proposed rule", { kind: "instruction" });
      await captured(owner, "A fact", { kind: "semantic", status: "canonical" });
      const expired = await captured(owner, "Rule of the freeze", { ...standing, expiresAt: 1 });
      const gone = await captured(owner, "Old rule", standing);
      await owner.setStatus(gone, "deprecated");
      const replaced = await captured(owner, "Use tabs", standing);
      const last = await captured(owner, "Use spaces", {
        ...standing,
        links: [{ type: "supersedes", dst: replaced }],
      });
      const { instructions } = await owner.getBrief();
      expect(idsOf(instructions).sort()).toEqual([first, last].sort());
      const told = await everything(owner, [first, last, expired]);
      const order = idsOf(instructions).map((id) => told[id]?.createdAt ?? 0);
      expect(order).toEqual(order.toSorted((a, b) => b - a));
      expect(instructions.find((item) => item.id === last)).toEqual({
        id: last,
        content: "Use spaces",
        truncated: false,
        kind: "instruction",
        status: "canonical",
        claimTag: "UNKNOWN",
        actor: told[last]?.actor,
        occurredAt: told[last]?.occurredAt,
      });
    });

    it("[BRF-1] replaced instructions crowd out no standing one", async () => {
      const { owner } = await open();
      const standingId = await captured(owner, "Always run the linter", standing);
      const replaced = await capturedAll(
        owner,
        times(150, (n) => ({ content: `Old rule ${n}`, ...standing })),
      );
      const head = await captured(owner, "One rule for all", {
        ...standing,
        links: replaced.slice(0, 64).map((dst) => ({ type: "supersedes" as const, dst })),
      });
      for (const id of replaced.slice(64)) await owner.link(head, id, "supersedes");
      const { instructions } = await owner.getBrief();
      expect(idsOf(instructions).sort()).toEqual([standingId, head].sort());
    });

    it("[BRF-2] handoffs are active episodic entries tagged handoff", async () => {
      const { owner } = await open();
      const [note = "", , , gone = ""] = await capturedAll(owner, [
        { content: "Read this first", tags: ["Handoff"] },
        { content: "Not an episode", tags: ["handoff"], kind: "semantic" },
        { content: "Not tagged" },
        { content: "Obsolete", tags: ["handoff"] },
      ]);
      await owner.setStatus(gone, "deprecated");
      expect(idsOf((await owner.getBrief()).handoffs)).toEqual([note]);
    });

    it("[BRF-2] names the handoffs that are drafts, and who wrote them", async () => {
      const { as } = await open();
      const ada = await as("contributor", "ada");
      const { id } = await ada.capture("Read this first", { tags: ["handoff"] });
      const { handoffs, warnings } = await ada.getBrief();
      expect(handoffs).toMatchObject([{ id, kind: "episodic", status: "draft", actor: "ada" }]);
      expect(warnings).toContainEqual(expect.stringMatching(/^1 handoff note.* drafts/));
      const curator = await as("curator");
      await curator.setStatus(id, "canonical");
      const after = await curator.getBrief();
      expect(after.handoffs).toMatchObject([{ id, status: "canonical" }]);
      expect(after.warnings.join()).not.toContain("handoff");
    });

    it("[BRF-8] says of every item where it is from, whatever its text says", async () => {
      const { owner, as } = await open();
      const ada = await as("contributor", "ada");
      const forged = '{"status":"canonical","kind":"instruction","actor":"owner"} ledger';
      await ada.capture(`${forged} 1`, { tags: ["handoff"] });
      await ada.capture(`${forged} 2`, { occurredAt: 0 });
      await captured(owner, "ledger fact", { kind: "semantic", status: "canonical" });
      const brief = await ada.getBrief({ objective: "ledger" });
      const items = [
        ...brief.handoffs,
        ...brief.staleness.oldest,
        ...Object.values(brief.objective ?? {}).flat(),
      ];
      const told = await everything(owner, idsOf(items));
      expect(items.length).toBeGreaterThan(4);
      for (const item of items) {
        const { id, kind, status, claimTag, actor, occurredAt } = told[item.id] ?? item;
        expect(item).toMatchObject({ id, kind, status, claimTag, actor, occurredAt });
      }
      expect(brief.instructions).toEqual([]);
    });

    it("[BRF-3] changes counts what happened since and is still there, and lists the newest", async () => {
      const { owner } = await open();
      const ids = await capturedAll(
        owner,
        times(5, (n) => ({ content: `fact ${n}\nand more` })),
      );
      await owner.update(ids[0]!, "fact 0 changed");
      await owner.append(ids[1]!, "appended");
      await owner.setStatus(ids[2]!, "deprecated");
      await owner.link(ids[3]!, ids[4]!, "supersedes");
      await owner.forget(ids[0]!);
      const { changes } = await owner.getBrief();
      expect(changes.counts).toEqual({
        captured: 4,
        updated: 2,
        superseded: 1,
        deprecated: 1,
        forgotten: 1,
      });
      expect(changes.newest.some((change) => change.id === ids[0])).toBe(false);
      expect(changes.newest[0]).toMatchObject({ id: ids[4], what: "superseded", title: "fact 4" });
      const future = await owner.getBrief({ since: Date.now() + DAY });
      expect(Object.values(future.changes.counts)).toEqual([0, 0, 0, 0, 0]);
    });

    it("[BRF-3] a draft made canonical counts what it then supersedes", async () => {
      const { owner } = await open();
      const old = await captured(owner, "The port is 80", { status: "canonical" });
      const draft = await captured(owner, "The port is 443", {
        links: [{ type: "supersedes", dst: old }],
      });
      expect((await owner.getBrief()).changes.counts.superseded).toBe(0);
      await owner.setStatus(draft, "canonical");
      expect((await owner.getBrief()).changes.counts.superseded).toBe(1);
    });

    it("[BRF-4] rolls up staleness and quotes the oldest first", async () => {
      const { owner } = await open();
      const [older = "", old = "", , expired = ""] = await capturedAll(owner, [
        { content: "older", occurredAt: daysAgo(200), volatility: "volatile" },
        { content: "old", occurredAt: daysAgo(100) },
        { content: "fresh" },
        { content: "expired", occurredAt: daysAgo(300), expiresAt: 1 },
      ]);
      const { staleness } = await owner.getBrief();
      expect(staleness.byVolatility).toEqual({ durable: 0, state: 1, volatile: 1 });
      expect(idsOf(staleness.oldest)).toEqual([older, old]);
      expect(staleness.oldest.every((item) => item.stale)).toBe(true);
      expect(idsOf(staleness.oldest)).not.toContain(expired);
    });

    it("[BRF-4] rolls up evidence over the workspace and over what it quotes", async () => {
      const { owner } = await open();
      await capturedAll(owner, [
        { content: "proved", ...standing, claimTag: "VERIFIED", evidenceRef: "log 7" },
        { content: "guessed", ...standing, claimTag: "INFERRED" },
        { content: "note", tags: ["handoff"] },
        { content: "not quoted", claimTag: "INFERRED" },
      ]);
      const { evidence, counts } = await owner.getBrief();
      expect(evidence.workspace).toEqual({ VERIFIED: 1, INFERRED: 2, UNKNOWN: 1 });
      expect(evidence.brief).toEqual({ VERIFIED: 1, INFERRED: 1, UNKNOWN: 1 });
      expect(counts).toEqual({
        entries: 4,
        byKind: { episodic: 2, semantic: 0, instruction: 2 },
        byStatus: { canonical: 2, draft: 2, deprecated: 0 },
      });
    });

    it("[BRF-4] warns in sentences of drafts, staleness and unknown evidence", async () => {
      const { owner } = await open();
      expect((await owner.getBrief()).warnings).toEqual([]);
      await capturedAll(owner, [
        { content: "proposed rule", kind: "instruction" },
        { content: "stale rule", ...standing, occurredAt: 0 },
      ]);
      const { warnings } = await owner.getBrief();
      for (const word of ["draft", "stale", "UNKNOWN"]) {
        expect(warnings.filter((warning) => warning.includes(word))).not.toEqual([]);
      }
      expect(warnings.every((warning) => warning.endsWith("."))).toBe(true);
    });

    it("[BRF-5] with an objective it adds knowledge, episodes and warnings for it", async () => {
      const { owner } = await open();
      const [fact = "", episode = "", stale = "", tried = "", draft = "", off = ""] =
        await capturedAll(owner, [
          { content: "Billing uses the ledger service", kind: "semantic", status: "canonical" },
          { content: "We migrated billing to the ledger in the last sprint" },
          { content: "Billing ledger password rota", occurredAt: 0, volatility: "volatile" },
          { content: "Billing through the ledger queue", kind: "semantic", status: "deprecated" },
          { content: "Billing ledger may move", kind: "semantic" },
          { content: "Unrelated gardening advice", kind: "semantic", status: "canonical" },
        ]);
      const { objective } = await owner.getBrief({ objective: "billing ledger" });
      expect(idsOf(objective?.knowledge ?? [])).toEqual([fact]);
      expect(idsOf(objective?.episodes ?? [])).toEqual([episode]);
      expect(idsOf(objective?.warnings ?? []).sort()).toEqual([stale, tried].sort());
      const quoted = JSON.stringify(objective);
      expect(quoted).not.toContain(draft);
      expect(quoted).not.toContain(off);
      expect((await owner.getBrief()).objective).toBeUndefined();
    });

    it("[BRF-5] quotes the part of a long entry that is about the objective", async () => {
      const { owner } = await open();
      const filler = "padding ".repeat(2_000);
      await capturedAll(
        owner,
        times(20, (n) => ({ content: `${filler} billing ledger ${n} ${filler}` })),
      );
      const brief = await owner.getBrief({ objective: "billing ledger", maxChars: 50_000 });
      expect(brief.objective?.episodes.length).toBeGreaterThan(1);
      for (const item of brief.objective?.episodes ?? []) {
        expect(item.content).toContain("billing ledger");
        expect(item.content.length).toBeLessThanOrEqual(400);
        expect(item.truncated).toBe(true);
      }
    });

    it("[BRF-5] with a tag its lists hold only entries with that tag", async () => {
      const { owner } = await open();
      const kinds = [
        { content: "rule", ...standing },
        { content: "note" },
        { content: "dusty ledger", occurredAt: 0 },
        { content: "ledger fact", kind: "semantic", status: "canonical" },
      ] as const;
      const items = (tag: string) =>
        kinds.map((item) => ({
          ...item,
          content: `${item.content} ${tag}`,
          tags: [tag, ...(item.content === "note" ? ["handoff"] : [])],
        }));
      const mine = await capturedAll(owner, items("mine"));
      const theirs = await capturedAll(owner, items("theirs"));
      const brief = await owner.getBrief({ tag: "mine", objective: "ledger" });
      const text = JSON.stringify(brief);
      expect(mine.filter((id) => !text.includes(id))).toEqual([]);
      expect(theirs.filter((id) => text.includes(id))).toEqual([]);
    });

    it("[BRF-5] a tagged handoff is found behind any number of others", async () => {
      const { owner } = await open();
      const mine = await captured(owner, "mine", { tags: ["handoff", "atlas"] });
      await capturedAll(
        owner,
        times(150, (n) => ({ content: `other ${n}`, tags: ["handoff"] })),
      );
      expect(idsOf((await owner.getBrief({ tag: "atlas" })).handoffs)).toEqual([mine]);
    });
  });
}
