import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byteLength } from "../../contracts/inputs.ts";
import { batches } from "../../src/cli/fill.ts";

const sizeOf = (items: unknown[]) =>
  items.reduce<number>((sum, item) => sum + byteLength(JSON.stringify(item)), 0);

describe("batches", () => {
  it("keep every item in order and both bounds, unless one item alone is larger", () => {
    const items = fc.array(fc.record({ content: fc.string({ minLength: 1, maxLength: 60 }) }));
    fc.assert(
      fc.property(
        items,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 200 }),
        (all, n, b) => {
          const groups = batches(all, { items: n, bytes: b });
          expect(groups.flat()).toEqual(all);
          for (const group of groups) {
            expect(group.length).toBeLessThanOrEqual(n);
            expect(group.length === 1 || sizeOf(group) <= b).toBe(true);
          }
        },
      ),
    );
  });

  it("are as few as the bounds allow", () => {
    const items = Array.from({ length: 10 }, () => ({ content: "x" }));
    expect(batches(items, { items: 4, bytes: 1_000 }).map((group) => group.length)).toEqual([
      4, 4, 2,
    ]);
  });
});
