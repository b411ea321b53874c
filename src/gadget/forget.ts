import type { Forgotten, Status } from "../../contracts/index.ts";
import { STATUSES } from "../../contracts/index.ts";
import { effectiveStatus } from "../storage/entry-row.ts";
import type { StoredEntry } from "../storage/entry-row.ts";
import { assertRevision } from "./change.ts";
import type { Context } from "./context.ts";
import { audit } from "./context.ts";
import { requireEntry, statusNow } from "./entry.ts";

/** Erases the entry and all that hangs on it; chains it stood in are joined first ([FGT-1], [FGT-5]). */
export function forget(
  ctx: Context,
  id: string,
  options: { ifRevision?: number | undefined } = {},
): Forgotten {
  const entry = requireEntry(ctx, id);
  assertRevision(entry, options.ifRevision);
  const shown = ctx.grant.tags === undefined ? null : ctx.stores.edges.countAt(id);
  // Erased in all of the workspace: what hangs on it outside the scope too, and no chain there may break.
  return eraseFrom({ ...ctx, stores: ctx.whole }, entry, shown);
}

function eraseFrom(ctx: Context, entry: StoredEntry, shownEdges: number | null): Forgotten {
  const { stores } = ctx;
  const { id } = entry;
  const chain = stores.edges.chainNeighbours(id);
  const below = chain.below.filter((dst) => !onlyProposed(ctx, entry, dst));
  const tags = stores.tags.of(entry.rid);
  const edges = stores.edges.deleteAt(id);
  const removed = {
    edges: shownEdges ?? edges,
    revisions: stores.revisions.count(entry.rid),
    tags: tags.length,
  };
  stores.tags.remove(entry.rid, tags);
  stores.index.erase(entry.rid);
  stores.entries.delete(entry);
  stores.vectors.forgotten(entry.rid);
  joinChain(ctx, chain.above, below);
  audit(ctx, "forgotten", id);
  return { id, removed };
}

/** A draft over a canonical entry replaced nothing, so there is no place of it to take. */
function onlyProposed(ctx: Context, entry: StoredEntry, dst: string): boolean {
  const replaced = requireEntry(ctx, dst);
  return statusNow(ctx, entry) === "draft" && statusNow(ctx, replaced) === "canonical";
}

/** Edges that one forget makes at most, but for one to each entry below. */
const JOINED_PAIRS = 1_000;

/**
 * Without these edges, forgetting the middle of a chain would bring back what it had replaced. In a wide
 * fork the pairs are too many; then each entry below keeps the most standing of those above ([FGT-5]).
 */
function joinChain(ctx: Context, above: readonly string[], below: readonly string[]): void {
  const most = Math.max(1, Math.floor(JOINED_PAIRS / Math.max(1, below.length)));
  for (const src of standingFirst(ctx, above).slice(0, most)) {
    for (const dst of below) {
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

/** Canonical ones, then drafts, then deprecated ones; by id among equals. */
function standingFirst(ctx: Context, ids: readonly string[]): string[] {
  const place = (row: { status: Status; expires_at: number | null }) =>
    STATUSES.indexOf(effectiveStatus(row.status, row.expires_at, ctx.now));
  return ctx.stores.entries
    .nodes(ids.toSorted())
    .sort((a, b) => place(a) - place(b))
    .map((row) => row.id);
}
