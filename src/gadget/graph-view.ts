import type { Edge, Graph, GraphNode, Parsed } from "../../contracts/index.ts";
import { LIMITS, notFound } from "../../contracts/index.ts";
import { titleOf } from "../lib/text.ts";
import type { EdgeList } from "../storage/edge-lists.ts";
import { effectiveStatus, isStale } from "../storage/entry-row.ts";
import { LIST_START } from "../storage/entries.ts";
import type { NodeRow } from "../storage/entries.ts";
import type { Context } from "./context.ts";
import { supersessionOf } from "./lists.ts";

/** Rows that a view reads: one a node, and edges with what is left ([GRA-4]). */
const ROWS = 3_000;

/** Entries whose edges are looked at in one step. */
const STEP = 64;

/** Rows of one entry at most where each of its nine lists shows one edge: to know of them, and to read them. */
const ROWS_PER_ENTRY = 18;

/** Entries that a graph without seeds looks at first ([GRA-2]). */
const NEWEST = 200;

/** Edges between the outermost nodes that are looked for, a node. */
const CLOSING_FAN_OUT = { min: 8, max: 100 };

/** A graph while it grows. */
interface View {
  limit: number;
  ids: Set<string>;
  /** Every edge that was seen, shown or not. */
  edges: Map<string, Edge>;
  rowsLeft: number;
  truncated: boolean;
}

export function graphView(ctx: Context, options: Parsed<"graphView">[0] = {}): Graph {
  const limit = options.limit ?? LIMITS.graphNodes.default;
  const view: View = {
    limit,
    ids: new Set(),
    edges: new Map(),
    rowsLeft: ROWS - limit,
    truncated: false,
  };
  const seeds = ctx.stores.entries.nodes([...new Set(options.seedIds)]);
  if (options.seedIds) {
    const missing = options.seedIds.find((id) => !seeds.some((row) => row.id === id));
    if (missing !== undefined) throw notFound(missing);
    growAround(ctx, view, seeds, options.hops ?? LIMITS.hops.default);
  } else {
    growFromNewest(ctx, view);
  }
  return shown(ctx, view, seeds);
}

/** Breadth first, heaviest edges first ([GRA-1]). */
function growAround(ctx: Context, view: View, seeds: readonly NodeRow[], hops: number): void {
  view.truncated = seeds.length > view.limit;
  let outermost = seeds.slice(0, view.limit).map((row) => row.id);
  for (const id of outermost) view.ids.add(id);
  for (let hop = 0; hop < hops && outermost.length > 0; hop++) {
    const steps = heaviestFirst(follow(ctx, view, outermost));
    outermost = [];
    for (const { edge, to } of steps) {
      see(view, edge);
      if (!view.ids.has(to) && enter(view, to)) outermost.push(to);
    }
  }
  close(ctx, view, outermost);
}

/** The strongest edges of the newest entries, then any others ([GRA-2]). */
function growFromNewest(ctx: Context, view: View): void {
  const { entries, edges, tallies } = ctx.stores;
  const newest = entries.recent(NEWEST, LIST_START).map((place) => place.id);
  const total = Object.values(tallies.edges()).reduce((sum, n) => sum + n, 0);
  view.rowsLeft -= newest.length + 1;
  const strongest = follow(ctx, view, newest)
    .flatMap((list) => list.edges)
    .sort((a, b) => b.weight - a.weight || compare(a.src, b.src) || compareEnds(a, b));
  for (const edge of strongest) show(view, edge);
  if (view.ids.size < view.limit && view.edges.size < total) {
    const others = edges.any(Math.min(view.rowsLeft, view.limit));
    view.rowsLeft -= others.length;
    for (const edge of others) show(view, edge);
  }
  const looked = new Set(newest);
  close(
    ctx,
    view,
    [...view.ids].filter((id) => !looked.has(id)),
  );
  view.truncated ||= view.edges.size < total;
}

/**
 * The edges of some entries: what the rows that are left allow, shared out among the entries and among the
 * lists of each step, so that a hub of any size costs what it is given.
 */
