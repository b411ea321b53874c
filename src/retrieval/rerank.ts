import type { TimeWindow } from "../../contracts/index.ts";
import { fold, lower } from "../analysis/fold.ts";
import type { RankingParams } from "./params.ts";
import { byScoreThenId } from "./stages.ts";
import type { Candidate, CandidateFacts, Factors, Scored } from "./stages.ts";

const DAY_MS = 86_400_000;

export interface RerankContext {
  /** Milliseconds since the epoch. */
  now: number;
  /** What the query's own words named; hits inside it are lifted ([RWR-2]). */
  window: TimeWindow | null;
  /** Ranks without recency ([RWR-5]). */
  asksPast: boolean;
  /** Ranks with more of it, and by age alone ([RWR-7]). */
  wantsNewest: boolean;
  /** Folded words of the query; those that are tags of an entry lift it. */
  queryWords: ReadonlySet<string>;
}

/**
 * Stage 7, best first: `score` is the product of `factors`, to the last bit and in their order ([REC-9]).
 * Recency, importance and tag overlap are damped (f^α), and `clamp` brings the product of the four into its
 * range, because RRF is flat: rank 1 is worth 1.5 times rank 31, and bare factors would outweigh that.
 */
export function rerank(
  candidates: readonly Candidate[],
  context: RerankContext,
  params: RankingParams,
): Scored[] {
  const scored = candidates.map((candidate) => {
    const inWindow = isInside(candidate.occurredAt, context.window);
    const factors = factorsOf(candidate, inWindow, context, params);
    return { ...candidate, factors, score: product(factors), inWindow };
  });
  const bestDirect = Math.max(...scored.filter(isDirect).map((each) => each.score));
  return scored.map((each) => keepBelow(bestDirect, each)).sort(byScoreThenId);
}

const isDirect = ({ ranks }: Candidate) => ranks.keyword !== null || ranks.vector !== null;

/** A neighbour stays just below the best direct hit, whatever its own factors are ([REC-5]). */
function keepBelow(bestDirect: number, each: Scored): Scored {
  if (isDirect(each) || each.score < bestDirect || bestDirect === Number.NEGATIVE_INFINITY)
    return each;
  const clamp = (each.factors.clamp * bestDirect * JUST_BELOW) / each.score;
  const factors = { ...each.factors, clamp };
  return { ...each, factors, score: product(factors) };
}

const JUST_BELOW = 0.999;

function factorsOf(
  candidate: Candidate,
  inWindow: boolean,
  context: RerankContext,
  params: RankingParams,
): Factors {
  const { damping, newestDamping, clamp } = params;
  const factors = {
    rrf: candidate.rrf,
    recency: context.asksPast
      ? 1
      : context.wantsNewest
        ? freshnessOf(candidate, context.now, params.decay) ** newestDamping.recency
        : recencyOf(candidate, context.now, params.decay) ** damping.recency,
    importance: importanceOf(candidate.importance) ** damping.importance,
    tagOverlap: tagOverlapOf(candidate.tags, context.queryWords) ** damping.tagOverlap,
    window: inWindow ? params.windowBoost : 1,
  };
  const change = factors.recency * factors.importance * factors.tagOverlap * factors.window;
  return { ...factors, clamp: Math.min(clamp.max, Math.max(clamp.min, change)) / change };
}

function product({ rrf, recency, importance, tagOverlap, window, clamp }: Factors): number {
  return rrf * recency * importance * tagOverlap * window * clamp;
}

/** Decay by age, undone but never outdone by recalls: 1 when fresh, the volatility's floor at worst. */
function recencyOf(facts: CandidateFacts, now: number, decay: RankingParams["decay"]): number {
  return Math.min(1, freshnessOf(facts, now, decay) * (1 + Math.log1p(facts.recallCount)));
}

function freshnessOf(facts: CandidateFacts, now: number, decay: RankingParams["decay"]): number {
  const age = Math.max(0, now - (facts.textAt ?? facts.occurredAt));
  const floor = decay.floor[facts.volatility];
  const halfLife = decay.halfLifeDays[facts.volatility] * DAY_MS;
  return floor + (1 - floor) * 0.5 ** (age / halfLife);
}

/** 1 when unset (0), else 0.84 to 1.2. */
function importanceOf(importance: number): number {
  return importance === 0 ? 1 : 0.8 + (importance / 5) * 0.4;
}

/** 1 without overlap, 0.15 more for each query word that is a tag, 1.5 at most. */
function tagOverlapOf(tags: readonly string[], queryWords: ReadonlySet<string>): number {
  const folded = new Set(tags.map((tag) => lower(fold(tag).text)));
  return Math.min(1.5, 1 + 0.15 * folded.intersection(queryWords).size);
}

function isInside(time: number, window: TimeWindow | null): boolean {
  if (window === null) return false;
  return (
    (window.since === null || time >= window.since) &&
    (window.until === null || time <= window.until)
  );
}
