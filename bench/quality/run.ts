import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { BenchWorker } from "../support/bench-worker.ts";
import type { Ranking } from "../support/bench-worker.ts";
import { mean, meanScores, pairedInterval, score } from "../support/metrics.ts";
import type { Scores } from "../support/metrics.ts";
import { available, variants } from "../support/sets.ts";
import type { Variant } from "../support/sets.ts";

/*
 * npm run bench:quality [-- set…] [-- --save]
 * Loads each development set into real objects in workerd and prints how recall ranks it, beside two plain
 * FTS5 baselines from the same objects, with 95 % intervals of the paired difference.
 */

const BASELINES = new URL("./baselines.json", import.meta.url);

export interface Line {
  n: number;
  recall: Scores & { chars: number; sessionR5?: number };
  exact: Scores;
  porter: Scores;
  /** nDCG@10 and recall@10 against the better baseline by that figure: mean difference and interval. */
  gain: { ndcg10: [number, number, number]; r10: [number, number, number] };
}

if (import.meta.main) await main(process.argv.slice(2));

async function main(args: string[]): Promise<void> {
  if (!available()) {
    console.log("Skipped: ../shared/data is not beside this checkout.");
    return;
  }
  const worker = new BenchWorker();
  await worker.start();
  const lines: Record<string, Line> = {};
  try {
    for (const variant of variants(args.filter((arg) => !arg.startsWith("--")))) {
      await worker.load(variant);
      Object.assign(lines, await measure(worker, variant));
    }
  } finally {
    await worker.close();
  }
  print(lines, baselines());
  if (args.includes("--save")) {
    const commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
    writeFileSync(BASELINES, `${JSON.stringify({ commit, lines: rounded(lines) }, null, 2)}\n`);
  }
}

export async function measure(
  worker: BenchWorker,
  variant: Variant,
): Promise<Record<string, Line>> {
  const topK = variant.set.startsWith("longmemeval") ? 50 : 20;
  const recall = await worker.search(variant, "recall", { topK });
  const exact = await worker.search(variant, "exact", { topK });
  const porter = await worker.search(variant, "porter", { topK });
  const lines: Record<string, Line> = {};
  const categories = [...new Set(recall.map((each) => each.query.category))].sort();
  const pick = (keep: (ranking: Ranking) => boolean) =>
    line(recall.filter(keep), exact.filter(keep), porter.filter(keep));
  // Adversarial questions have no answer: they are a line of their own and no part of the whole.
  lines[variant.name] = pick((each) => each.query.category !== "adversarial");
  if (categories.length > 1) {
    for (const category of categories) {
      lines[`${variant.name} ${category}`] = pick((each) => each.query.category === category);
    }
  }
  return lines;
}

function line(recall: Ranking[], exact: Ranking[], porter: Ranking[]): Line {
  const scores = (rankings: Ranking[]) => rankings.map((each) => score(each.ranked, each.relevant));
  const [r, e, p] = [scores(recall), scores(exact), scores(porter)];
  const gain = (key: "ndcg10" | "r10"): [number, number, number] => {
    const figures = (all: Scores[]) => all.map((each) => each[key]);
    const better = mean(figures(e)) >= mean(figures(p)) ? e : p;
    return [
      mean(figures(r)) - mean(figures(better)),
      ...pairedInterval(figures(r), figures(better)),
    ];
  };
  const bySession = recall.filter((each) => each.query.relevantSessions.length > 0);
  return {
    n: recall.length,
    recall: {
      ...meanScores(r),
      chars: mean(recall.map((each) => each.chars)),
      ...(bySession.length > 0 && { sessionR5: mean(bySession.map(sessionRecall)) }),
    },
    exact: meanScores(e),
    porter: meanScores(p),
    gain: { ndcg10: gain("ndcg10"), r10: gain("r10") },
  };
}

function sessionRecall({ sessions, query }: Ranking): number {
  const first = new Set(sessions.slice(0, 5));
  return (
    query.relevantSessions.filter((each) => first.has(each)).length / query.relevantSessions.length
  );
}

function baselines(): Record<string, Line> {
  if (!existsSync(BASELINES)) return {};
  return (JSON.parse(readFileSync(BASELINES, "utf8")) as { lines: Record<string, Line> }).lines;
}

function print(lines: Record<string, Line>, before: Record<string, Line>): void {
  const f = (value: number | undefined) =>
    value === undefined ? "     " : value.toFixed(3).padStart(5);
  console.log(
    "set, category".padEnd(44),
    "   n  r@1   r@5   r@10  all10 nDCG  MRR   empty chars | exact r10/nDCG  porter r10/nDCG | nDCG gain [95 %]        r@10 gain [95 %]        | since baseline nDCG r@10",
  );
  for (const [name, each] of Object.entries(lines)) {
    const { recall: r, exact, porter, gain } = each;
    const span = ([value, low, high]: [number, number, number]) =>
      `${value >= 0 ? "+" : ""}${value.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`.padEnd(
        24,
      );
    const old = before[name]?.recall;
    console.log(
      name.padEnd(44),
      String(each.n).padStart(4),
      [r.r1, r.r5, r.r10, r.all10, r.ndcg10, r.mrr, r.empty].map(f).join(" "),
      String(Math.round(r.chars)).padStart(5),
      `| ${f(exact.r10)} ${f(exact.ndcg10)}  ${f(porter.r10)} ${f(porter.ndcg10)} |`,
      span(gain.ndcg10),
      span(gain.r10),
      old ? `| ${(r.ndcg10 - old.ndcg10).toFixed(3)} ${(r.r10 - old.r10).toFixed(3)}` : "| new",
      r.sessionR5 === undefined ? "" : `session r@5 ${f(r.sessionR5)}`,
    );
  }
}

function rounded<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value, (_key, each: unknown) =>
      typeof each === "number" ? Math.round(each * 10_000) / 10_000 : each,
    ),
  ) as T;
}
