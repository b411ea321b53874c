import { describe, expect, it } from "vitest";
import { errorOf, inSphere } from "../support/sphere.ts";

describe("a full database", () => {
  it("[LIM-2] refuses what would make it grow, and nothing else", async () => {
    await inSphere(({ owner, wake, storage }) => {
      const a = owner.capture("a heron", { tags: ["bird"] }).id;
      const b = owner.capture("b").id;
      owner.link(a, b, "follows");
      const maxDatabaseBytes = storage.sql.databaseSize;
      const full = wake({ maxDatabaseBytes });
      const growing = [
        () => full.capture("c"),
        () => full.captureMany([{ content: "c" }]),
        () => full.append(a, "more"),
        () => full.update(a, "other"),
        () => full.link(b, a, "follows"),
      ];
      for (const write of growing) {
        expect(errorOf(write)).toMatchObject({
          code: "limit_exceeded",
          details: { maxDatabaseBytes },
        });
      }
      expect(full.recall("heron", { hops: 0 }).hits).toHaveLength(1);
      expect(full.setStatus(a, "canonical").revision).toBe(2);
      expect(full.unlink(a, b, "follows")).toEqual({ removed: true });
      expect(full.runStalenessPass().flagged).toBe(0);
      expect(full.forget(a).removed.tags).toBe(1);
      expect(full.getCount()).toBe(1);
    });
  });

  it("[LIM-2] takes writes again when its limit is raised", async () => {
    await inSphere(({ owner, wake, storage }) => {
      owner.capture("a");
      const { databaseSize } = storage.sql;
      expect(errorOf(() => wake({ maxDatabaseBytes: databaseSize }).capture("b")).code).toBe(
        "limit_exceeded",
      );
      expect(wake({ maxDatabaseBytes: databaseSize + 1 }).capture("b").created).toBe(true);
    });
  });
});
