import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { findChromium } from "./chromium.ts";

/*
 * Builds the inspector and runs its tests in Debian's chromium, which is installed first where it is missing
 * and apt and root are at hand. CHROMIUM names another one.
 */

const ROOT = join(import.meta.dirname, "../..");

function run(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { cwd: ROOT, stdio: "inherit" }).status === 0;
}

function tool(path: string, ...args: string[]): boolean {
  return run(process.execPath, join(ROOT, "node_modules", path), ...args);
}

if (findChromium() === null && process.getuid?.() === 0) {
  console.log("Installing chromium …");
  run("apt-get", "update", "-qq");
  run("apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium");
}
if (findChromium() === null) {
  console.error(
    "There is no chromium here: install it (Debian: apt-get install chromium), or name one in CHROMIUM.",
  );
  process.exitCode = 1;
} else {
  const config = join(ROOT, "vitest.browser.config.ts");
  const passed =
    tool("vite/bin/vite.js", "build") &&
    tool("vitest/vitest.mjs", "run", "--config", config, ...process.argv.slice(2));
  process.exitCode = passed ? 0 : 1;
}
