import type { Edge, EdgeType, LinkOptions, Provenance } from "../../contracts/index.ts";
import { EDGE_RULES, PROVENANCES, conflict, invalidInput } from "../../contracts/index.ts";
import type { StoredEntry } from "../storage/entry-row.ts";
import type { Context } from "./context.ts";
import { audit } from "./context.ts";
import { requireEntry, statusNow } from "./entry.ts";
import { assertMayLink, assertMayReplaceMetadata } from "./policy.ts";

const DEFAULT_WEIGHT = 0.5;

export function link(
  ctx: Context,
  from: string,
  to: string,
  type: EdgeType,
  options: LinkOptions = {},
): { edge: Edge; created: boolean } {
  if (from === to) {
    throw invalidInput(`A link needs two different entries; both ends are ${from}.`, {
      path: "dst",
    });
  }
  const [src, dst] = canonicalEnds(from, to, type);
  const source = requireEntry(ctx, src);
  const target = requireEntry(ctx, dst);
  assertKindsFit(type, source, target);
  assertMayLink(ctx.grant, type, { id: src, status: statusNow(ctx, source) });

  const existing = ctx.stores.edges.find(src, dst, type);
  if (existing) return { edge: strengthen(ctx, existing, options), created: false };
  if (type === "supersedes") assertNoCycle(ctx, src, dst);

  const edge: Edge = {
    src,
    dst,
    type,
    weight: options.weight ?? DEFAULT_WEIGHT,
    provenance: options.provenance ?? "explicit",
    metadata: options.metadata ?? null,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
  ctx.stores.edges.insert(edge);
  audit(ctx, "linked", src, { type, dst, created: true });
  if (type === "supersedes" && countsNow(ctx, source, target)) {
    audit(ctx, "superseded", dst, { by: src });
  }
  return { edge, created: true };
}

/** `relates_to` has no direction: it is stored once, with the smaller id as src ([LNK-2]). */
function canonicalEnds(src: string, dst: string, type: EdgeType): [string, string] {
  return EDGE_RULES[type].symmetric && dst < src ? [dst, src] : [src, dst];
}

/** The same edge again: larger weight, stronger provenance, new metadata ([LNK-3]). */
function strengthen(ctx: Context, existing: Edge, options: LinkOptions): Edge {
  assertMayReplaceMetadata(ctx.grant, existing, options);
  const stronger = (a: Provenance, b: Provenance) =>
    PROVENANCES.indexOf(a) <= PROVENANCES.indexOf(b) ? a : b;
  const edge: Edge = {
    ...existing,
    weight: Math.max(existing.weight, options.weight ?? DEFAULT_WEIGHT),
    provenance: stronger(existing.provenance, options.provenance ?? "explicit"),
    metadata: options.metadata ?? existing.metadata,
  };
  if (JSON.stringify(edge) === JSON.stringify(existing)) return existing;
  const saved = { ...edge, updatedAt: ctx.now };
  ctx.stores.edges.save(saved);
  audit(ctx, "linked", saved.src, { type: saved.type, dst: saved.dst, created: false });
  return saved;
}

function assertKindsFit(type: EdgeType, source: StoredEntry, target: StoredEntry): void {
  const rule = EDGE_RULES[type];
  const dstKinds = rule.dst === "same" ? [source.kind] : rule.dst;
  if (rule.src.includes(source.kind) && dstKinds.includes(target.kind)) return;
  throw conflict(
    `${type} goes from ${rule.src.join(" or ")} to ` +
      `${rule.dst === "same" ? "an entry of the same kind" : dstKinds.join(" or ")}; ` +
      `${source.id} is ${source.kind} and ${target.id} is ${target.kind}.`,
    { type, src: source.kind, dst: target.kind },
  );
}

/** Whatever the statuses along it: they may change ([EDG-4]). */
function assertNoCycle(ctx: Context, src: string, dst: string): void {
  if (!ctx.stores.edges.isAbove(dst, src)) return;
  throw conflict(
    `${src} cannot supersede ${dst}: ${dst} already supersedes it, directly or through others.`,
    {
      src,
      dst,
    },
  );
}

/** Whether an edge from source to target counts by itself ([SUP-1], [SUP-2]). */
function countsNow(ctx: Context, source: StoredEntry, target: StoredEntry): boolean {
  const status = statusNow(ctx, source);
  const proposes = status === "draft" && statusNow(ctx, target) === "canonical";
  return status !== "deprecated" && !proposes;
}

/** A change of status can make the entry's own `supersedes` edges count: what they replace is replaced now. */
export function auditSuperseded(ctx: Context, before: StoredEntry, after: StoredEntry): void {
  if (statusNow(ctx, before) === statusNow(ctx, after)) return;
  for (const id of ctx.stores.edges.chainNeighbours(after.id).below) {
    const target = requireEntry(ctx, id);
    if (countsNow(ctx, before, target) || !countsNow(ctx, after, target)) continue;
    audit(ctx, "superseded", id, { by: after.id });
  }
}

export function unlink(
  ctx: Context,
  from: string,
  to: string,
  type: EdgeType,
): { removed: boolean } {
  requireEntry(ctx, from);
  requireEntry(ctx, to);
  const [src, dst] = canonicalEnds(from, to, type);
  if (!ctx.stores.edges.find(src, dst, type)) return { removed: false };
  ctx.stores.edges.delete(src, dst, type);
  audit(ctx, "unlinked", src, { type, dst });
  return { removed: true };
}
