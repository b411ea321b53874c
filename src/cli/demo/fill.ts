import type { MiniSphereApi } from "../../../contracts/api.ts";
import { byteLength } from "../../../contracts/inputs.ts";
import { LIMITS } from "../../../contracts/limits.ts";
import type { Progress } from "../progress.ts";
import type { CaptureItem, Plan, PlannedEdge } from "./plan.ts";

/** Small enough that a bar moves, large enough that the round trips do not count. */
const BATCH = { items: 100, bytes: LIMITS.captureMany.bytes / 2 } as const;
const LINKS_AT_ONCE = 64;

export interface Filled {
  entries: number;
  newEntries: number;
  edges: number;
  newEdges: number;
}

/** Carries out a plan over the public RPC. Doing it again adds nothing: equal bytes and equal edges are one. */
export async function fill(
  sphere: Pick<MiniSphereApi, "captureMany" | "link">,
  plan: Plan,
  progress: Progress,
): Promise<Filled> {
  const ids = new Map<string, string>();
  const created = new Set<string>();
  let at = 0;
  for (const items of batches(
    plan.entries.map((entry) => entry.item),
    BATCH,
  )) {
    const { results } = await sphere.captureMany(items);
    for (const result of results) {
      const key = plan.entries[at++]?.key ?? "";
      ids.set(key, result.id);
      if (result.created) created.add(result.id);
    }
    progress.advance(items.length);
  }
  const edges = resolveEdges(plan.edges, ids);
  let newEdges = 0;
  for (let from = 0; from < edges.length; from += LINKS_AT_ONCE) {
    const together = edges.slice(from, from + LINKS_AT_ONCE);
    const linked = await Promise.all(
      together.map(([src, dst, type]) => sphere.link(src, dst, type)),
    );
    newEdges += linked.filter((each) => each.created).length;
    progress.advance(linked.length);
  }
  return {
    entries: new Set(ids.values()).size,
    newEntries: created.size,
    edges: edges.length,
    newEdges,
  };
}

type ResolvedEdge = [src: string, dst: string, type: PlannedEdge["type"]];

// Two keys of equal text are one entry, so that an edge between them would lead from it to itself.
function resolveEdges(
  edges: readonly PlannedEdge[],
  ids: ReadonlyMap<string, string>,
): ResolvedEdge[] {
  const resolved = edges.flatMap(({ src, dst, type }): ResolvedEdge[] => {
    const [from, to] = [ids.get(src), ids.get(dst)];
    return from === undefined || to === undefined || from === to ? [] : [[from, to, type]];
  });
  return [...new Map(resolved.map((edge) => [edge.join(" "), edge])).values()];
}

/** Consecutive groups within a number of items and of bytes of JSON. */
export function batches(
  items: readonly CaptureItem[],
  bound: { items: number; bytes: number },
): CaptureItem[][] {
  const groups: CaptureItem[][] = [];
  let bytes = Infinity;
  for (const item of items) {
    const size = byteLength(JSON.stringify(item));
    const group = groups.at(-1);
    if (!group || group.length >= bound.items || bytes + size > bound.bytes) {
      groups.push([item]);
      bytes = size;
    } else {
      group.push(item);
      bytes += size;
    }
  }
  return groups;
}
