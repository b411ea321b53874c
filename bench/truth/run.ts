import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { BenchWorker } from "../support/bench-worker.ts";
import { CLOCK } from "../support/protocol.ts";
import { available } from "../support/sets.ts";
import { LINES, measure } from "./lines.ts";
import type { Case } from "./lines.ts";
import { Records } from "./records.ts";

/*
 * npm run bench:truth [-- --save]
 * Loads the decision records with their real links and asks for each replaced record in the words of its title.
 * Prints, for each line, how many of its cases hold, and every case that does not.
 */

const BASELINES = new URL("./baselines.json", import.meta.url);
const SETS = ["adrs-cometbft", "peps"];

type Figures = Record<string, { n: number; percent: number }>;

await main(process.argv.slice(2));

async function main(args: string[]): Promise<void> {
  if (!available()) {
    console.log("Skipped: ../shared/data is not beside this checkout.");
    return;
  }
  const worker = new BenchWorker();
  await worker.start();
  const cases: Case[] = [];
  try {
    for (const set of SETS) {
      const records = new Records(set, CLOCK);
      const entries = await worker.load(records.variant);
      cases.push(...(await measure(worker, records, entries)));
    }
  } finally {
    await worker.close();
  }
  const figures = figuresOf(cases);
  print(figures, cases);
  if (args.includes("--save")) {
    const commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
    writeFileSync(BASELINES, `${JSON.stringify({ commit, lines: figures }, null, 2)}\n`);
  }
}

function figuresOf(cases: readonly Case[]): Figures {
  return Object.fromEntries(
    Object.values(LINES).map((line) => {
      const of = cases.filter((each) => each.line === line);
      const held = of.filter((each) => each.failure === null).length;
      return [line, { n: of.length, percent: Math.round((10_000 * held) / of.length) / 100 }];
    }),
  );
}

function print(figures: Figures, cases: readonly Case[]): void {
  const before = existsSync(BASELINES)
    ? (JSON.parse(readFileSync(BASELINES, "utf8")) as { lines: Figures }).lines
    : {};
  for (const [line, { n, percent }] of Object.entries(figures)) {
    const was = before[line];
    const change = was === undefined ? "new" : was.percent === percent ? "" : `was ${was.percent}`;
    console.log(
      `${percent.toFixed(1).padStart(5)} %  n ${String(n).padStart(3)}  ${line}  ${change}`,
    );
  }
  for (const { line, record, failure } of cases) {
    if (failure !== null) console.log(`\n${line}\n  ${record}: ${failure}`);
  }
}
