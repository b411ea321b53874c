import { describe, expect, it } from "vitest";
import { refusal } from "./suite.ts";
import type { Open, Refusal } from "./suite.ts";
import { refusals } from "./writes-support.ts";

export function registerEvidenceTests(open: Open): void {
  describe("evidence", () => {
    const verified = { claimTag: "VERIFIED", evidenceRef: "page 1" } as const;

    it("[UPD-7] changed text of a VERIFIED entry is INFERRED without new evidence", async () => {
      const { owner } = await open();
      const [a, b, c] = await Promise.all(
        ["a", "b", "c"].map(async (name) => (await owner.capture(name, verified)).id),
      );
      await owner.append(a ?? "", "more");
      await owner.update(b ?? "", "other text");
      await owner.update(c ?? "", "proved text", { evidenceRef: "page 2" });
      expect(await owner.getEntry(a ?? "")).toMatchObject({
        claimTag: "INFERRED",
        evidenceRef: "page 1",
      });
      expect(await owner.getEntry(b ?? "")).toMatchObject({ claimTag: "INFERRED" });
      expect(await owner.getEntry(c ?? "")).toMatchObject({
        claimTag: "VERIFIED",
        evidenceRef: "page 2",
      });
      expect((await owner.history(a ?? "")).revisions[0]?.changes).toEqual({
        claimTag: ["VERIFIED", "INFERRED"],
      });
    });

    it("[UPD-7] other changes, and the same text again, leave it VERIFIED", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("tree", verified);
      await owner.update(id, "tree");
      await owner.update(id, null, { tags: ["a"], importance: 1 });
      await owner.setStatus(id, "canonical");
      expect(await owner.getEntry(id)).toMatchObject(verified);
    });

    it("[UPD-8] VERIFIED needs evidence: the entry's own only while its text stays", async () => {
      const { owner } = await open();
      const bare = (await owner.capture("bare")).id;
      const proved = (await owner.capture("proved", { evidenceRef: "page 1" })).id;
      const refused = [
        owner.update(bare, null, { claimTag: "VERIFIED" }),
        owner.append(bare, "more", { claimTag: "VERIFIED" }),
        owner.update(proved, "new text", { claimTag: "VERIFIED" }),
        owner.append(proved, "new text", { claimTag: "VERIFIED" }),
        owner.update(proved, null, { claimTag: "VERIFIED", evidenceRef: null }),
      ];
      for (const error of await refusals(refused)) expectNoEvidence(error);
      expect(await owner.getEntry(bare)).toMatchObject({ revision: 1, claimTag: "UNKNOWN" });
      await owner.update(proved, null, { claimTag: "VERIFIED" });
      expect(await owner.getEntry(proved)).toMatchObject(verified);
      await owner.append(bare, "more", verified);
      expect(await owner.getEntry(bare)).toMatchObject(verified);
    });

    it("[UPD-8] the evidence of a VERIFIED entry is cleared only with another claim tag", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("tree", verified);
      expectNoEvidence(await refusal(owner.update(id, null, { evidenceRef: null })));
      expect(await owner.getEntry(id)).toMatchObject({ ...verified, revision: 1 });
      await owner.update(id, null, { evidenceRef: null, claimTag: "UNKNOWN" });
      expect(await owner.getEntry(id)).toMatchObject({ claimTag: "UNKNOWN", evidenceRef: null });
    });

    it("[EVD-1] [CAP-13] what derives from others cannot claim more than the weakest of them", async () => {
      const { owner } = await open();
      const sure = (await owner.capture("measured", verified)).id;
      const guess = (await owner.capture("guessed", { claimTag: "INFERRED" })).id;
      const refused = await refusal(
        owner.capture("concluded", { ...verified, derivedFrom: [sure, guess] }),
      );
      expect(refused).toMatchObject({
        code: "conflict",
        details: { claimTag: "INFERRED", grounds: [guess] },
      });
      expect(refused.message).toContain(
        `make ${guess} current and VERIFIED first, or claim INFERRED.`,
      );
      expect((await owner.getCount()).toString()).toBe("2");
      const options = { claimTag: "INFERRED" as const, derivedFrom: [sure, guess] };
      const { id } = await owner.capture("concluded", options);
      const { edges } = await owner.connections(id, { direction: "out" });
      expect(edges.map(({ type, dst }) => [type, dst]).sort()).toEqual(
        [sure, guess].sort().map((dst) => ["caused_by", dst]),
      );
      expect(await owner.getEntry(id)).not.toHaveProperty("effectiveClaim");
    });

    it("[EVD-1] no later write gets around it: link, update, append, or a capture that names its effect", async () => {
      const { owner } = await open();
      const guess = (await owner.capture("guessed")).id;
      const proved = (await owner.capture("proved", { ...verified, kind: "semantic" })).id;
      const rests = (await owner.capture("rests", { derivedFrom: [guess] })).id;
      const calls = [
        owner.link(proved, guess, "caused_by"),
        owner.link(proved, guess, "document_of"),
        owner.capture("the cause", { links: [{ type: "caused_by", src: proved }] }),
        owner.capture("proved", { derivedFrom: [guess] }),
        owner.update(rests, null, verified),
        owner.append(rests, "and more", verified),
      ];
      for (const error of await refusals(calls)) {
        expect(error).toMatchObject({ code: "conflict", details: { claimTag: "UNKNOWN" } });
      }
      expect((await owner.connections(proved)).edges).toEqual([]);
      expect(await owner.getEntry(rests)).toMatchObject({ revision: 1, claimTag: "UNKNOWN" });
      await owner.update(guess, null, verified);
      await owner.update(rests, null, verified);
      await owner.link(proved, guess, "caused_by");
    });

    it("[EVD-2] [EVD-3] a change of the ground shows at once, in entries, hits and the brief, and so does its undoing", async () => {
      const { owner } = await open();
      const ground = (await owner.capture("a wombat was seen", verified)).id;
      const options = { ...verified, derivedFrom: [ground] };
      const middle = (await owner.capture("numbat one", options)).id;
      const far = (
        await owner.capture("numbat two", { ...verified, tags: ["handoff"], derivedFrom: [middle] })
      ).id;
      const worth = async () => {
        const { hits } = await owner.recall("numbat", { hops: 0 });
        const { handoffs, evidence } = await owner.getBrief();
        const item = handoffs.find(({ id }) => id === far);
        const entry = await owner.getEntry(far);
        expect(entry.claimTag).toBe("VERIFIED");
        const claims = [...hits, entry, item].map((each) => each?.effectiveClaim ?? each?.claimTag);
        expect(new Set(claims).size).toBe(1);
        const lower = claims[0] !== "VERIFIED";
        for (const each of [...hits, entry]) {
          expect(each.restsOnWeaker?.includes(ground) ?? false).toBe(lower);
        }
        expect(evidence.weakened).toBe(lower ? 1 : 0);
        expect(evidence.brief[claims[0] ?? "UNKNOWN"]).toBe(1);
        return claims[0];
      };
      expect(await worth()).toBe("VERIFIED");
      await owner.append(ground, "or was it?");
      expect(await worth()).toBe("INFERRED");
      await owner.update(ground, null, verified);
      expect(await worth()).toBe("VERIFIED");
      await owner.setStatus(ground, "deprecated");
      expect(await worth()).toBe("UNKNOWN");
      await owner.setStatus(ground, "draft");
      expect(await worth()).toBe("VERIFIED");
      const newer = (
        await owner.capture("it was a dog", { links: [{ type: "supersedes", dst: ground }] })
      ).id;
      expect(await worth()).toBe("UNKNOWN");
      await owner.unlink(newer, ground, "supersedes");
      await owner.update(ground, null, { expiresAt: 1 });
      expect(await worth()).toBe("UNKNOWN");
      await owner.forget(ground);
      expect(await worth()).toBe("VERIFIED");
    });

    it("[EVD-4] a contributor cannot lower what another's entry is worth", async () => {
      const { owner, as } = await open();
      const contributor = await as("contributor");
      const rule = (await owner.capture("rule", { ...verified, kind: "semantic" })).id;
      const mine = (await contributor.capture("mine", { ...verified, kind: "semantic" })).id;
      const calls = [
        contributor.link(rule, mine, "caused_by"),
        contributor.link(rule, mine, "document_of"),
        contributor.capture("other", { ...verified, links: [{ type: "caused_by", src: rule }] }),
        contributor.capture("rule", { derivedFrom: [mine] }),
      ];
      for (const error of await refusals(calls)) expect(error.code).toBe("forbidden");
      await contributor.link(mine, rule, "document_of");
      expect((await owner.connections(rule)).edges).toHaveLength(1);
    });
  });
}

function expectNoEvidence(error: Refusal): void {
  expect(error).toMatchObject({
    code: "invalid_input",
    details: { path: "options.evidenceRef" },
  });
}
