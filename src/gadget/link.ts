import type { Edge, EdgeType, LinkOptions, Provenance } from "../../contracts/index.ts";
import { EDGE_RULES, PROVENANCES, conflict, invalidInput } from "../../contracts/index.ts";
import { effectiveStatus } from "../storage/entry-row.ts";
import type { StoredEntry } from "../storage/entry-row.ts";
import type { Context } from "./context.ts";
import { audit } from "./context.ts";
import { requireEntry } from "./entry.ts";
import { assertMayLink } from "./policy.ts";

const DEFAULT_WEIGHT = 0.5;

export function link(
  ctx: Context,
  src: string,
  dst: string,
  type: EdgeType,
  options: LinkOptions = {},
): { edge: Edge; created: boolean } {
  const made = makeLink(ctx, src, dst, type, options);
  if (made.changed) {
    const { edge } = made;
    audit(ctx, "linked", edge.src, { type, dst: edge.dst, created: made.created });
  }
  return { edge: made.edge, created: made.created };
}

/** Creates or strengthens an edge, without the `linked` line of the audit log: capture has a line already. */
export function makeLink(
  ctx: Context,
  from: string,
  to: string,
  type: EdgeType,
  options: LinkOptions = {},
): { edge: Edge; created: boolean; changed: boolean } {
  if (from === to) throw invalidInput(`A link needs two different entries; both ends are ${from}.`);
  const [src, dst] = canonicalEnds(from, to, type);
  const source = requireEntry(ctx, src);
  const target = requireEntry(ctx, dst);
  assertKindsFit(type, source, target);
  assertMayLink(ctx.grant, type, source);

  const existing = ctx.stores.edges.find(src, dst, type);
  if (existing) return strengthen(ctx, existing, options);
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
  if (type === "supersedes" && countsNow(ctx, source, target)) {
    audit(ctx, "superseded", dst, { by: src });
  }
  return { edge, created: true, changed: true };
}

/** `relates_to` has no direction: it is stored once, with the smaller id as src ([LNK-2]). */
export function canonicalEnds(src: string, dst: string, type: EdgeType): [string, string] {
  return EDGE_RULES[type].symmetric && dst < src ? [dst, src] : [src, dst];
}

/** The same edge again: larger weight, stronger provenance, new metadata ([LNK-3]). */
function strengthen(ctx: Context, existing: Edge, options: LinkOptions) {
  const stronger = (a: Provenance, b: Provenance) =>
    PROVENANCES.indexOf(a) <= PROVENANCES.indexOf(b) ? a : b;
  const edge: Edge = {
    ...existing,
    weight: Math.max(existing.weight, options.weight ?? DEFAULT_WEIGHT),
    provenance: stronger(existing.provenance, options.provenance ?? "explicit"),
    metadata: options.metadata ?? existing.metadata,
  };
  const changed = JSON.stringify(edge) !== JSON.stringify(existing);
  if (!changed) return { edge: existing, created: false, changed };
  const saved = { ...edge, updatedAt: ctx.now };
  ctx.stores.edges.save(saved);
  return { edge: saved, created: false, changed };
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

function countsNow(ctx: Context, source: StoredEntry, target: StoredEntry): boolean {
  const status = (entry: StoredEntry) => effectiveStatus(entry.status, entry.expiresAt, ctx.now);
  const proposes = status(source) === "draft" && status(target) === "canonical";
  return status(source) !== "deprecated" && !proposes;
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
