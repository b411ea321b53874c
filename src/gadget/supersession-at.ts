import { Supersession } from "../storage/supersession.ts";
import type { Context } from "./context.ts";

/** Who replaces whom, with the statuses of then as of a time ([REC-21], [REC-22]). */
export function supersession(
  { stores, now }: Context,
  ids: readonly string[],
  asOf?: number,
): Supersession {
  const edges = ids.length === 0 ? [] : stores.edges.above(ids, now);
  if (asOf === undefined || edges.length === 0) return new Supersession(edges, asOf);
  const ends = [...new Set(edges.flatMap(({ src, dst }) => [src, dst]))];
  const then = stores.entries.statusesAt(ends, now, asOf);
  return new Supersession(
    edges.map((edge) => ({
      ...edge,
      srcStatus: then.get(edge.src) ?? edge.srcStatus,
      dstStatus: then.get(edge.dst) ?? edge.dstStatus,
    })),
    asOf,
  );
}
