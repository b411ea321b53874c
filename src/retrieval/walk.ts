import type { RecallDeps } from "./deps.ts";
import type { WalkedEdge } from "./stages.ts";

/**
 * Breadth-first from the seeds, both ways: per node the `fanOut` heaviest edges (ties by id), at most
 * `nodes` nodes in all, `hops` deep. A hub costs what any node costs ([STO-7]).
 */
export function walk(
  deps: Pick<RecallDeps, "neighbours" | "params">,
  seeds: readonly string[],
  hops: number,
): WalkedEdge[] {
  const { fanOut, nodes } = deps.params.graph;
  const seen = new Set(seeds);
  const edges: WalkedEdge[] = [];
  let frontier = [...seeds];
  for (let hop = 1; hop <= hops && frontier.length > 0; hop++) {
    const byNode = Map.groupBy(deps.neighbours(frontier, fanOut), (edge) => edge.from);
    const next: string[] = [];
    for (const id of frontier) {
      const heaviest = (byNode.get(id) ?? []).sort(byWeightThenEnd).slice(0, fanOut);
      for (const edge of heaviest) {
        if (!seen.has(edge.to)) {
          if (seen.size >= nodes) continue;
          seen.add(edge.to);
          next.push(edge.to);
        }
        edges.push({ ...edge, hop });
      }
    }
    frontier = next;
  }
  return edges;
}

type End = { to: string; type: string; direction: string; weight: number };

function byWeightThenEnd(a: End, b: End): number {
  const key = (edge: End) => `${edge.to} ${edge.type} ${edge.direction}`;
  return b.weight - a.weight || (key(a) < key(b) ? -1 : 1);
}
