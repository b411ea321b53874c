import type { PathStep } from "../../contracts/index.ts";
import type { RankingParams } from "./params.ts";
import { byCodeUnits, byScoreThenId } from "./stages.ts";
import type { GraphPath, RankedList, WalkedEdge } from "./stages.ts";

/**
 * Stage 3: every keyword hit and every walked node, ranked by what its own words earned plus what seeds
 * passed on to it.
 *
 * A seed passes on its own score and never what it received, so nothing is echoed: along a path it passes
 * the product over the steps of hopShare × the type's weight × the edge's weight. Of several paths from one
 * seed only the strongest counts, and none leads back to the seed. A node takes what seeds pass it strongest
 * first, each share multiplied by (1 − hopShare) once per stronger one: two hits that point at a node say
 * more than one, yet all together stay below the score of the seed with the largest share ([REC-5]).
 *
 * @param own what each entry's own words earned; an absent entry earned 0. A seed's own score is its score.
 * @param edges each in the direction walked; both ends pass on only when both were walked from.
 * @returns all nodes with a score, and the strongest path to each that a seed led to.
 */
export function propagate(
  seeds: RankedList,
  own: ReadonlyMap<string, number>,
  edges: readonly WalkedEdge[],
  params: RankingParams,
): { ranking: RankedList; paths: ReadonlyMap<string, GraphPath> } {
  const totals = new Map([...own, ...seeds.map(({ id, score }) => [id, score] as const)]);
  const paths = new Map<string, GraphPath>();

  for (const [id, shares] of sharesByNode(seeds, edges, params.graph)) {
    totals.set(id, (totals.get(id) ?? 0) + combine(shares, params.graph.hopShare));
    const strongest = shares[0];
    if (strongest) paths.set(id, { from: strongest.from, steps: strongest.steps });
  }

  const ranking = [...totals]
    .map(([id, score]) => ({ id, score }))
    .filter(({ score }) => score > 0)
    .sort(byScoreThenId);
  return { ranking, paths };
}

/** What one seed passes on to one node. */
interface Share extends GraphPath {
  amount: number;
}

/** The shares that reach each node, strongest first. */
function sharesByNode(
  seeds: RankedList,
  edges: readonly WalkedEdge[],
  graph: RankingParams["graph"],
): ReadonlyMap<string, Share[]> {
  const edgesFrom = Map.groupBy(edges.toSorted(byEnds), (edge) => edge.from);
  const hops = edges.reduce((most, edge) => Math.max(most, edge.hop), 0);

  const shares = new Map<string, Share[]>();
  for (const seed of seeds) {
    for (const [id, route] of strongestRoutes(seed.id, edgesFrom, hops, graph)) {
      const amount = seed.score * route.strength;
      if (id === seed.id || amount <= 0) continue;
      const share = { amount, from: seed.id, steps: route.steps };
      const reached = shares.get(id);
      if (reached) reached.push(share);
      else shares.set(id, [share]);
    }
  }
  for (const reached of shares.values()) reached.sort(byAmountThenSeed);
  return shares;
}

interface Route {
  /** Share of the seed's score that arrives, 0..1. */
  strength: number;
  steps: PathStep[];
}

/** The strongest route of at most `hops` steps from a seed to each node; the shorter one when equal. */
function strongestRoutes(
  seedId: string,
  edgesFrom: ReadonlyMap<string, readonly WalkedEdge[]>,
  hops: number,
  { hopShare, typeWeight }: RankingParams["graph"],
): ReadonlyMap<string, Route> {
  const start: Route = { strength: 1, steps: [] };
  const best = new Map([[seedId, start]]);
  let frontier = new Map(best);
  for (let hop = 1; hop <= hops && frontier.size > 0; hop++) {
    const next = new Map<string, Route>();
    for (const [id, route] of frontier) {
      for (const { to, type, direction, weight } of edgesFrom.get(id) ?? []) {
        const strength = route.strength * hopShare * typeWeight[type] * weight;
        if (strength <= (best.get(to)?.strength ?? 0)) continue;
        const longer = { strength, steps: [...route.steps, { id: to, type, direction }] };
        best.set(to, longer);
        next.set(to, longer);
      }
    }
    frontier = next;
  }
  return best;
}

function combine(strongestFirst: readonly Share[], hopShare: number): number {
  return strongestFirst.reduceRight((weaker, share) => share.amount + (1 - hopShare) * weaker, 0);
}

function byAmountThenSeed(a: Share, b: Share): number {
  return b.amount - a.amount || byCodeUnits(a.from, b.from);
}

/** A total order of edges, so that their order in the input decides nothing. */
function byEnds(a: WalkedEdge, b: WalkedEdge): number {
  return (
    byCodeUnits(a.from, b.from) ||
    byCodeUnits(a.to, b.to) ||
    byCodeUnits(a.type, b.type) ||
    byCodeUnits(a.direction, b.direction)
  );
}
