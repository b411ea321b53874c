import { expect, it } from "vitest";
import { ERROR_CODES, MiniSphereError, notFound } from "../../contracts/errors.ts";
import { exitCodeOf, usageError } from "../../src/cli/exit.ts";

it.each([
  [notFound("00000000"), 3],
  [new MiniSphereError("conflict", "no"), 1],
  [usageError("no"), 2],
  [new Error("no"), 1],
  ["no", 1],
])("%s ends a command with %i", (error, code) => {
  expect(exitCodeOf(error)).toBe(code);
});

it("no error code of the contract ends a command with success", () => {
  const codes = ERROR_CODES.map((code) => exitCodeOf(new MiniSphereError(code, "no")));
  expect(Math.min(...codes)).toBeGreaterThan(0);
});
