import { mean, score } from "../support/metrics.ts";
import type { Question } from "./labelled.ts";
import { runEngine } from "./engines/run.ts";
import type { EngineName } from "./engines/run.ts";
import { idOf } from "./ids.ts";
import { timesOf } from "./measured.ts";
import type { Reads } from "./reads.ts";
import { ms, step } from "./report.ts";

export interface Compared {
  name: string;
  p50: number;
  p99: number;
  /** Questions that were answered in the time given. */
  n: number;
  ndcg10: number;
  /** nDCG@10 of recall over the same questions. */
  recallNdcg10: number;
  /** Bytes of JavaScript heap; undefined where it was not measured. */
  heap: number | undefined;
  indexMs: number | undefined;
}

/** Recall, the plain query and other engines on the same texts and the same questions. */
export async function compare(
  { lines, hits }: Reads,
  questions: readonly Question[],
  engines: readonly EngineName[],
  { size, seconds }: { size: number; seconds: number },
): Promise<Compared[]> {
  const inObject = (name: string, line: string, found: readonly string[][]): Compared => ({
    name,
    p50: lines[line]?.p50 ?? 0,
    p99: lines[line]?.p99 ?? 0,
    n: questions.length,
    ndcg10: ndcg(questions, found),
    recallNdcg10: ndcg(questions, hits.recall),
    heap: undefined,
    indexMs: undefined,
  });
  const compared = [
    inObject("recall, just woken", "recall questions, just woken", hits.recall),
    inObject("recall, warm", "recall questions, warm", hits.recall),
    inObject("plain FTS5, same object", "plain FTS5 questions", hits.plain),
  ];
  for (const name of engines) {
    step(`${name} on ${size.toLocaleString("en")} texts`);
    const { heap, indexMs, ...answers } = await runEngine(name, size, seconds);
    const answered = questions.slice(0, answers.hits.length);
    compared.push({
      name,
      ...timesOf(answers.ms),
      ndcg10: ndcg(
        answered,
        answers.hits.map((found) => found.map(idOf)),
      ),
      recallNdcg10: ndcg(answered, hits.recall),
      heap: Math.max(0, heap),
      indexMs,
    });
  }
  return compared;
}

export function comparisonTable(compared: readonly Compared[]): string[][] {
  const warm = compared[1]?.p50 ?? Number.NaN;
  return [
    ["", "p50", "p99", "of warm recall", "nDCG@10", "recall's", "questions", "heap MB", "index s"],
    ...compared.map((each) => [
      each.name,
      ms(each.p50),
      ms(each.p99),
      `${(each.p50 / warm).toFixed(1)} ×`,
      each.ndcg10.toFixed(3),
      each.recallNdcg10.toFixed(3),
      String(each.n),
      each.heap === undefined ? "" : (each.heap / 1e6).toFixed(0),
      each.indexMs === undefined ? "" : (each.indexMs / 1_000).toFixed(1),
    ]),
  ];
}

/** Over the questions whose answers are in a corpus of this size. */
function ndcg(questions: readonly Question[], found: readonly (readonly string[])[]): number {
  const scores = questions.flatMap(({ relevant }, index) =>
    relevant.length === 0 ? [] : [score(found[index] ?? [], new Set(relevant.map(idOf))).ndcg10],
  );
  return mean(scores);
}
