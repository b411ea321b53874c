import { expect } from "vitest";
import { comparisonsOf } from "./comparisons.ts";

/** What holds after any sequence of operations ([ANA-7]); each part is named in the message of its failure. */
export function expectInvariant(storage: DurableObjectStorage): void {
  for (const { what, actual, expected } of comparisonsOf(storage)) {
    expect(actual, what).toEqual(expected);
  }
}
