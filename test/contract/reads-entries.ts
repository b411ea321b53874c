import { describe, expect, it } from "vitest";
import { allPages, captured, capturedAll, idsOf, times } from "./reads-support.ts";
import { refusal } from "./suite.ts";
import type { Open } from "./suite.ts";

export function registerEntryReads(open: Open): void {
  describe("getEntry", () => {
    it("[ENT-1] gives the whole content byte for byte", async () => {
      const { owner } = await open();
      const content = `  \r\nŁódź Łódź 東京 👩‍👩‍👧 \t${"long ".repeat(20_000)}\n `;
      const entry = await owner.getEntry(await captured(owner, content));
      expect(entry.content).toBe(content);
      expect(entry.truncated).toBe(false);
    });

    it("[ENT-1] gives everything known of the entry", async () => {
      const { owner } = await open();
      const before = Date.now();
      const id = await captured(owner, "The gateway listens on port 8443", {
        tags: ["network", "gateway", "session:42"],
        source: "runbook",
        kind: "semantic",
        status: "canonical",
        volatility: "durable",
        importance: 4,
        claimTag: "VERIFIED",
        evidenceRef: "https://example.test/runbook",
        occurredAt: 1_000,
        expiresAt: 9_000_000_000_000,
      });
      const { createdAt, updatedAt, actor, ...entry } = await owner.getEntry(id);
      expect(entry).toEqual({
        id,
        content: "The gateway listens on port 8443",
        truncated: false,
        kind: "semantic",
        status: "canonical",
        volatility: "durable",
        claimTag: "VERIFIED",
        evidenceRef: "https://example.test/runbook",
        importance: 4,
        tags: ["gateway", "network"],
        source: "runbook",
        occurredAt: 1_000,
        stale: false,
        superseded: false,
        exhaust: false,
        expiresAt: 9_000_000_000_000,
        revision: 1,
        recallCount: 0,
        staleSince: null,
        supersededBy: [],
        fork: false,
        restsOnSuperseded: [],
        origin: { session: ["42"] },
      });
      expect(createdAt).toBeGreaterThanOrEqual(before);
      expect(updatedAt).toBe(createdAt);
      expect(actor).not.toBe("");
    });

    it("[ENT-1] answers for entries of every status", async () => {
      const { owner } = await open();
      for (const status of ["draft", "canonical", "deprecated"] as const) {
        const id = await captured(owner, `entry that is ${status}`, { status });
        expect((await owner.getEntry(id)).status).toBe(status);
      }
      const expired = await captured(owner, "entry that is past its time", { expiresAt: 1 });
      expect((await owner.getEntry(expired)).status).toBe("deprecated");
      const raw = await captured(owner, "<think>hm</think>");
      expect((await owner.getEntry(raw)).exhaust).toBe(true);
    });
  });

  describe("listRecent", () => {
    it("[LST-1] lists newest first and equal times by id", async () => {
      const { owner } = await open();
      await capturedAll(
        owner,
        times(6, (n) => ({ content: `told together ${n}`, occurredAt: n * 1_000 })),
      );
      await captured(owner, "told later");
      await captured(owner, "told last");
      const { entries } = await owner.listRecent();
      const sorted = entries.toSorted(
        (a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1),
      );
      expect(entries).toHaveLength(8);
      expect(idsOf(entries)).toEqual(idsOf(sorted));
      expect(new Set(entries.slice(2).map((entry) => entry.createdAt)).size).toBe(1);
    });

    it("[LST-1] filters by tag, by kind and by both", async () => {
      const { owner } = await open();
      const [both, tagOnly, kindOnly] = await capturedAll(owner, [
        { content: "one", tags: ["infra"], kind: "semantic" },
        { content: "two", tags: ["infra"] },
        { content: "three", kind: "semantic" },
        { content: "four" },
      ]);
      const listed = async (options: { tag?: string; kind?: "semantic" }) =>
        idsOf((await owner.listRecent(options)).entries).sort();
      expect(await listed({ tag: " INFRA " })).toEqual([both, tagOnly].sort());
      expect(await listed({ kind: "semantic" })).toEqual([both, kindOnly].sort());
      expect(await listed({ tag: "infra", kind: "semantic" })).toEqual([both]);
      expect(await listed({ tag: "infr_" })).toEqual([]);
    });

    it("[LST-1] flags what is inactive, stale or exhaust, and hides nothing", async () => {
      const { owner } = await open();
      const deprecated = await captured(owner, "no longer so", { status: "deprecated" });
      const expired = await captured(owner, "was so until", { expiresAt: 1 });
      const old = await captured(owner, "so, long ago", { occurredAt: 0, volatility: "volatile" });
      const raw = await captured(owner, "<tool_result>42</tool_result>");
      await owner.capture("replaces it", { links: [{ type: "supersedes", dst: raw }] });
      const { entries } = await owner.listRecent();
      const byId = new Map(entries.map((entry) => [entry.id, entry]));
      expect(entries).toHaveLength(5);
      expect(byId.get(deprecated)).toMatchObject({ status: "deprecated" });
      expect(byId.get(expired)).toMatchObject({ status: "deprecated" });
      expect(byId.get(old)).toMatchObject({ stale: true });
      expect(byId.get(raw)).toMatchObject({ exhaust: true, superseded: true });
    });

    it("[LST-2] shows at most 400 characters, never half a pair, and says when it cut", async () => {
      const { owner } = await open();
      const fits = await captured(owner, "f".repeat(400));
      const cut = await captured(owner, "c".repeat(401));
      const pair = await captured(owner, `${"p".repeat(399)}😀`);
      await owner.link(fits, cut, "relates_to");
      await owner.link(fits, pair, "relates_to");
      const { entries } = await owner.listRecent();
      const { entries: connected } = await owner.connections(fits);
      const shown = (list: typeof entries, id: string) => {
        const entry = list.find((each) => each.id === id);
        return [entry?.content, entry?.truncated];
      };
      expect(shown(entries, fits)).toEqual(["f".repeat(400), false]);
      for (const list of [entries, connected]) {
        expect(shown(list, cut)).toEqual(["c".repeat(400), true]);
        expect(shown(list, pair)).toEqual(["p".repeat(399), true]);
      }
    });

    it("[LST-3] gives each entry once, whatever the page, while others are added", async () => {
      const { owner } = await open();
      const ids = await capturedAll(
        owner,
        times(11, (n) => ({ content: `entry ${n}`, tags: ["t"] })),
      );
      let added = 0;
      for (const filter of [{}, { tag: "t" }, { kind: "episodic" as const }]) {
        const pages = await allPages(
          (cursor) => owner.listRecent({ n: 3, ...filter, ...cursor }),
          () => owner.capture(`added ${added++}`),
        );
        const seen = idsOf(pages.flatMap((page) => page.entries));
        expect(new Set(seen).size).toBe(seen.length);
        expect(ids.filter((id) => !seen.includes(id))).toEqual([]);
      }
    });

    it("[LST-3] a cursor that the method did not give is invalid_input", async () => {
      const { owner } = await open();
      const ids = await capturedAll(
        owner,
        times(3, (n) => ({ content: `entry ${n}` })),
      );
      const id = ids[0] ?? "";
      for (const other of ids.slice(1)) await owner.link(id, other, "relates_to");
      const { next } = await owner.listRecent({ n: 1 });
      const { next: edgeNext } = await owner.connections(id, { n: 1 });
      const strangers = ["x", "bm90IGpzb24=", "W10=", `${next}A`, "%", "東"];
      for (const cursor of [...strangers, edgeNext ?? ""]) {
        expect(await refusal(owner.listRecent({ cursor }))).toMatchObject({
          code: "invalid_input",
          details: { path: "options.cursor" },
        });
      }
      for (const cursor of [...strangers, next ?? ""]) {
        const refusals = [
          await refusal(owner.history(id, { cursor })),
          await refusal(owner.connections(id, { cursor })),
        ];
        expect(refusals.map((each) => each.code)).toEqual(["invalid_input", "invalid_input"]);
      }
    });
  });
}
