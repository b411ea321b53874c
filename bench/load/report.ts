import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { METHODS } from "../../contracts/index.ts";
import type { Outcome, Scenario } from "./scenario.ts";
import type { Latency } from "./tally.ts";

const BASELINES = new URL("./baselines.json", import.meta.url);

/** What a run is compared by. Times are of the machine that the baselines were made on. */
export interface Figures {
  perSecond: number;
  /** Milliseconds that workerd computes for a call, in the mean: what a busy machine changes least. */
  cpuMsPerCall: number | null;
  latency: Record<string, Latency>;
  errors: Record<string, number>;
}

export function figuresOf({ tally, seconds, cpuMs }: Outcome): Figures {
  const keys = [...METHODS, "websocket", "batch"];
  const latency = Object.fromEntries(
    keys.map((key) => [key, tally.latency(key)] as const).filter(([, { n }]) => n > 0),
  );
  const calls = (latency["websocket"]?.n ?? 0) + (latency["batch"]?.n ?? 0);
  return {
    perSecond: Math.round(calls / seconds),
    cpuMsPerCall: cpuMs === null ? null : Math.round((100 * cpuMs) / calls) / 100,
    latency,
    errors: tally.errors,
  };
}

/** Runs with other numbers are not compared. */
export const keyOf = ({ name, agents, workspaces, entries, seconds, kill }: Scenario) =>
  `${name}: ${agents} agents, workspaces ${workspaces}, entries ${entries}, ${seconds} s${kill ? ", killed" : ""}`;

export function baselineOf(scenario: Scenario): Figures | undefined {
  if (!existsSync(BASELINES)) return undefined;
  const { runs } = JSON.parse(readFileSync(BASELINES, "utf8")) as { runs: Record<string, Figures> };
  return runs[keyOf(scenario)];
}

/** Replaces the runs that are given, and keeps the others. */
export function saveBaselines(given: Record<string, Figures>): void {
  const commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
  const before = existsSync(BASELINES)
    ? (JSON.parse(readFileSync(BASELINES, "utf8")) as { runs: object }).runs
    : {};
  const runs = { ...before, ...given };
  writeFileSync(BASELINES, `${JSON.stringify({ commit, runs }, null, 2)}\n`);
}

export function print(figures: Figures, was: Figures | undefined, outcome: Outcome): void {
  const { perSecond, cpuMsPerCall } = figures;
  console.log(`  ${perSecond} calls a second${change(perSecond, was?.perSecond)}`);
  if (cpuMsPerCall !== null) {
    const changed = change(cpuMsPerCall, was?.cpuMsPerCall);
    console.log(`  ${cpuMsPerCall} ms of processor time a call${changed}`);
  }
  console.log(
    `  ${"".padEnd(13)}${"calls".padStart(8)}${"p50 ms".padStart(10)}${"p99 ms".padStart(10)}`,
  );
  for (const [key, { n, p50, p99 }] of Object.entries(figures.latency)) {
    const before = was?.latency[key];
    const changes = change(p50, before?.p50) + change(p99, before?.p99);
    console.log(
      `  ${key.padEnd(13)}${String(n).padStart(8)}${p50.toFixed(1).padStart(10)}${p99.toFixed(1).padStart(10)}${changes}`,
    );
  }
  const errors = Object.entries(figures.errors).map(([code, n]) => `${code} ${n}`);
  console.log(`  refused: ${errors.join(", ") || "nothing"}`);
  const { answered, entries, faults } = outcome;
  console.log(
    faults.length === 0
      ? `  all ${answered} answered writes are there; the index equals all ${entries} entries, and each is found`
      : `  ${faults.length} FAULTS\n    ${faults.slice(0, 20).join("\n    ")}`,
  );
}

function change(now: number, was: number | null | undefined): string {
  if (was === undefined || was === null || was === 0) return "";
  const percent = Math.round((100 * (now - was)) / was);
  return `  (was ${was}, ${percent < 0 ? "−" : "+"}${Math.abs(percent)} %)`;
}
