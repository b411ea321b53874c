import { describe, expect, it } from "vitest";
import type { MiniSphereApi } from "../../contracts/index.ts";
import { captured, capturedAll, recalledIds, times } from "./reads-support.ts";
import { refusal } from "./suite.ts";
import type { Open } from "./suite.ts";

export function registerRecallReads(open: Open): void {
  describe("what a query matches", () => {
    it("[REC-1] answers with at most topK hits, 10 by default, and no degraded arm", async () => {
      const { owner } = await open();
      await capturedAll(
        owner,
        times(60, (n) => ({ content: `lantern ${n}` })),
      );
      const { hits, degraded, queryUsed } = await owner.recall("lantern");
      expect(hits).toHaveLength(10);
      expect(degraded).toEqual([]);
      expect(queryUsed).toBe("lantern");
      for (const topK of [1, 7, 50]) {
        expect(await recalledIds(owner, "lantern", { topK })).toHaveLength(topK);
      }
    });

    it("[REC-1] takes a blank query and one of 2,000 characters", async () => {
      const { owner } = await open();
      const id = await captured(owner, "lantern");
      for (const blank of ["", " ", "\n\t"]) {
        expect(await owner.recall(blank)).toMatchObject({ hits: [], reason: "no_terms" });
      }
      const long = `${"filler ".repeat(284)}    lantern`;
      expect(long).toHaveLength(1_999);
      expect(await recalledIds(owner, long)).toEqual([id]);
      expect(await refusal(owner.recall("x".repeat(2_001)))).toMatchObject({
        code: "invalid_input",
        details: { path: "query" },
      });
    });

    it("[REC-2] finds what holds any of the terms: a 12-word question that shares two", async () => {
      const { owner } = await open();
      const [id = ""] = await capturedAll(owner, [
        { content: "Billing exports run on the kestrel cluster" },
        ...times(20, (n) => ({ content: `Unrelated memo ${n}` })),
      ]);
      const question =
        "could somebody explain which machine handles nightly billing exports inside our company";
      expect(question.split(" ")).toHaveLength(12);
      expect(await recalledIds(owner, question)).toEqual([id]);
    });

    it("[REC-2] stop words do not match when other terms remain", async () => {
      const { owner } = await open();
      const [, id = ""] = await capturedAll(owner, [
        { content: "what is the where of this and that" },
        { content: "kestrel" },
      ]);
      expect(await recalledIds(owner, "where is the kestrel")).toEqual([id]);
    });

    it("[REC-2] stop words or symbols only have no hits and say no_terms", async () => {
      const { owner } = await open();
      await owner.capture("what is the where of this and that -- ???");
      for (const query of ["where is the", "??? -- !", "*", '"', "()", "AND OR NOT"]) {
        expect(await owner.recall(query)).toMatchObject({ hits: [], reason: "no_terms" });
      }
    });

    it("[REC-3] a term of more than half of the entries is dropped when rarer ones remain", async () => {
      const { owner } = await open();
      const ids = await capturedAll(owner, [
        ...times(59, (n) => ({ content: `report ${n}` })),
        { content: "zebra report" },
      ]);
      expect(await recalledIds(owner, "zebra report", { hops: 0 })).toEqual([ids.at(-1)]);
      expect(await recalledIds(owner, "report", { topK: 50 })).toHaveLength(50);
    });

    it("[REC-3] in 50 entries or fewer no term is too common", async () => {
      const { owner } = await open();
      await capturedAll(owner, [
        ...times(49, (n) => ({ content: `report ${n}` })),
        { content: "zebra report" },
      ]);
      expect(await recalledIds(owner, "zebra report", { topK: 50 })).toHaveLength(50);
    });

    it("[REC-14] reason tells an empty workspace, no terms, no match and all filtered apart", async () => {
      const { owner } = await open();
      const reason = async (...args: Parameters<MiniSphereApi["recall"]>) => {
        const { hits, reason: why } = await owner.recall(...args);
        expect(hits.length > 0).toBe(why === null);
        return why;
      };
      expect(await reason("lantern")).toBe("empty_workspace");
      await owner.capture("lantern", { kind: "semantic" });
      expect(await reason("of the")).toBe("no_terms");
      expect(await reason("submarine")).toBe("no_match");
      expect(await reason("lantern", { kind: "episodic" })).toBe("all_filtered");
      expect(await reason("lantern", { tag: "unused" })).toBe("all_filtered");
      expect(await reason("lantern")).toBeNull();
    });

    it("[REC-16] no option tunes ranking", async () => {
      const { owner } = await open();
      await owner.capture("lantern");
      for (const option of ["params", "weights", "mmrLambda", "lambda", "rrfK", "k1", "boost"]) {
        const call = owner.recall("lantern", { [option]: 1 } as never);
        expect(await refusal(call)).toMatchObject({
          code: "invalid_input",
          details: { path: `options.${option}` },
        });
      }
    });
  });
}
