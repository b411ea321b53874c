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

async function countIn(root: string, ...others: string[]) {
  const script = join(PROJECT_ROOT, ".ci/count.mjs");
  const { code, stdout } = await runToEnd(process.execPath, [
    script,
    join(root, "report.json"),
    ...others,
  ]);
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

it("adds up several reports, and does not miss that one is missing", async () => {
  const report = JSON.stringify({ numPassedTests: 3, numFailedTests: 0, testResults: [passed] });
  const root = await temporaryTree({ "report.json": report, "browser.json": report });
  expect(await countIn(root, join(root, "browser.json"))).toEqual([0, "6 passed, 0 failed\n"]);
  expect(await countIn(root, join(root, "nothing.json"))).toEqual([1, "3 passed, 0 failed\n"]);
});
