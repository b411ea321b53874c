import { expect, it } from "vitest";
import { lines } from "../../src/cli/progress.ts";

function written(total: number, steps: number[]): string[] {
  const log: string[] = [];
  const progress = lines("Filling", total, (line) => log.push(line));
  for (const step of steps) progress.advance(step);
  progress.stop();
  return log;
}

it("a log gets a line at every quarter, whatever the steps", () => {
  expect(written(8, [1, 1, 1, 1, 1, 1, 1, 1])).toEqual([
    "Filling 2/8\n",
    "Filling 4/8\n",
    "Filling 6/8\n",
    "Filling 8/8\n",
  ]);
});

it("a step over several quarters is one line", () => {
  expect(written(100, [90, 10])).toEqual(["Filling 90/100\n", "Filling 100/100\n"]);
});

it("no work is no trouble", () => {
  expect(written(0, [0])).toEqual(["Filling 0/0\n"]);
});
