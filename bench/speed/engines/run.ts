import { execFileSync, fork } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ENGINES, EngineFigures } from "./child.ts";

export type EngineName = keyof typeof ENGINES;

const NAMES: EngineName[] = ["SQLite in Node", "MiniSearch", "Orama", "MCP memory server"];
const HERE = new URL("../", import.meta.url);

const CHILD = fileURLToPath(new URL("child.ts", import.meta.url));

/** Megabytes; Orama needs more than Node would take of itself. */
const MAX_HEAP = 8_192;

/** The engines that can run: all, or Node's own where the packages cannot be installed. */
export function installedEngines(): EngineName[] {
  if (!installed()) {
    console.log("Installing what the bench compares with (bench/speed/package.json) …");
    const options = { cwd: HERE, stdio: ["ignore", "ignore", "inherit"] as never };
    try {
      execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], options);
    } catch {
      console.log("… which failed: measured without them.");
      return NAMES.slice(0, 1);
    }
  }
  return NAMES;
}

function installed(): boolean {
  const wanted = versionsIn("package.json").dependencies;
  return Object.entries(wanted).every(([name, version]) => {
    const file = `node_modules/${name}/package.json`;
    return existsSync(new URL(file, HERE)) && versionsIn(file).version === version;
  });
}

function versionsIn(file: string): { version: string; dependencies: Record<string, string> } {
  return JSON.parse(readFileSync(new URL(file, HERE), "utf8")) as never;
}

/** Answers in a process of its own, for so many seconds at most after it has indexed. */
export function runEngine(name: EngineName, size: number, seconds: number): Promise<EngineFigures> {
  const { promise, resolve, reject } = Promise.withResolvers<EngineFigures>();
  const child = fork(CHILD, [name, String(size), String(seconds)], {
    execArgv: [
      "--expose-gc",
      `--max-old-space-size=${MAX_HEAP}`,
      "--disable-warning=ExperimentalWarning",
    ],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let complaints = "";
  child.stderr?.on("data", (data: Buffer) => (complaints += data.toString()));
  child.on("message", (figures) => resolve(figures as EngineFigures));
  // After an answer this changes nothing.
  child.on("exit", () => reject(new Error(`${name} ended without an answer: ${complaints}`)));
  return promise;
}
