import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { median } from "./percentiles.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const RUNS = 3;

export interface Startup {
  /** KiB of the deployed Worker. */
  bundle: number;
  gzip: number;
  /** Milliseconds of CPU until the Worker can take a request; the middle of three. */
  activeMs: number;
}

/** What `wrangler check startup` says of the product's own Worker. */
export function measureStartup(): Startup {
  const directory = mkdtempSync(path.join(tmpdir(), "mini-sphere-startup-"));
  const runs = Array.from({ length: RUNS }, () => check(path.join(directory, "profile")));
  rmSync(directory, { recursive: true });
  const [first] = runs;
  const figure = (pattern: RegExp, text = "") => Number(pattern.exec(text)?.[1] ?? Number.NaN);
  return {
    bundle: figure(/Bundle: ([\d.]+) KiB/, first),
    gzip: figure(/gzip: ([\d.]+) KiB/, first),
    activeMs: median(runs.map((text) => figure(/Active: ([\d.]+) ms/, text))),
  };
}

function check(profile: string): string {
  const wrangler = path.join(ROOT, "node_modules/wrangler/bin/wrangler.js");
  return execFileSync(
    process.execPath,
    [wrangler, "check", "startup", "--config", "wrangler.toml", "--outfile", profile],
    {
      cwd: ROOT,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, CI: "1" },
    },
  );
}
