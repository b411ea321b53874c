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
  });
}

function expectNoEvidence(error: Refusal): void {
  expect(error).toMatchObject({
    code: "invalid_input",
    details: { path: "options.evidenceRef" },
  });
}
