import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MiniSphereApi } from "../../contracts/index.ts";
import { refusal } from "./suite.ts";
import type { Open } from "./suite.ts";
import { entries } from "./writes-support.ts";

/** Ids, contents and times, as arguments of any method. */
export function registerValueTests(open: Open): void {
  describe("ids", () => {
    it.each([
      "00000000",
      "ABCDEF01",
      "not an id",
      "x".repeat(64),
      "'; DROP TABLE entries; --",
      "🦆",
    ])("[INP-4] %j names no entry, and is not_found everywhere", async (unknown) => {
      const { owner } = await open();
      const [a = ""] = await entries(owner, 1);
      const calls = [
        () => owner.getEntry(unknown),
        () => owner.history(unknown),
        () => owner.connections(unknown),
        () => owner.graphView({ seedIds: [a, unknown] }),
        () => owner.append(unknown, "more"),
        () => owner.update(unknown, "other"),
        () => owner.update(unknown, null, { importance: 1 }),
        () => owner.setStatus(unknown, "canonical"),
        () => owner.forget(unknown),
        () => owner.link(a, unknown, "relates_to"),
        () => owner.link(unknown, a, "follows"),
        () => owner.unlink(a, unknown, "relates_to"),
        () => owner.unlink(unknown, a, "relates_to"),
        () => owner.capture("new", { links: [{ type: "relates_to", dst: unknown }] }),
        () => owner.capture("new", { links: [{ type: "relates_to", src: unknown }] }),
        () =>
          owner.captureMany([{ content: "new", links: [{ type: "relates_to", dst: unknown }] }]),
      ];
      for (const call of calls) {
        expect(await refusal(call())).toMatchObject({
          code: "not_found",
          details: { id: unknown },
        });
      }
      expect(await owner.getCount()).toBe(1);
    });

    it("[INP-4] every id that a method returns is accepted by every other method", async () => {
      const { owner } = await open();
      for (const id of await idsFromEveryMethod(owner)) {
        await owner.getEntry(id);
        await owner.history(id);
        await owner.connections(id);
        await owner.graphView({ seedIds: [id] });
        const other = await owner.capture(`other of ${id}`, {
          links: [{ type: "caused_by", dst: id }],
        });
        await owner.append(id, `appended to ${id}`);
        await owner.update(id, `updated ${id}`);
        await owner.setStatus(id, "canonical");
        await owner.link(id, other.id, "relates_to");
        expect(await owner.unlink(id, other.id, "relates_to")).toEqual({ removed: true });
        expect((await owner.forget(id)).id).toBe(id);
      }
    });
  });

  describe("content", () => {
    it("[INP-5] is kept byte for byte", async () => {
      const { owner } = await open();
      const text = fc
        .string({ unit: "binary", minLength: 1, maxLength: 200 })
        .filter((each) => !each.includes("\0"));
      await fc.assert(
        fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 20 }), async (contents) => {
          const { results } = await owner.captureMany(contents.map((content) => ({ content })));
          const kept = await Promise.all(results.map(({ id }) => owner.getEntry(id)));
          expect(kept.map((entry) => entry.content)).toEqual(contents);
        }),
        { numRuns: 10 },
      );
    });

    it.each([
      " ",
      "\n\n\t ",
      "\ufeff",
      "\ufeffwith a mark",
      "a\r\nb\r",
      "e\u0301",
      "🦆",
      "\u200b",
      "C++",
    ])("[INP-5] %j is legal and not normalised", async (content) => {
      const { owner } = await open();
      const { id } = await owner.capture(content);
      expect((await owner.getEntry(id)).content).toBe(content);
      await owner.update(id, "something else");
      await owner.update(id, content);
      expect((await owner.getEntry(id)).content).toBe(content);
    });
  });

  describe("times", () => {
    it("[INP-6] since and until are inclusive at both ends, and until before since is refused", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("heron", { occurredAt: 5_000 });
      const found = async (options: { since?: number; until?: number }) =>
        (await owner.recall("heron", options)).hits.map((hit) => hit.id);
      expect(await found({ since: 5_000, until: 5_000 })).toEqual([id]);
      expect(await found({ since: 5_000 })).toEqual([id]);
      expect(await found({ until: 5_000 })).toEqual([id]);
      expect(await found({ since: 5_001 })).toEqual([]);
      expect(await found({ until: 4_999 })).toEqual([]);
      expect(await refusal(owner.recall("heron", { since: 5_000, until: 4_999 }))).toMatchObject({
        code: "invalid_input",
        details: { path: "options.until" },
      });
    });
  });
}

async function idsFromEveryMethod(owner: MiniSphereApi): Promise<Set<string>> {
  const captured = await owner.capture("a heron stands", {
    kind: "instruction",
    status: "canonical",
  });
  const { results } = await owner.captureMany([{ content: "a heron flies", tags: ["handoff"] }]);
  const { edge } = await owner.link(captured.id, results[0]?.id ?? "", "relates_to");
  const brief = await owner.getBrief({ objective: "heron" });
  const graph = await owner.graphView();
  const recent = await owner.listRecent();
  const { hits } = await owner.recall("heron");
  const { entries: neighbours } = await owner.connections(captured.id);
  const named = [captured, ...results, ...recent.entries, ...hits, ...neighbours, ...graph.nodes];
  const quoted = [brief.instructions, brief.handoffs, brief.changes.newest].flat();
  const ids = new Set([...named, ...quoted].map((each) => each.id));
  for (const end of [edge.src, edge.dst]) ids.add(end);
  return ids;
}
