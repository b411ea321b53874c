import { describe, expect, it } from "vitest";
import {
  captured,
  capturedAll,
  daysAgo,
  factorsOf,
  hitOf,
  recalledIds,
  times,
} from "./reads-support.ts";
import type { Open } from "./suite.ts";

export function registerQueryWordReads(open: Open): void {
  describe("quoted phrases", () => {
    it("[REC-23] lift the entry that holds the words adjacent and in order, and exclude none", async () => {
      const { owner } = await open();
      const [apart = "", turned = "", held = "", one = ""] = await capturedAll(owner, [
        { content: "a plan of the release, and the plan after that release" },
        { content: "plan release" },
        { content: "we put the migration into the release plan and told everyone about it twice" },
        { content: "release" },
      ]);
      const query = (text: string) => recalledIds(owner, text, { observe: true });
      for (const phrase of ['"release plan"', "“Release Plan”", "«release plan»"]) {
        const found = await query(phrase);
        expect(found[0]).toBe(held);
        expect(found.sort()).toEqual([apart, turned, held, one].sort());
      }
      expect((await query("release plan"))[0]).not.toBe(held);
    });

    it("[REC-23] explain themselves among the matched terms", async () => {
      const { owner } = await open();
      const id = await captured(owner, "the Release Plan stands");
      const { why } = await hitOf(owner, id, '"release plan"', { explain: true });
      expect(why?.matchedTerms).toContain("release plan");
    });

    it("[REC-23] find the phrase among hundreds that hold its words", async () => {
      const { owner } = await open();
      const others = times(400, (n) => ({
        content: `plan ${n}, then release: release and plan, plan`,
      }));
      const ids = await capturedAll(owner, [
        ...others.slice(0, 200),
        { content: `${"a long tale of other things ".repeat(40)} our release plan for the port` },
        ...others.slice(200),
      ]);
      expect((await recalledIds(owner, '"release plan"'))[0]).toBe(ids[200]);
    });

    it("[REC-23] that no entry holds starve nothing, in words of every entry too", async () => {
      const { owner } = await open();
      const ids = await capturedAll(
        owner,
        times(60, (n) => ({ content: `plan ${n} of the release` })),
      );
      const found = await recalledIds(owner, '"release plan"', { topK: 50 });
      expect(found).toHaveLength(50);
      expect(found.every((id) => ids.includes(id))).toBe(true);
    });

    it("[REC-23] are found and shown at character 400,000", async () => {
      const { owner } = await open();
      const content = `${"release the plan. ".repeat(22_222)}our release plan stands.`;
      expect(content.length).toBeGreaterThan(400_000);
      const [id = "", other = ""] = await capturedAll(owner, [
        { content },
        { content: content.replace("release plan", "plan release") },
      ]);
      const score = async (each: string) =>
        (await hitOf(owner, each, '"release plan"', { observe: true })).score;
      expect((await hitOf(owner, id, '"release plan"')).content).toContain("release plan");
      expect(await score(id)).toBeGreaterThan(await score(other));
    });

    it("[REC-23] name no time and no wish, and a quote without its partner is plain text", async () => {
      const { owner } = await open();
      const id = await captured(owner, "she said last week and the latest news");
      const quoted = await owner.recall('"last week"');
      expect([quoted.window, quoted.queryUsed]).toEqual([null, '"last week"']);
      expect(await recalledIds(owner, '"latest news')).toEqual([id]);
    });
  });

  describe("identifiers", () => {
    const cases: readonly [query: string, whole: string, parts: string[]][] = [
      [
        "v1.2.3",
        "After a long discussion we pinned the runtime to v1.2.3 because of the crash",
        ["v1 v1 2 2 3 3 v1.2", "v1.2.4 and 1.2.2", "2.3"],
      ],
      [
        "src/a/b.ts",
        "The retry loop with the odd constant lives in src/a/b.ts next to the timer",
        ["src b.ts: src, b.ts", "src/b/a.ts", "lib/a/b.ts b.ts b.ts"],
      ],
      [
        "runStalenessPass",
        "The scheduler calls runStalenessPass for each workspace that is due by then",
        ["run staleness pass, run staleness pass", "staleness pass", "run the pass; pass, run"],
      ],
      [
        "where is max_retry_count?",
        "The loader reads its settings, and max_retry_count comes from the environment",
        ["max retry count: retry max, count max", "retry_count", "max count set"],
      ],
      [
        "#1234",
        "The flaky socket test that we chased all of Monday is fixed by #1234",
        ["1234 1234 1234", "1234 sockets", "socket 1234, 1234"],
      ],
      [
        "jane.doe@example.com",
        "The invoices of the hosting company go to jane.doe@example.com since last spring",
        ["jane doe example com jane doe", "jane@example.com", "john.doe@example.com"],
      ],
    ];
    for (const [query, whole, parts] of cases) {
      it(`[REC-24] held whole come first: ${query}`, async () => {
        const { owner } = await open();
        const other = times(20, (n) => `another note, number ${n}, about something else entirely`);
        const long = `${other.slice(0, 6).join(". ")}.\n${whole}.`;
        const ids = await capturedAll(
          owner,
          [long, ...parts, ...other].map((content) => ({ content })),
        );
        const found = await recalledIds(owner, query, { topK: 50 });
        expect(found[0]).toBe(ids[0]);
        expect(ids.slice(1, 4).filter((id) => !found.includes(id))).toEqual([]);
      });
    }

    it("[REC-24] held whole by none are still found by their parts", async () => {
      const { owner } = await open();
      const id = await captured(owner, "the staleness pass");
      expect(await recalledIds(owner, "runStalenessPass")).toEqual([id]);
    });
  });

  describe("a wish for the newest", () => {
    it("[RWR-7] gives recency more weight, within the clamp, and leaves the searched text", async () => {
      const { owner } = await open();
      const [old = ""] = await capturedAll(owner, [
        { content: "lantern owner: Ann", occurredAt: daysAgo(60) },
        { content: "lantern owner: Bob", occurredAt: daysAgo(1) },
      ]);
      const plain = await factorsOf(owner, old, "lantern owner");
      const wish = await factorsOf(owner, old, "what is the current lantern owner");
      expect(wish.recency).toBeLessThan(plain.recency);
      const { queryUsed } = await owner.recall("what is the current lantern owner");
      expect(queryUsed).toBe("what is the lantern owner");
    });

    it("[RWR-7] puts a newer entry before an older one that says a little more of it", async () => {
      const { owner } = await open();
      const durable = { volatility: "durable" } as const;
      const [old = "", fresh = ""] = await capturedAll(owner, [
        { content: "lantern owner Ann, lantern owner", occurredAt: daysAgo(400), ...durable },
        { content: "lantern owner is Bob", occurredAt: daysAgo(1), ...durable },
      ]);
      const ids = (query: string) => recalledIds(owner, query, { observe: true });
      expect(await ids("lantern owner")).toEqual([old, fresh]);
      expect(await ids("latest lantern owner")).toEqual([fresh, old]);
    });

    it("[RWR-7] is undone by no number of recalls", async () => {
      const { owner } = await open();
      const id = await captured(owner, "lantern", { occurredAt: daysAgo(60) });
      const before = await factorsOf(owner, id, "latest lantern");
      for (let n = 0; n < 5; n++) await owner.recall("lantern");
      expect((await factorsOf(owner, id, "latest lantern")).recency).toBeCloseTo(before.recency, 6);
    });

    it("[RWR-7] is not read into a question about the past", async () => {
      const { owner } = await open();
      const id = await captured(owner, "lantern", { occurredAt: daysAgo(60) });
      const query = "when was the latest lantern bought";
      expect((await factorsOf(owner, id, query)).recency).toBe(1);
      expect((await owner.recall(query)).queryUsed).toBe(query);
    });
  });
}
