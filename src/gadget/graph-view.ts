import type { Graph, GraphNode, Parsed } from "../../contracts/index.ts";
import { LIMITS, notFound } from "../../contracts/index.ts";
import { titleOf } from "../lib/text.ts";
import { effectiveStatus, isStale } from "../storage/entry-row.ts";
import type { NodeRow } from "../storage/entries.ts";
import type { Context } from "./context.ts";
import { supersessionOf } from "./lists.ts";

/** Edges of one node and direction that a view looks at, heaviest first. */
const EDGES_PER_NODE = 100;

/** Edges followed per node and direction at least, however many nodes a step starts from. */
const LEAST_FAN_OUT = 8;

export function graphView(ctx: Context, options: Parsed<"graphView">[0] = {}): Graph {
  const limit = options.limit ?? LIMITS.graphNodes.default;
  const { ids, truncated } = options.seedIds
    ? around(ctx, [...new Set(options.seedIds)], options.hops ?? LIMITS.hops.default, limit)
    : strongest(ctx, limit);
  const rows = ctx.stores.entries.nodes(ids);
  const supersession = supersessionOf(ctx, rows);
  return {
    nodes: rows.map((row) => toNode(row, ctx.now, supersession.isSuperseded(row.id))),
    edges: ctx.stores.edges.among(ids, EDGES_PER_NODE),
    truncated,
  };
}

/**
 * Breadth first, heaviest edges first ([GRA-1]). Fan-out shrinks as a step grows, so that rows follow `limit`.
 */
function around(ctx: Context, seeds: string[], hops: number, limit: number) {
  const known = new Set(ctx.stores.entries.nodes(seeds).map((row) => row.id));
  const missing = seeds.find((id) => !known.has(id));
  if (missing !== undefined) throw notFound(missing);

  const seen = new Set(seeds.slice(0, limit));
  let truncated = seeds.length > limit;
  let frontier = [...seen];
  for (let hop = 0; hop < hops && frontier.length > 0; hop++) {
    const room = limit - seen.size;
    const fanOut = Math.max(LEAST_FAN_OUT, Math.ceil((2 * room) / frontier.length));
    const edges = ctx.stores.edges.neighbours(frontier, fanOut + 1);
    const perNode = new Map<string, number>();
    const next: string[] = [];
    for (const edge of edges) {
      const key = `${edge.from} ${edge.direction}`;
      const count = (perNode.get(key) ?? 0) + 1;
      perNode.set(key, count);
      if (seen.has(edge.to)) continue;
      if (count > fanOut || seen.size >= limit) {
        truncated = true;
        continue;
      }
      seen.add(edge.to);
      next.push(edge.to);
    }
    frontier = next;
  }
  return { ids: [...seen], truncated };
}

/** Without seeds ([GRA-2]). */
function strongest(ctx: Context, limit: number) {
  // Two ends an edge: `limit` edges name at least as many nodes as are shown, unless they share ends.
  const edges = ctx.stores.edges.strongest(limit + 1);
  const ids = [...new Set(edges.flatMap((edge) => [edge.src, edge.dst]))];
  return { ids: ids.slice(0, limit), truncated: edges.length > limit || ids.length > limit };
}

function toNode(row: NodeRow, now: number, superseded: boolean): GraphNode {
  const status = effectiveStatus(row.status, row.expires_at, now);
  return {
    id: row.id,
    title: titleOf(row.content),
    kind: row.kind,
    status,
    importance: row.importance,
    stale: isStale(row, now),
    superseded,
  };
}
