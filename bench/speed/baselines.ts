import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Lines } from "./measured.ts";

const FILE = new URL("baselines.json", import.meta.url);

interface Baselines {
  /** By number of entries. */
  sizes: Record<string, { commit: string; lines: Lines }>;
}

export function baselineOf(size: number): Lines {
  return all().sizes[size]?.lines ?? {};
}

/** Sizes that were not measured keep what they had. */
export function saveBaselines(measured: ReadonlyMap<number, Lines>): void {
  const commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
  const { sizes } = all();
  for (const [size, lines] of measured) sizes[size] = { commit, lines };
  const text = JSON.stringify({ sizes }, (_key, value: unknown) => rounded(value), 2);
  writeFileSync(FILE, `${text}\n`);
}

function all(): Baselines {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as Baselines) : { sizes: {} };
}

const rounded = (value: unknown) =>
  typeof value === "number" ? Math.round(value * 1_000) / 1_000 : value;
