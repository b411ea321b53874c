import type {
  ChangedEntry,
  ChangeLine,
  Kind,
  Parsed,
  Results,
  Status,
} from "../../contracts/index.ts";
import { LIMITS } from "../../contracts/index.ts";
import { titleOf } from "../lib/text.ts";
import { effectiveStatus } from "../storage/entry-row.ts";
import type { Action, EventRow } from "../storage/events.ts";
import type { Context } from "./context.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";

const DAY_MS = 86_400_000;
const SINCE_DAYS = 7;
/** Lines of the log that a page looks at for its own ([LST-4]). */
const LOOKED_AT = 1_000;
const LOOKED_AT_ONCE = 100;

/** From when on changes are told unless the caller says ([CHG-1], [BRF-3]). */
export const defaultSince = (now: number): number => now - SINCE_DAYS * DAY_MS;

/** What changed, newest first, a page of the audit log by entry ([CHG-1] to [CHG-5]). */
export function changes(ctx: Context, options: Parsed<"changes">[0] = {}): Results["changes"] {
  const since = options.since ?? defaultSince(ctx.now);
  const place = decodeCursor("changes", options.cursor, [0]);
  const { lines, stoppedAt } = changedLines(ctx, {
    since,
    before: place === null ? null : (place[0] as number),
    limit: options.limit ?? LIMITS.page.default,
    ...(options.actor !== undefined && { actor: options.actor }),
    ...(options.tag !== undefined && { tag: options.tag }),
  });
  return {
    since,
    entries: byEntry(ctx, lines),
    next: stoppedAt === null ? null : encodeCursor("changes", [stoppedAt]),
  };
}

/** A line of the log with what is there now of its entry; null when that was forgotten. */
export interface LoggedChange extends EventRow {
  now: { title: string; kind: Kind; status: Status } | null;
}

interface Wanted {
  since: number;
  /** Lines before this one of the log; null from the newest on. */
  before: number | null;
  limit: number;
  actor?: string;
  tag?: string;
  actions?: readonly Action[];
}

/**
 * Newest first, and of forgotten entries only that they were forgotten. Ends at the first line before `since`.
 * `stoppedAt` is the line where a next page starts, null when there is none.
 */
export function changedLines(
  ctx: Context,
  { since, before, limit, ...wanted }: Wanted,
): { lines: LoggedChange[]; stoppedAt: number | null } {
  const lines: LoggedChange[] = [];
  let after = before;
  for (let looked = 0, once = limit + 1; looked < LOOKED_AT; looked += once) {
    // First what may do; where most lines are of others, more at once.
    if (looked > 0) once = Math.min(Math.max(limit + 1, LOOKED_AT_ONCE), LOOKED_AT - looked);
    const rows = ctx.stores.events.page(after, once);
    const recent = rows.slice(0, firstBefore(rows, since));
    for (const line of shown(ctx, recent, wanted)) {
      const last = lines.at(-1);
      if (lines.length === limit && last !== undefined) return { lines, stoppedAt: last.seq };
      lines.push(line);
    }
    const last = rows.at(-1);
    if (last === undefined || recent.length < once) return { lines, stoppedAt: null };
    after = last.seq;
  }
  return { lines, stoppedAt: after };
}

/** The log is in the order of writing: where the clock was set back, the first older line ends the list ([CHG-2]). */
function firstBefore(rows: readonly EventRow[], since: number): number {
  const at = rows.findIndex((row) => row.at < since);
  return at === -1 ? rows.length : at;
}

function shown(
  { stores, now }: Context,
  rows: readonly EventRow[],
  { actor, tag, actions }: Pick<Wanted, "actor" | "tag" | "actions">,
): LoggedChange[] {
  const asked = rows.filter(
    (row) =>
      (actor === undefined || row.actor === actor) &&
      (actions === undefined || actions.includes(row.action)),
  );
  const nodes = stores.entries.nodes([...new Set(asked.map((row) => row.entry))]);
  const tags = tag === undefined ? null : stores.tags.ofEach(nodes.map((node) => node.rid));
  const entries = new Map(nodes.map((node) => [node.id, node]));
  return asked.flatMap((row): LoggedChange[] => {
    const entry = entries.get(row.entry);
    if (entry === undefined) {
      return row.action === "forgotten" && tag === undefined ? [{ ...row, now: null }] : [];
    }
    if (tag !== undefined && !tags?.get(entry.rid)?.includes(tag)) return [];
    const status = effectiveStatus(entry.status, entry.expires_at, now);
    return [{ ...row, now: { title: titleOf(entry.content), kind: entry.kind, status } }];
  });
}

/** Entries in the order of their newest line, each with its lines; no line names an entry that is gone. */
function byEntry(ctx: Context, lines: readonly LoggedChange[]): ChangedEntry[] {
  const told = lines.map((line) => ({ line, details: detailsOf(line) }));
  const named = told.flatMap(({ details: { by, links = [] } }) => [
    ...(by === undefined ? [] : [by]),
    ...links.flatMap(({ src, dst }) => [src, dst]),
  ]);
  const there = new Set(ctx.stores.entries.existing([...new Set(named)]));
  const groups = Map.groupBy(told, ({ line }) => line.entry);
  return [...groups].map(([id, all]) => ({
    id,
    title: all[0]?.line.now?.title ?? null,
    kind: all[0]?.line.now?.kind ?? null,
    status: all[0]?.line.now?.status ?? null,
    changes: all.map(({ line, details }) => toChange(line, details, there)),
  }));
}

type Link = NonNullable<ChangeLine["links"]>[number];

/** What the log keeps of a change, whichever write it was ([STO-8]). */
type Details = Pick<ChangeLine, "fields" | "by" | "links">;

function detailsOf({ entry, changes }: EventRow): Details {
  if (changes === null) return {};
  const logged = JSON.parse(changes) as {
    fields?: string[];
    status?: unknown;
    by?: string;
    type?: Link["type"];
    dst?: string;
    links?: Link[];
  };
  const { type, dst, by, fields } = logged;
  const links =
    type !== undefined && dst !== undefined ? [{ type, src: entry, dst }] : logged.links;
  return {
    ...(fields && { fields }),
    ...(logged.status !== undefined && { fields: ["status"] }),
    ...(by !== undefined && { by }),
    ...(links && { links: links.map(({ type, src, dst }) => ({ type, src, dst })) }),
  };
}

function toChange(
  { action, at, actor }: EventRow,
  { fields, by, links }: Details,
  there: ReadonlySet<string>,
): ChangeLine {
  return {
    what: action,
    at,
    actor,
    ...(fields && { fields }),
    ...(by !== undefined && there.has(by) && { by }),
    ...(links && { links: links.filter(({ src, dst }) => there.has(src) && there.has(dst)) }),
  };
}
