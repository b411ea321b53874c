import type { MiniSphereApi } from "../../contracts/api.ts";
import type { Captured } from "../../contracts/entities.ts";
import { hasErrorCode } from "../../contracts/errors.ts";
import { byteLength } from "../../contracts/inputs.ts";
import { LIMITS } from "../../contracts/limits.ts";
import type { Progress } from "./progress.ts";
import type { CaptureItem, Plan, PlannedEdge, PlannedEntry } from "../importers/plan.ts";

/** Small enough that a bar moves, large enough that the round trips do not count. */
const BATCH = { items: 100, bytes: LIMITS.captureMany.bytes / 2 } as const;
const LINKS_AT_ONCE = 64;

export interface Filled {
  entries: number;
  newEntries: number;
  edges: number;
  newEdges: number;
  /** What the workspace did not take, in sentences: entries with a credential, edges that close a cycle. */
  refused: string[];
}

type Sphere = Pick<MiniSphereApi, "captureMany" | "link">;

/**
 * Carries out a plan over the public RPC. Doing it again adds nothing, also after a break: equal bytes and
 * equal edges are one. What is refused by itself is told of, and the rest goes on.
 */
export async function fill(sphere: Sphere, plan: Plan, progress: Progress): Promise<Filled> {
  const ids = new Map<string, string>();
  const created = new Set<string>();
  const refused: string[] = [];
  let at = 0;
  for (const items of batches(
    plan.entries.map((entry) => entry.item),
    BATCH,
  )) {
    const entries = plan.entries.slice(at, at + items.length);
    at += items.length;
    for (const [key, result] of await captureAll(sphere, entries, refused)) {
      ids.set(key, result.id);
      if (result.created) created.add(result.id);
    }
    progress.advance(items.length);
  }
  const edges = resolveEdges(plan.edges, ids);
  let newEdges = 0;
  for (let from = 0; from < edges.length; from += LINKS_AT_ONCE) {
    const together = edges.slice(from, from + LINKS_AT_ONCE);
    const linked = await Promise.all(together.map((edge) => linkOne(sphere, edge, refused)));
    newEdges += linked.filter(Boolean).length;
    progress.advance(linked.length);
  }
  return {
    entries: new Set(ids.values()).size,
    newEntries: created.size,
    edges: edges.length,
    newEdges,
    refused,
  };
}

/** A call is all or nothing ([CPM-2]): the item that it names is left out, and the others asked again. */
async function captureAll(
  sphere: Sphere,
  entries: readonly PlannedEntry[],
  refused: string[],
): Promise<[key: string, Captured][]> {
  const left = [...entries];
  while (left.length > 0) {
    try {
      const { results } = await sphere.captureMany(left.map((entry) => entry.item));
      return left.flatMap(({ key }, n) => (results[n] ? [[key, results[n]]] : []));
    } catch (error) {
      const [bad] = left.splice(refusedIndex(error) ?? Infinity, 1);
      if (!bad) throw error;
      refused.push(`${bad.key}: ${(error as Error).message}`);
    }
  }
  return [];
}

function refusedIndex(error: unknown): number | null {
  if (!hasErrorCode(error)) return null;
  const index = (error as { details?: Record<string, unknown> }).details?.["index"];
  return typeof index === "number" ? index : null;
}

/** True when the edge is new. */
async function linkOne(sphere: Sphere, edge: ResolvedEdge, refused: string[]): Promise<boolean> {
  const { src, dst, type, metadata, said } = edge;
  try {
    return (await sphere.link(src, dst, type, metadata ? { metadata } : {})).created;
  } catch (error) {
    if (!hasErrorCode(error) || (error.code !== "conflict" && error.code !== "invalid_input")) {
      throw error;
    }
    refused.push(`${said}: ${error.message}`);
    return false;
  }
}

interface ResolvedEdge extends PlannedEdge {
  said: string;
}

// Two keys of equal text are one entry, so that an edge between them would lead from it to itself.
function resolveEdges(
  edges: readonly PlannedEdge[],
  ids: ReadonlyMap<string, string>,
): ResolvedEdge[] {
  const resolved = edges.flatMap((edge): ResolvedEdge[] => {
    const [src, dst] = [ids.get(edge.src), ids.get(edge.dst)];
    const said = `${edge.src} ${edge.type} ${edge.dst}`;
    return !src || !dst || src === dst ? [] : [{ ...edge, src, dst, said }];
  });
  return [
    ...new Map(resolved.map((edge) => [`${edge.src} ${edge.dst} ${edge.type}`, edge])).values(),
  ];
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
