import { available } from "../support/sets.ts";
import { baselineOf, saveBaselines } from "./baselines.ts";
import { compare, comparisonTable } from "./comparison.ts";
import { corpus } from "./corpus.ts";
import { installedEngines } from "./engines/run.ts";
import type { EngineName } from "./engines/run.ts";
import { fill } from "./fill.ts";
import type { Line } from "./measured.ts";
import { measureColdStart, measureHeap } from "./memory.ts";
import { queriesOf } from "./queries.ts";
import { measureReads } from "./reads.ts";
import { printLines, printTable, progress, step } from "./report.ts";
import { SpeedWorker } from "./speed-worker.ts";
import { measureStartup } from "./startup.ts";
import type { Target } from "./target.ts";
import { judge } from "./targets.ts";
import type { Measured } from "./targets.ts";
import { measureWrites } from "./writes.ts";

/*
 * npm run bench:speed [-- --sizes 1000,10000] [-- --quick] [-- --save]
 * Fills workspaces of several sizes with real chat turns, in workerd, and prints what each method takes and
 * counts, beside plain engines over the same texts in the same run, and whether the targets are met.
 * --quick: 1,000 and 10,000 entries, and no other engines.
 */

/** Other engines are asked from this size on, for so long each. */
const ENGINE_SIZE = 10_000;
const ENGINE_SECONDS = 25;

await main(process.argv.slice(2));

async function main(args: string[]): Promise<void> {
  if (!available()) {
    console.log("Skipped: ../shared/data is not beside this checkout.");
    return;
  }
  const quick = args.includes("--quick");
  const engines = quick ? [] : installedEngines();
  const measured = new Map<number, Measured>();
  const worker = await SpeedWorker.start();
  try {
    const sizes = sizesOf(args, quick);
    for (const size of sizes) {
      const plan = {
        size,
        engines: size < ENGINE_SIZE ? [] : engines,
        largest: size === Math.max(...sizes),
      };
      const result = await measure(worker, plan);
      measured.set(size, result);
      printLines(size, result.lines, baselineOf(size));
      printTable("The same questions elsewhere", comparisonTable(result.compared));
    }
  } finally {
    await worker.close();
  }
  if (!quick) printStartup();
  printTable("Targets", judge(measured).map(rowOf));
  if (args.includes("--save")) {
    saveBaselines(new Map([...measured].map(([size, { lines }]) => [size, lines])));
  }
}

function sizesOf(args: readonly string[], quick: boolean): number[] {
  const at = args.indexOf("--sizes");
  if (at >= 0) return (args[at + 1] ?? "").split(",").map(Number);
  return quick ? [1_000, 10_000] : [1_000, 10_000, 100_000];
}

interface Plan {
  size: number;
  engines: readonly EngineName[];
  largest: boolean;
}

/** Reads first, because writes change what they read; what ends the object comes between. */
async function measure(worker: SpeedWorker, { size, engines, largest }: Plan): Promise<Measured> {
  const workspace = `of-${size}`;
  step(`${size.toLocaleString("en")} entries: filling`);
  const { rows, questions } = corpus(size);
  const filling = await fill(worker, workspace, rows, (share) =>
    progress(`${Math.round(share * 100)} %`),
  );
  step("reads");
  const reads = await measureReads(worker, workspace, questions, queriesOf(rows));
  step("cold start");
  const cold = await measureColdStart(worker, workspace, questions);
  const heap = largest ? await measureHeap(worker, workspace, questions, rows) : undefined;
  step("writes");
  const writes = await measureWrites(worker, workspace, rows, questions);
  const lines = {
    "an entry of the filling, with tags and links": perEntry(filling.captureMany, rows.length),
    "the same text in a bare loop": perEntry(filling.bare, rows.length),
    ...reads.lines,
    "first recall after an eviction": cold,
    ...writes,
  };
  const compared = await compare(reads, questions, engines, { size, seconds: ENGINE_SECONDS });
  const textBytes = rows.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  const tags = new Set(rows.flatMap(({ item }) => item.tags ?? [])).size;
  return { lines, compared, heap, textBytes, tags };
}

function perEntry(ms: number, n: number): Line {
  const mean = ms / n;
  return { n, p50: mean, p99: mean, mean, rows: {} };
}

function printStartup(): void {
  const { bundle, gzip, activeMs } = measureStartup();
  printTable("The product's Worker", [
    ["bundle", `${bundle.toFixed(0)} KiB, ${gzip.toFixed(0)} KiB compressed`],
    ["CPU until it takes requests", `${activeMs.toFixed(0)} ms (wrangler check startup)`],
  ]);
}

function rowOf({ what, target, measured, met }: Target): string[] {
  return [met === null ? "" : met ? "met" : "MISS", what, target, measured];
}
