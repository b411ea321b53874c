import { describe, expect, it } from "vitest";
import { ERROR_CODES } from "../../contracts/index.ts";
import type { MiniSphereApi } from "../../contracts/index.ts";
import type { Open, Refusal } from "./suite.ts";
import { callAny, entries, refusals } from "./writes-support.ts";

export function registerRefusalTests(open: Open): void {
  describe("refusals", () => {
    it("[ERR-1][ERR-3] carry code and details of their own, and one sentence without content", async () => {
      const { owner } = await open();
      for (const error of await oneOfEachKind(owner)) {
        expect(Object.hasOwn(error, "code") && Object.hasOwn(error, "details")).toBe(true);
        expect(ERROR_CODES).toContain(error.code);
        expect(error).toBeInstanceOf(Error);
        expect(error.message).toMatch(/^[^\n]+\.$/);
        expect(error.message).not.toMatch(/[.!?] +[A-Z]/);
        expect(JSON.parse(JSON.stringify(error.details))).toEqual(error.details);
        expect(JSON.stringify(error.details) + error.message).not.toContain("kingfisher");
      }
    });
  });
}

/** Refusals of every code that one owner can meet, from calls that hold the word kingfisher as content. */
async function oneOfEachKind(owner: MiniSphereApi): Promise<Refusal[]> {
  const [a = "", b = ""] = await entries(owner, 2);
  const taken = await owner.capture("kingfisher");
  const large = await owner.capture("kingfisher ".repeat(45_000));
  const tags = Array.from({ length: 64 }, (_, index) => `t${index}`);
  await owner.update(a, null, { tags });
  await owner.capture("kingfisher, expired", { expiresAt: 1 });
  const expired = await owner.capture("kingfisher, expired");
  await owner.link(a, b, "follows");
  await owner.link(a, b, "supersedes");
  return refusals([
    owner.capture("kingfisher".repeat(110_000)),
    owner.capture("kingfisher\0"),
    owner.capture("kingfisher", { claimTag: "VERIFIED" }),
    callAny(owner, "capture", ["kingfisher", { colour: "blue" }]),
    owner.captureMany([
      { content: "kingfisher, once more", links: [{ type: "follows", dst: "x" }] },
    ]),
    owner.getEntry("kingfisher".slice(0, 4)),
    owner.update(a, "kingfisher"),
    owner.update(a, null, { ifRevision: 7 }),
    owner.update(a, null, { kind: "semantic" }),
    owner.update(a, "kingfisher, changed", { claimTag: "VERIFIED" }),
    owner.append(large.id, "kingfisher ".repeat(1_000)),
    owner.append(a, "kingfisher", { tags: ["one too many"] }),
    owner.capture("entry 0", { tags: ["one too many"] }),
    owner.setStatus(expired.id, "canonical"),
    owner.link(a, a, "relates_to"),
    owner.link(b, a, "supersedes"),
    owner.link(taken.id, a, "about_person"),
    owner.listRecent({ cursor: "kingfisher" }),
  ]);
}
