/** Rank metrics over ids, with binary relevance. `ranked` is best first; `relevant` is not empty. */

export interface Scores {
  r1: number;
  r5: number;
  r10: number;
  /** All of the relevant in the first ten: 1 or 0. */
  all10: number;
  ndcg10: number;
  mrr: number;
  empty: number;
}

export function score(ranked: readonly string[], relevant: ReadonlySet<string>): Scores {
  const hit = ranked.map((id) => relevant.has(id));
  const found = (k: number) => hit.slice(0, k).filter(Boolean).length;
  const first = hit.indexOf(true);
  return {
    r1: found(1) / relevant.size,
    r5: found(5) / relevant.size,
    r10: found(10) / relevant.size,
    all10: found(10) === relevant.size ? 1 : 0,
    ndcg10: ndcg(hit, relevant.size, 10),
    mrr: first < 0 ? 0 : 1 / (first + 1),
    empty: ranked.length === 0 ? 1 : 0,
  };
}

function ndcg(hit: readonly boolean[], relevant: number, k: number): number {
  const gain = (rank: number) => 1 / Math.log2(rank + 2);
  const dcg = hit.slice(0, k).reduce((sum, is, rank) => sum + (is ? gain(rank) : 0), 0);
  const ideal = Array.from({ length: Math.min(k, relevant) }, (_, rank) => gain(rank));
  return dcg / ideal.reduce((sum, each) => sum + each, 0);
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, each) => sum + each, 0) / values.length;
}

export function meanScores(all: readonly Scores[]): Scores {
  const keys = ["r1", "r5", "r10", "all10", "ndcg10", "mrr", "empty"] as const;
  return Object.fromEntries(keys.map((key) => [key, mean(all.map((each) => each[key]))])) as never;
}

/** 95 % interval of the mean of paired differences, by bootstrap with a fixed seed. */
export function pairedInterval(
  a: readonly number[],
  b: readonly number[],
  rounds = 1_000,
): [number, number] {
  const differences = a.map((each, index) => each - (b[index] ?? 0));
  let state = 42;
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const means = Array.from({ length: rounds }, () =>
    mean(differences.map(() => differences[Math.floor(random() * differences.length)] ?? 0)),
  ).sort((x, y) => x - y);
  return [means[Math.floor(rounds * 0.025)] ?? 0, means[Math.floor(rounds * 0.975)] ?? 0];
}
