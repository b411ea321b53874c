import { join } from "node:path";
import { expect, it } from "vitest";
import { PROJECT_ROOT, runToEnd, temporaryTree } from "./support.ts";

interface TestFile {
  status: string;
  assertionResults: { status: string }[];
}

async function count(numPassedTests: number, numFailedTests: number, testResults: TestFile[]) {
  const report = JSON.stringify({ numPassedTests, numFailedTests, testResults });
  return countIn(await temporaryTree({ "report.json": report }));
}

async function countIn(root: string) {
  const script = join(PROJECT_ROOT, ".ci/count.mjs");
  const { code, stdout } = await runToEnd(process.execPath, [script, join(root, "report.json")]);
  return [code, stdout];
}

const passed = { status: "passed", assertionResults: [{ status: "passed" }] };
const failed = { status: "failed", assertionResults: [{ status: "failed" }] };
const unloaded = { status: "failed", assertionResults: [] };

it("counts a run without failures", async () => {
  expect(await count(7, 0, [passed])).toEqual([0, "7 passed, 0 failed\n"]);
});

it("counts failed tests and files that could not be loaded", async () => {
  expect(await count(7, 2, [passed, failed, unloaded])).toEqual([1, "7 passed, 3 failed\n"]);
});

it("does not take a run without tests or without a report for a success", async () => {
  expect(await count(0, 0, [])).toEqual([1, "0 passed, 0 failed\n"]);
  expect(await countIn(await temporaryTree())).toEqual([1, "0 passed, 0 failed\n"]);
});
