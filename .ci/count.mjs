// Prints "N passed, N failed" from vitest JSON reports. Fails when one is missing or empty or has a failure.
// Plain JavaScript without dependencies: it must also run when `npm ci` has failed.
import { readFileSync } from "node:fs";

const counts = process.argv.slice(2).map(count);
const passed = counts.reduce((sum, each) => sum + each.passed, 0);
const failed = counts.reduce((sum, each) => sum + each.failed, 0);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = counts.every((each) => each.passed > 0 && each.failed === 0) ? 0 : 1;

function count(path) {
  let report;
  try {
    report = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    // The run ended before it could write one.
    return { passed: 0, failed: 0 };
  }
  // A file that could not be loaded has no tests that could fail.
  const unloaded = report.testResults.filter(
    (file) =>
      file.status === "failed" && file.assertionResults.every((test) => test.status !== "failed"),
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length };
}
