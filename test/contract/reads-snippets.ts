import { describe, expect, it } from "vitest";
import { captured, capturedAll, hitOf, times } from "./reads-support.ts";
import type { Open } from "./suite.ts";

const words = (count: number, word = "filler") => `${word} `.repeat(count);

export function registerSnippetReads(open: Open): void {
  describe("snippets", () => {
    it("[REC-13] two hits carry 4,000 characters, the others 400, until 12,000 are spent", async () => {
      const { owner } = await open();
      await capturedAll(
        owner,
        times(30, (n) => ({ content: `lantern ${n} ${words(1_500, `word${n}`)}` })),
      );
      const { hits } = await owner.recall("lantern", { topK: 30 });
      const lengths = hits.map((hit) => hit.content.length);
      expect(lengths.slice(0, 2).every((length) => length > 3_500 && length <= 4_000)).toBe(true);
      expect(Math.max(...lengths.slice(2))).toBeLessThanOrEqual(400);
      expect(Math.min(...lengths.slice(2, 11))).toBeGreaterThan(350);
      const total = lengths.reduce((sum, length) => sum + length, 0);
      expect(total).toBeLessThanOrEqual(12_000);
      expect(total).toBeGreaterThan(11_500);
      expect(lengths.at(-1)).toBe(0);
      expect(hits.every((hit) => hit.truncated)).toBe(true);
    });

    it("[REC-13] short hits are whole and not truncated", async () => {
      const { owner } = await open();
      const content = `lantern ${"é".repeat(300)}`;
      const id = await captured(owner, content);
      expect(await hitOf(owner, id, "lantern")).toMatchObject({ content, truncated: false });
    });

    it("[REC-13] neighbours and long notes come out of the same budget", async () => {
      const { owner } = await open();
      const old = await capturedAll(
        owner,
        times(200, (n) => ({ content: `quokka ${n}` })),
      );
      const links = (from: number) =>
        old.slice(from, from + 64).map((dst) => ({ type: "supersedes" as const, dst }));
      const head = await captured(owner, `head ${words(2_000, "housing")}`, { links: links(0) });
      for (const { dst } of [...links(64), ...links(128), ...links(192)]) {
        await owner.link(head, dst, "supersedes");
      }
      for (let n = 0; n < 8; n++) {
        const near = await captured(owner, `near ${n} ${words(2_000, "nearby")}`);
        await owner.link(head, near, "caused_by", { weight: 1 });
      }
      const { hits } = await owner.recall("quokka", { topK: 50 });
      expect(hits.length).toBeGreaterThan(5);
      expect(hits[0]?.supersedes?.length).toBe(50);
      const spent = hits.map(({ content, supersedes, via }) => {
        const notes = JSON.stringify({ supersedes, via });
        return content.length + notes.length - 2;
      });
      expect(spent.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(12_000);
      expect(hits[0]?.content.length).toBeGreaterThan(3_500);
    });

    it("[REC-13] full lifts the budget to 1,000,000 characters in all", async () => {
      const { owner } = await open();
      const contents = times(3, (n) =>
        `lantern ${n} ${words(90_000, `w${n}rd`)}`.slice(0, 400_000),
      );
      await capturedAll(
        owner,
        contents.map((content) => ({ content })),
      );
      const { hits } = await owner.recall("lantern", { full: true });
      expect(hits.map((hit) => hit.truncated)).toEqual([false, false, true]);
      expect(contents).toContain(hits[0]?.content);
      const total = hits.reduce((sum, hit) => sum + hit.content.length, 0);
      expect(total).toBeLessThanOrEqual(1_000_000);
      expect(total).toBeGreaterThan(990_000);
    });

    it("[REC-17] show the matched word, at character 50,000 and at 400,000", async () => {
      const { owner } = await open();
      for (const [at, word] of [
        [50_000, "quokka"],
        [400_000, "numbat"],
      ] as const) {
        const before = words(80_000, "abc de").slice(0, at - 1);
        const id = await captured(owner, `${before} ${word} ${words(200, "after")}`);
        const hit = await hitOf(owner, id, `where does the ${word} live`);
        expect(hit.content).toContain(word);
        expect(hit.content.length).toBeLessThanOrEqual(4_000);
        expect(hit.truncated).toBe(true);
      }
    });

    it("[REC-17] show the window that holds most of the terms, in the short form too", async () => {
      const { owner } = await open();
      await capturedAll(
        owner,
        times(6, (n) => ({
          content: `${words(700)} quokka ${n} ${words(700)} quokka eats numbat ${words(700)}`,
        })),
      );
      const { hits } = await owner.recall("quokka numbat");
      expect(hits).toHaveLength(6);
      expect(hits.filter((hit) => hit.content.length > 400)).toHaveLength(2);
      for (const hit of hits) expect(hit.content).toContain("quokka eats numbat");
    });

    it("[REC-17] show a word that was found by its stem", async () => {
      const { owner } = await open();
      const id = await captured(owner, `${words(2_000)} three quokkas migrated ${words(2_000)}`);
      expect((await hitOf(owner, id, "quokka migrating")).content).toContain("quokkas migrated");
    });

    it("[REC-17] cut neither a surrogate pair nor a grapheme", async () => {
      const { owner } = await open();
      const clusters = ["👩‍👩‍👧‍👦", "🇫🇮", "é̃", "각", "👍🏽", "\r\n", "क्षि", "😀"];
      const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });
      for (let shift = 0; shift < 12; shift++) {
        const noise = (seed: number) =>
          times(800, (n) => clusters[(n * 7 + seed) % clusters.length]).join("");
        const content = `${"x".repeat(shift)}${noise(shift)} quokka${shift} ${noise(shift + 3)}`;
        const id = await captured(owner, content);
        const hit = await hitOf(owner, id, `quokka${shift}`);
        const start = content.indexOf(hit.content);
        const edges = new Set([...segmenter.segment(content)].map(({ index }) => index));
        edges.add(content.length);
        expect(hit.content).toContain(`quokka${shift}`);
        expect(hit.truncated).toBe(true);
        expect(start).toBeGreaterThan(0);
        expect(edges.has(start)).toBe(true);
        expect(edges.has(start + hit.content.length)).toBe(true);
      }
    });
  });
}
