import { describe, expect, it } from "vitest";
import { allPages, captured, capturedAll, idsOf, times } from "./reads-support.ts";
import { refusal } from "./suite.ts";
import type { Open } from "./suite.ts";

export function registerConnectionReads(open: Open): void {
  describe("history", () => {
    it("[HIS-1] a new entry has none", async () => {
      const { owner } = await open();
      const id = await captured(owner, "fresh");
      expect(await owner.history(id)).toEqual({ revisions: [], next: null });
    });

    it("[HIS-1] tells each change, newest first: what, from, to, the text before, why, who, when", async () => {
      const { owner } = await open();
      const before = Date.now();
      const id = await captured(owner, "first text", { tags: ["a"] });
      await owner.update(id, "second text");
      await owner.update(id, null, { tags: ["b"], importance: 3 });
      await owner.setStatus(id, "deprecated", { reason: "superseded by practice" });
      const { revisions } = await owner.history(id);
      const common = { actor: expect.any(String), at: expect.any(Number), truncated: false };
      expect(revisions).toEqual([
        {
          ...common,
          revision: 4,
          changes: { status: ["draft", "deprecated"] },
          content: null,
          reason: "superseded by practice",
        },
        {
          ...common,
          revision: 3,
          changes: { tags: [["a"], ["b"]], importance: [0, 3] },
          content: null,
          reason: null,
        },
        { ...common, revision: 2, changes: {}, content: "first text", reason: null },
      ]);
      expect(revisions.every((each) => each.at >= before && each.actor !== "")).toBe(true);
    });

    it("[HIS-1] cuts the text before at 400 characters and says so", async () => {
      const { owner } = await open();
      const id = await captured(owner, `${"x".repeat(399)}😀`);
      await owner.update(id, "short");
      await owner.update(id, "shorter");
      const { revisions } = await owner.history(id);
      expect(revisions.map(({ content, truncated }) => [content, truncated])).toEqual([
        ["short", false],
        ["x".repeat(399), true],
      ]);
    });

    it("[LST-3] pages through each revision once while new ones are added", async () => {
      const { owner } = await open();
      const id = await captured(owner, "text 0");
      for (let n = 1; n <= 7; n++) await owner.update(id, `text ${n}`);
      let more = 7;
      const pages = await allPages(
        (cursor) => owner.history(id, { n: 2, ...cursor }),
        () => owner.update(id, `text ${++more}`),
      );
      const seen = pages.flatMap((page) => page.revisions.map((each) => each.revision));
      expect(seen).toEqual([8, 7, 6, 5, 4, 3, 2]);
    });

    it("[HIS-2] keeps the newest 200 revisions", async () => {
      const { owner } = await open();
      const id = await captured(owner, "text");
      await Promise.all(times(203, (n) => owner.update(id, `text ${n}`)));
      const pages = await allPages((cursor) => owner.history(id, { n: 150, ...cursor }));
      const seen = pages.flatMap((page) => page.revisions.map((each) => each.revision));
      expect(seen).toEqual(times(200, (n) => 204 - n));
    });
  });

  describe("connections", () => {
    it("[CON-1] shows the edges of the entry and the entries at their other ends, each once", async () => {
      const { owner } = await open();
      const [hub = "", cause = "", effect = "", stranger = ""] = await capturedAll(
        owner,
        times(4, (n) => ({ content: `entry ${n}` })),
      );
      await owner.link(hub, cause, "caused_by");
      await owner.link(hub, cause, "follows");
      await owner.link(effect, hub, "caused_by", { weight: 0.9, metadata: { by: "test" } });
      await owner.link(cause, stranger, "relates_to");
      const { edges, entries, next } = await owner.connections(hub);
      expect(edges.map(({ src, dst, type }) => [src, dst, type])).toEqual([
        [effect, hub, "caused_by"],
        [hub, cause, "caused_by"],
        [hub, cause, "follows"],
      ]);
      expect(edges[0]).toMatchObject({ weight: 0.9, metadata: { by: "test" } });
      expect(idsOf(entries).sort()).toEqual([cause, effect].sort());
      expect(next).toBeNull();
    });

    it("[CON-1] narrows to one type and one direction", async () => {
      const { owner } = await open();
      const [hub = "", a = "", b = ""] = await capturedAll(
        owner,
        times(3, (n) => ({ content: `entry ${n}` })),
      );
      await owner.link(hub, a, "caused_by");
      await owner.link(b, hub, "caused_by");
      await owner.link(hub, b, "follows");
      const found = async (options: NonNullable<Parameters<typeof owner.connections>[1]>) => {
        const { edges, entries } = await owner.connections(hub, options);
        return [
          edges.map((edge) => `${edge.type} ${edge.dst === hub ? "in" : "out"}`),
          idsOf(entries),
        ];
      };
      expect(await found({ direction: "out" })).toEqual([
        expect.arrayContaining(["caused_by out", "follows out"]),
        expect.arrayContaining([a, b]),
      ]);
      expect(await found({ direction: "in" })).toEqual([["caused_by in"], [b]]);
      expect(await found({ type: "follows" })).toEqual([["follows out"], [b]]);
      expect(await found({ type: "caused_by", direction: "out" })).toEqual([
        ["caused_by out"],
        [a],
      ]);
      expect(await found({ type: "follows", direction: "in" })).toEqual([[], []]);
    });

    it("[CON-1] keeps one total order, heaviest first, for edges of equal weight too", async () => {
      const { owner } = await open();
      const [hub = "", ...others] = await capturedAll(
        owner,
        times(9, (n) => ({ content: `entry ${n}` })),
      );
      for (const other of others) await owner.link(hub, other, "relates_to");
      for (const other of others) await owner.link(hub, other, "caused_by");
      for (const other of others) await owner.link(other, hub, "caused_by");
      const key = (edge: { src: string; dst: string; type: string }) =>
        `${edge.src} ${edge.dst} ${edge.type}`;
      const whole = (await owner.connections(hub, { n: 200 })).edges.map(key);
      const pages = await allPages(
        (cursor) => owner.connections(hub, { n: 5, ...cursor }),
        () => owner.capture(`noise ${Math.random()}`),
      );
      expect(new Set(whole).size).toBe(24);
      expect(pages.flatMap((page) => page.edges.map(key))).toEqual(whole);
      for (const page of pages) {
        const ends = page.edges.map((edge) => (edge.src === hub ? edge.dst : edge.src));
        expect(idsOf(page.entries).sort()).toEqual([...new Set(ends)].sort());
      }
    });

    it("[LST-3] pages through each edge once while edges are added", async () => {
      const { owner } = await open();
      const [hub = "", ...others] = await capturedAll(
        owner,
        times(20, (n) => ({ content: `entry ${n}` })),
      );
      const first = others.slice(0, 9);
      const later = others.slice(9);
      for (const other of first) await owner.link(hub, other, "caused_by");
      const pages = await allPages(
        (cursor) => owner.connections(hub, { n: 2, ...cursor }),
        () => owner.link(hub, later.pop() ?? "", "caused_by"),
      );
      const seen = pages.flatMap((page) => page.edges.map((edge) => edge.dst));
      expect(new Set(seen).size).toBe(seen.length);
      expect(first.filter((id) => !seen.includes(id))).toEqual([]);
    });

    it("[CON-2] shows inactive neighbours, flagged", async () => {
      const { owner } = await open();
      const [hub = "", gone = "", replaced = "", head = ""] = await capturedAll(
        owner,
        times(4, (n) => ({ content: `entry ${n}` })),
      );
      await owner.setStatus(gone, "deprecated");
      await owner.link(head, replaced, "supersedes");
      await owner.link(hub, gone, "relates_to");
      await owner.link(hub, replaced, "relates_to");
      const { entries } = await owner.connections(hub);
      const flags = Object.fromEntries(
        entries.map(({ id, status, superseded }) => [id, [status, superseded]]),
      );
      expect(flags).toEqual({ [gone]: ["deprecated", false], [replaced]: ["draft", true] });
    });

    it("[CON-1] an unknown id is not_found", async () => {
      const { owner } = await open();
      expect(await refusal(owner.connections("00000000"))).toMatchObject({ code: "not_found" });
    });
  });
}