function follow(ctx: Context, view: View, ids: readonly string[]): EdgeList[] {
  const found: EdgeList[] = [];
  for (let at = 0, step = 0; at < ids.length; at += step) {
    step = Math.min(STEP, ids.length - at, Math.floor(view.rowsLeft / ROWS_PER_ENTRY));
    if (step === 0) {
      view.truncated = true;
      break;
    }
    const share = Math.floor((view.rowsLeft * step) / (ids.length - at));
    const some = ids.slice(at, at + step);
    const lists = ctx.stores.edges.countLists(some);
    view.rowsLeft -= lists;
    if (lists === 0) continue;
    const fanOut = Math.max(1, Math.min(view.limit + 1, Math.floor((share - lists) / lists)));
    found.push(...read(ctx, view, some, fanOut, true));
  }
  view.truncated ||= found.some((list) => list.cut);
  return found;
}

/** Edges between the outermost nodes, and from them to the others, as far as the rows that are left go. */
function close(ctx: Context, view: View, outermost: readonly string[]): void {
  const { min, max } = CLOSING_FAN_OUT;
  const fanOut = Math.min(max, Math.max(min, Math.floor(view.rowsLeft / outermost.length)));
  for (let at = 0, step = 0; at < outermost.length; at += step) {
    step = Math.min(STEP, Math.floor(view.rowsLeft / fanOut));
    if (step === 0) return;
    const lists = read(ctx, view, outermost.slice(at, at + step), fanOut, false);
    for (const edge of lists.flatMap((list) => list.edges)) see(view, edge);
  }
}

/** A list that ends before `fanOut` costs one row more: the one that it ends at. */
function read(ctx: Context, view: View, ids: readonly string[], fanOut: number, both: boolean) {
  const lists = ctx.stores.edges.lists(ids, fanOut, both);
  for (const list of lists) view.rowsLeft -= Math.min(fanOut, list.edges.length + 1);
  return lists;
}

/** By weight, and among equals every list's first, then every list's second: no list has the view to itself. */
function heaviestFirst(lists: readonly EdgeList[]): { edge: Edge; to: string }[] {
  return lists
    .flatMap(({ from, edges }) =>
      edges.map((edge, rank) => ({ edge, rank, to: edge.src === from ? edge.dst : edge.src })),
    )
    .sort(
      (a, b) =>
        b.edge.weight - a.edge.weight ||
        a.rank - b.rank ||
        compare(a.to, b.to) ||
        compareEnds(a.edge, b.edge),
    );
}

function see(view: View, edge: Edge): void {
  view.edges.set(`${edge.src} ${edge.type} ${edge.dst}`, edge);
}

function show(view: View, edge: Edge): void {
  see(view, edge);
  for (const id of [edge.src, edge.dst]) if (!view.ids.has(id)) enter(view, id);
}

/** False when there is no room. */
function enter(view: View, id: string): boolean {
  if (view.ids.size >= view.limit) {
    view.truncated = true;
    return false;
  }
  view.ids.add(id);
  return true;
}

function shown(ctx: Context, view: View, known: readonly NodeRow[]): Graph {
  const byId = new Map(known.map((row) => [row.id, row]));
  const unknown = [...view.ids].filter((id) => !byId.has(id));
  for (const row of ctx.stores.entries.nodes(unknown)) byId.set(row.id, row);
  const rows = [...view.ids].flatMap((id) => byId.get(id) ?? []);
  const supersession = supersessionOf(ctx, rows);
  return {
    nodes: rows.map((row) => toNode(row, ctx.now, supersession.isSuperseded(row.id))),
    edges: [...view.edges.values()]
      .filter(({ src, dst }) => view.ids.has(src) && view.ids.has(dst))
      .sort((a, b) => compare(a.src, b.src) || compareEnds(a, b)),
    truncated: view.truncated,
  };
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

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const compareEnds = (a: Edge, b: Edge) => compare(a.type, b.type) || compare(a.dst, b.dst);
