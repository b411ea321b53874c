import type {
  CaptureOptions,
  Edge,
  EdgeType,
  LinkOptions,
  Provenance,
} from "../../contracts/index.ts";
import { EDGE_RULES, PROVENANCES, conflict, invalidInput } from "../../contracts/index.ts";
import type { StoredEntry } from "../storage/entry-row.ts";
import type { Context } from "./context.ts";
import { audit } from "./context.ts";
import { requireEntry, statusNow } from "./entry.ts";
import { assertBorne, derives } from "./grounds.ts";
import { assertMayDerive, assertMayLink, assertMayReplaceMetadata } from "./policy.ts";

const DEFAULT_WEIGHT = 0.5;

/** What `connect` did. */
interface Connected {
  edge: Edge;
  created: boolean;
  /** Made or strengthened. */
  changed: boolean;
  /** It is a new edge by which src replaces dst from now on. */
  replaces: boolean;
}

export function link(
  ctx: Context,
  from: string,
  to: string,
  type: EdgeType,
  options: LinkOptions = {},
): { edge: Edge; created: boolean } {
  const connected = connect(ctx, from, to, type, options);
  const { edge, created } = connected;
  if (connected.changed) audit(ctx, "linked", edge.src, { type, dst: edge.dst, created });
  auditReplaced(ctx, connected);
  return { edge, created };
}

/** The links of one capture: their edges are in its line of the audit log, and not in one each. */
export function connectAll(
  ctx: Context,
  id: string,
  { links = [], derivedFrom = [] }: Pick<CaptureOptions, "links" | "derivedFrom">,
) {
  const derived = derivedFrom.map((dst) => ({ type: "caused_by" as const, dst }));
  const connected = [...links, ...derived].map((each) => {
    const [src, dst] = "dst" in each ? [id, each.dst] : [each.src, id];
    return connect(ctx, src, dst, each.type);
  });
  return {
    changed: connected
      .filter((each) => each.changed)
      .map(({ edge: { src, dst, type }, created }) => ({ type, src, dst, created })),
    auditReplaced: () => connected.forEach((each) => auditReplaced(ctx, each)),
  };
}

function auditReplaced(ctx: Context, { edge, replaces }: Connected): void {
  if (replaces) audit(ctx, "superseded", edge.dst, { by: edge.src });
}

/** Makes or strengthens an edge; the audit log is the caller's. */
function connect(
  ctx: Context,
  from: string,
  to: string,
  type: EdgeType,
  options: LinkOptions = {},
): Connected {
  if (from === to) {
    throw invalidInput(`A link needs two different entries; both ends are ${from}.`, {
      path: "dst",
    });
  }
  const [src, dst] = canonicalEnds(from, to, type);
  const source = requireEntry(ctx, src);
  const target = requireEntry(ctx, dst);
  assertKindsFit(type, source, target);
  assertMayLink(ctx.grant, type, asEnd(ctx, source), asEnd(ctx, target));

  const existing = ctx.stores.edges.find(src, dst, type);
  if (existing) {
    const edge = strengthen(ctx, existing, options);
    return { edge, created: false, changed: edge !== existing, replaces: false };
  }
  if (type === "supersedes") assertNoCycle(ctx, src, dst);
  if (derives(type)) assertMayDerive(ctx.grant, asEnd(ctx, source));

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
  if (derives(type)) assertBorne(ctx, source);
  const replaces = type === "supersedes" && countsNow(ctx, source, target);
  return { edge, created: true, changed: true, replaces };
}

const asEnd = (ctx: Context, entry: StoredEntry) => ({
  id: entry.id,
  status: statusNow(ctx, entry),
  actor: entry.actor,
});

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
