import { BenchWorker } from "../support/bench-worker.ts";
import type { Params } from "../support/bench-worker.ts";
import { mean, meanScores, score } from "../support/metrics.ts";
import { available, variants } from "../support/sets.ts";

/*
 * npm run bench:ablation [-- set…]
 * Switches each stage and each tunable off, or moves it, one at a time, by parameters injected into the
 * object, and prints nDCG@10 of each set and the change of the mean. Slow: every line runs every query.
 */

/** What a line changes; everything else is as `DEFAULT_PARAMS` has it. */
const LINES: Record<string, { params?: Params; hops?: number }> = {
  "as it is": {},
  "stems off": { params: { forms: { stem: 0, exact: 1.5 }, columns: { stems: 0 } } },
  "exact forms off": { params: { forms: { exact: 0 } } },
  "title like body": { params: { columns: { title: 1 } } },
  "title match off": { params: { titleMatch: 1 } },
  "title x 3": { params: { columns: { title: 3 } } },
  "tags unindexed": { params: { columns: { tags: 0 } } },
  "k1 1.6, b 0.5": { params: { bm25: { k1: 1.6, b: 0.5 } } },
  "saturated terms searched": { params: { saturatedShare: 1 } },
  "proximity off": { params: { proximity: 0 } },
  "feedback off": { params: { feedback: { weight: 0 } } },
  "pool of 50": { params: { keywordPool: 50 } },
  "pool of 200": { params: { keywordPool: 200 } },
  "hops 0: no graph arm": { hops: 0 },
  "hops 2": { hops: 2 },
  "10 seeds": { params: { graph: { seeds: 10 } } },
  "hop share 0.4": { params: { graph: { hopShare: 0.4 } } },
  "hop share 0.9": { params: { graph: { hopShare: 0.9 } } },
  "keyword list as heavy as graph": { params: { armWeight: { keyword: 1 } } },
  "keyword list not fused": { params: { armWeight: { keyword: 0 } } },
  "recency off": { params: { damping: { recency: 0 } } },
  "recency undamped": { params: { damping: { recency: 1 } } },
  "importance off": { params: { damping: { importance: 0 } } },
  "tag overlap off": { params: { damping: { tagOverlap: 0 } } },
  "window boost off": { params: { windowBoost: 1 } },
  "clamp off": { params: { clamp: { min: 0, max: 1_000 } } },
  "MMR off": { params: { mmrLambda: 1 } },
  "MMR without a floor": { params: { mmrFloor: 0 } },
};

await main(process.argv.slice(2));

async function main(only: string[]): Promise<void> {
  if (!available()) {
    console.log("Skipped: ../shared/data is not beside this checkout.");
    return;
  }
  const worker = new BenchWorker();
  await worker.start();
  const names: string[] = [];
  const table = new Map<string, number[]>(Object.keys(LINES).map((line) => [line, []]));
  try {
    for (const variant of variants(only)) {
      // Two or three queries say nothing, and supersession is a matter of edges, not of ranking.
      if (variant.name.endsWith("+supersede")) continue;
      await worker.load(variant);
      names.push(variant.name);
      for (const [line, run] of Object.entries(LINES)) {
        const rankings = (await worker.search(variant, "recall", run)).filter(
          (each) => each.query.category !== "adversarial",
        );
        const scores = rankings.map((each) => score(each.ranked, each.relevant));
        table.get(line)?.push(meanScores(scores).ndcg10);
      }
      console.error(`${variant.name} done`);
    }
  } finally {
    await worker.close();
  }
  print(names, table);
}

function print(names: readonly string[], table: ReadonlyMap<string, number[]>): void {
  const base = mean(table.get("as it is") ?? []);
  console.log(`| nDCG@10 | ${names.join(" | ")} | mean | change |`);
  console.log(`|---|${names.map(() => "---|").join("")}---|---|`);
  for (const [line, cells] of table) {
    const all = mean(cells);
    const change = `${all >= base ? "+" : ""}${(all - base).toFixed(4)}`;
    console.log(
      `| ${line} | ${cells.map((cell) => cell.toFixed(3)).join(" | ")} | ${all.toFixed(4)} | ${change} |`,
    );
  }
}
