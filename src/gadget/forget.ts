import type { Forgotten } from "../../contracts/index.ts";
import type { Context } from "./context.ts";
import { audit } from "./context.ts";
import { requireEntry } from "./entry.ts";

/** Erases the entry and all that hangs on it; chains it stood in are joined first ([FGT-1], [FGT-5]). */
export function forget(ctx: Context, id: string): Forgotten {
  const { stores } = ctx;
  const entry = requireEntry(ctx, id);
  const removed = {
    edges: stores.edges.count(id),
    revisions: stores.revisions.count(entry.rid),
    tags: stores.tags.of(entry.rid).length,
  };
  const chain = stores.edges.chainNeighbours(id);
  stores.index.erase(entry.rid);
  stores.entries.delete(entry.rid);
  joinChain(ctx, chain);
  audit(ctx, "forgotten", id);
  return { id, removed };
}

/** Without these edges, forgetting the middle of a chain would bring back what it had replaced. */
function joinChain(ctx: Context, chain: { above: string[]; below: string[] }): void {
  for (const src of chain.above) {
    for (const dst of chain.below) {
      if (ctx.stores.edges.find(src, dst, "supersedes")) continue;
      ctx.stores.edges.insert({
        src,
        dst,
        type: "supersedes",
        weight: 0.5,
        provenance: "system",
        metadata: null,
        createdAt: ctx.now,
        updatedAt: ctx.now,
      });
      audit(ctx, "linked", src, { type: "supersedes", dst, created: true });
    }
  }
}
