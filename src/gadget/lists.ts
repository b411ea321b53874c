import type { Edge, EntrySummary, Kind, Parsed, Results } from "../../contracts/index.ts";
import { LIMITS } from "../../contracts/index.ts";
import { cut } from "../lib/text.ts";
import { LIST_START } from "../storage/entries.ts";
import type { Place } from "../storage/entries.ts";
import type { ListedRow } from "../storage/entry-row.ts";
import { toSummary } from "../storage/entry-row.ts";
import { Supersession } from "../storage/supersession.ts";
import type { Context } from "./context.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import type { Place as CursorPlace } from "./cursor.ts";
import { requireEntry } from "./entry.ts";

/** Entries of a tag that a page of one kind looks at ([LST-4]). */
const LOOKED_AT = 1_000;
const LOOKED_AT_ONCE = 100;

export function listRecent(
  ctx: Context,
  options: Parsed<"listRecent">[0] = {},
): Results["listRecent"] {
  const { entries } = ctx.stores;
  const n = options.n ?? LIMITS.page.default;
  const place = decodeCursor("listRecent", options.cursor, [0, ""]);
  const after = place === null ? LIST_START : { at: place[0] as number, id: place[1] as string };
  const { places, stoppedAt } = placesOf(ctx, options, n + 1, after);
  const { page, next } = paged("listRecent", places, n, toCursor, stoppedAt && toCursor(stoppedAt));
  const rows = entries.listed(page.map((each) => each.id));
  return { entries: summaries(ctx, rows), next };
}

const toCursor = (place: Place) => [place.at, place.id];

/** Places in the list; `stoppedAt` where the look for more of them ended early. */
function placesOf(
  ctx: Context,
  { tag, kind }: { tag?: string | undefined; kind?: Kind | undefined },
  n: number,
  start: Place,
): { places: Place[]; stoppedAt: Place | null } {
  const { entries } = ctx.stores;
  if (tag === undefined) {
    const places =
      kind === undefined ? entries.recent(n, start) : entries.recentOfKind(kind, n, start);
    return { places, stoppedAt: null };
  }
  const places: Place[] = [];
  const once = kind === undefined ? n : Math.max(n, LOOKED_AT_ONCE);
  let after = start;
  for (let looked = 0; looked < LOOKED_AT; looked += once) {
    const tagged = entries.recentWithTag(tag, once, after);
    places.push(...tagged.filter((each) => kind === undefined || each.kind === kind));
    const last = tagged.at(-1);
    if (places.length >= n || last === undefined || tagged.length < once) {
      return { places: places.slice(0, n), stoppedAt: null };
    }
    after = last;
  }
  return { places, stoppedAt: after };
}

export function history(
  ctx: Context,
  id: string,
  options: Parsed<"history">[1] = {},
): Results["history"] {
  const entry = requireEntry(ctx, id);
  const n = options.n ?? LIMITS.page.default;
  const place = decodeCursor("history", options.cursor, [0]);
  const rows = ctx.stores.revisions.list(
    entry.rid,
    n + 1,
    place === null ? null : (place[0] as number),
  );
  const { page, next } = paged("history", rows, n, (row) => [row.revision]);
  const revisions = page.map(({ content, changes, ...row }) => {
    const shown = content === null ? null : cut(content, LIMITS.listedChars);
    return {
      revision: row.revision,
      changes: JSON.parse(changes) as Record<string, [unknown, unknown]>,
      content: shown?.content ?? null,
      truncated: shown?.truncated ?? false,
      reason: row.reason,
      actor: row.actor,
      at: row.at,
    };
  });
  return { revisions, next };
}

export function connections(
  ctx: Context,
  id: string,
  options: Parsed<"connections">[1] = {},
): Results["connections"] {
  requireEntry(ctx, id);
  const n = options.n ?? LIMITS.page.default;
  const direction = options.direction ?? "both";
  const place = decodeCursor("connections", options.cursor, [0, "", "", ""]);
  const { edges, stoppedAt } = ctx.stores.edges.incident(
    id,
    { type: options.type ?? null, out: direction !== "in", in: direction !== "out" },
    n + 1,
    place === null
      ? null
      : {
          weight: place[0] as number,
          other: place[1] as string,
          type: place[2] as string,
          direction: place[3] as string,
        },
  );
  const otherEnd = (edge: { src: string; dst: string }) => (edge.src === id ? edge.dst : edge.src);
  const placeIn = (edge: Edge) => [
    edge.weight,
    otherEnd(edge),
    edge.type,
    edge.src === id ? "out" : "in",
  ];
  const stopped = stoppedAt && [
    stoppedAt.weight,
    stoppedAt.other,
    stoppedAt.type,
    stoppedAt.direction,
  ];
  const { page, next } = paged("connections", edges, n, placeIn, stopped);
  const others = [...new Set(page.map(otherEnd))];
  return { edges: page, entries: summaries(ctx, ctx.stores.entries.listed(others)), next };
}

/** Rows as lists show them; supersession is looked up once for all of them. */
export function summaries(ctx: Context, rows: readonly ListedRow[]): EntrySummary[] {
  const supersession = supersessionOf(ctx, rows);
  return rows.map((row) => toSummary(row, ctx.now, supersession.isSuperseded(row.id)));
}

export function supersessionOf(
  ctx: Context,
  rows: readonly { id: string; contested: number }[],
): Supersession {
  const contested = rows.filter((row) => row.contested === 1).map((row) => row.id);
  return new Supersession(contested.length === 0 ? [] : ctx.stores.edges.above(contested, ctx.now));
}

/** @param stoppedAt the cursor of the next page where the look for more ended early */
function paged<T>(
  list: string,
  rows: readonly T[],
  n: number,
  cursorOf: (row: T) => CursorPlace,
  stoppedAt: CursorPlace | null = null,
): { page: T[]; next: string | null } {
  const page = rows.slice(0, n);
  const last = page.at(-1);
  const next = rows.length > n && last !== undefined ? cursorOf(last) : stoppedAt;
  return { page, next: next && encodeCursor(list, next) };
}
