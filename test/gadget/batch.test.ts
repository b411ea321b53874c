import { describe, expect, it } from "vitest";
import { LIMITS } from "../../contracts/index.ts";
import { expectInvariant } from "../support/invariant.ts";
import { CREDENTIAL } from "../support/credentials.ts";
import { errorOf, inSphere } from "../support/sphere.ts";

describe("batch", () => {
  it("[BAT-1][BAT-3] does writes of every kind in order, with ids of its own captures", () =>
    inSphere(({ owner, storage }) => {
      const old = owner.capture("heron").id;
      const { results } = owner.batch([
        { method: "capture", args: ["$b costs $5"], as: "a" },
        {
          method: "capture",
          args: ["otter", { links: [{ type: "follows", dst: "$a" }] }],
          as: "b",
        },
        { method: "append", args: ["$a", "$a more", { ifRevision: 1 }] },
        { method: "update", args: ["$b", "badger", { ifRevision: 1 }] },
        { method: "setStatus", args: ["$b", "canonical"] },
        { method: "link", args: ["$a", "$b", "caused_by"] },
        { method: "unlink", args: ["$b", "$a", "follows"] },
        { method: "forget", args: [old, { ifRevision: 1 }] },
      ]);
      const ids = results.slice(0, 2).map((each) => ("id" in each ? each.id : ""));
      const [a = "", b = ""] = ids;
      expect(results.slice(2)).toMatchObject([
        { id: a, revision: 2 },
        { id: b, revision: 2 },
        { id: b, revision: 3 },
        { created: true, edge: { src: a, dst: b } },
        { removed: true },
        { id: old },
      ]);
      expect(owner.getEntry(a).content).toBe("$b costs $5\n\n$a more");
      expect(owner.getEntry(b)).toMatchObject({ content: "badger", status: "canonical" });
      expect(owner.recall("badger").hits[0]?.id).toBe(b);
      expect(owner.recall("heron").hits).toEqual([]);
      expect(owner.getCount()).toBe(2);
      expectInvariant(storage);
    }));

  it("[BAT-3] a capture can be derived from one of the same batch", () =>
    inSphere(({ owner }) => {
      const { results } = owner.batch([
        { method: "capture", args: ["otter"], as: "a" },
        { method: "capture", args: ["badger", { derivedFrom: ["$a"] }] },
      ]);
      const [a = "", b = ""] = results.map((each) => ("id" in each ? each.id : ""));
      expect(owner.connections(b).edges).toMatchObject([{ src: b, dst: a, type: "caused_by" }]);
    }));

  it.each([
    ["not_found", { method: "append", args: ["nowhere", "x"] }],
    ["conflict", { method: "forget", args: ["$a", { ifRevision: 7 }] }],
    ["invalid_input", { method: "forget", args: ["$later"] }],
    ["invalid_input", { method: "update", args: ["$a"] }],
  ] as const)("[BAT-2] with one %s writes nothing and names the operation", (code, wrong) =>
    inSphere(({ owner, storage }) => {
      const operations = [
        { method: "capture" as const, args: ["otter"], as: "a" },
        { method: "append" as const, args: ["$a", "more"] },
        { ...wrong, args: [...wrong.args] },
        { method: "capture" as const, args: ["later"], as: "later" },
      ];
      const error = errorOf(() => owner.batch(operations));
      expect(error).toMatchObject({ code, details: { index: 2 } });
      expect(owner.getCount()).toBe(0);
      expect(owner.recall("otter").hits).toEqual([]);
      expectInvariant(storage);
      expect(owner.batch(operations.slice(0, 2)).results).toHaveLength(2);
    }),
  );

  it("[BAT-4] allows each operation by the caller's role", () =>
    inSphere(({ owner, as }) => {
      const { id } = owner.capture("otter");
      const contributor = as("contributor");
      const operations = [
        { method: "capture" as const, args: ["mine"] },
        { method: "forget" as const, args: [id] },
      ];
      const error = errorOf(() => contributor.batch(operations));
      expect(error).toMatchObject({ code: "forbidden", details: { index: 1 } });
      expect(owner.getCount()).toBe(1);
      expect(contributor.batch(operations.slice(0, 1)).results).toHaveLength(1);
    }));

  it("[BAT-2] takes 100 operations and not one more, each name once", () =>
    inSphere(({ owner }) => {
      const many = (n: number) =>
        Array.from({ length: n }, (_, at) => ({
          method: "capture" as const,
          args: [`note ${at}`],
        }));
      expect(errorOf(() => owner.batch(many(LIMITS.batch + 1))).code).toBe("invalid_input");
      const twice = many(2).map((each) => ({ ...each, as: "a" }));
      expect(errorOf(() => owner.batch(twice)).code).toBe("invalid_input");
      expect(owner.batch(many(LIMITS.batch)).results).toHaveLength(LIMITS.batch);
    }));

  it("[SEC-2] masks credentials and says so by operation", () =>
    inSphere(
      ({ owner }) => {
        const { results } = owner.batch([
          { method: "capture", args: ["plain"], as: "a" },
          { method: "append", args: ["$a", CREDENTIAL] },
        ]);
        expect(results[1]).toMatchObject({
          warnings: [`addition: ${CREDENTIAL.length} characters at 0 masked (github)`],
        });
      },
      { secrets: "mask" },
    ));
});
