// Prints "N passed, N failed" from a vitest JSON report. Fails when there is no report or a failure in it.
// Plain JavaScript without dependencies: it must also run when `npm ci` has failed.
import { readFileSync } from "node:fs";

const { passed, failed } = count(process.argv[2]);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = passed > 0 && failed === 0 ? 0 : 1;

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
