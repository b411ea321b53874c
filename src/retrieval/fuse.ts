import type { RankingParams } from "./params.ts";
import { byScoreThenId } from "./stages.ts";
import type { Fused, RankedList } from "./stages.ts";

const ARMS = ["keyword", "graph", "vector"] as const;

/**
 * Stage 5: reciprocal rank fusion (Cormack, Clarke & Büttcher 2009), best first. Each arm adds
 * weight / (k + rank) to what it ranks; only ranks count. Equal scores share a rank, so that recency and
 * importance decide between equals. An arm of weight 0 is off: it ranks nothing.
 */
export function fuse(
  arms: { keyword: RankedList; graph: RankedList; vector: RankedList },
  params: RankingParams,
): Fused[] {
  const fused = new Map<string, Fused>();
  for (const arm of ARMS) {
    const weight = params.armWeight[arm];
    if (weight === 0) continue;
    let [rank, scoreAtRank] = [0, Number.NaN];
    for (const [index, { id, score }] of arms[arm].toSorted(byScoreThenId).entries()) {
      if (score !== scoreAtRank) [rank, scoreAtRank] = [index + 1, score];
      const before = fused.get(id) ?? {
        id,
        rrf: 0,
        ranks: { keyword: null, graph: null, vector: null },
      };
      fused.set(id, {
        id,
        rrf: before.rrf + weight / (params.rrfK + rank),
        ranks: { ...before.ranks, [arm]: rank },
      });
    }
  }
  return [...fused.values()].sort((a, b) =>
    byScoreThenId({ id: a.id, score: a.rrf }, { id: b.id, score: b.rrf }),
  );
}
