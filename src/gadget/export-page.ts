import type { ExportPage, Parsed } from "../../contracts/index.ts";
import { CONTRACT_VERSION, conflict } from "../../contracts/index.ts";
import type {
  ExportedEdgeRow,
  ExportedEntryRow,
  ExportedEventRow,
  ExportedRevisionRow,
} from "../storage/export-reader.ts";
import type { Context } from "./context.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";

/** UTF-16 units of a piece; three bytes each at most, on the wire too, is below 1 MB ([EXP-3]). */
const PAGE_CHARS = 300_000;

/**
 * The record before the next one. Entries: `a` is the id and `n` the revision; edges: `a` dst, `b` type, `c`
 * src, `n` weight; events: `n` is the number of the line.
 */
interface Place {
  section: "entries" | "edges" | "events";
  a: string;
  b: string;
  c: string;
  n: number;
}

const NOWHERE = { a: "", b: "", c: "", n: 0 };
const START: Place = { section: "entries", ...NOWHERE };

/** A piece of the workspace as NDJSON; pieces follow one another without a gap ([EXP-1] to [EXP-4]). */
export function exportPage(ctx: Context, options: Parsed<"exportPage">[0] = {}): ExportPage {
  const log = ctx.stores.exports.log();
  const state = log === null ? "" : `${log.first}-${log.last}`;
  const cursor = decodeCursor("exportPage", options.cursor, ["", "", "", "", "", 0, 0]);
  let place = START;
  let sent = 0;
  let text = "";
  if (cursor === null) {
    text = lineOf(headerOf(ctx));
  } else {
    const [stateThen, section, a, b, c, n, offset] = cursor as [
      string,
      Place["section"],
      string,
      string,
      string,
      number,
      number,
    ];
    if (stateThen !== state) throw changed();
    place = { section, a, b, c, n };
    sent = offset;
  }
  for (const { record, at } of recordsAfter(ctx, place)) {
    const rest = lineOf(record).slice(sent);
    const piece = beginning(rest, PAGE_CHARS - text.length);
    text += piece;
    if (piece.length < rest.length) {
      const { section, a, b, c, n } = place;
      const next = [state, section, a, b, c, n, sent + piece.length];
      return { text, next: encodeCursor("exportPage", next) };
    }
    place = at;
    sent = 0;
  }
  return { text, next: null };
}

const changed = () =>
  conflict("The workspace was written to while it was exported; start the export again.");

const lineOf = (record: object) => `${JSON.stringify(record)}\n`;

/** At most `length` units, and no half of a surrogate pair. */
function beginning(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

function headerOf({ stores }: Context): object {
  const log = stores.exports.log();
  const sum = (counts: readonly number[]) => counts.reduce((all, n) => all + n, 0);
  return {
    record: "header",
    format: "mini-sphere",
    contract: CONTRACT_VERSION,
    counts: {
      entries: sum(stores.tallies.entries().map(({ n }) => n)),
      edges: sum(Object.values(stores.tallies.edges())),
      events: log === null ? 0 : log.last - log.first + 1,
    },
  };
}

/** One by one, so that a page holds in memory what it sends and one record more. */
function* recordsAfter(ctx: Context, place: Place): Generator<{ record: object; at: Place }> {
  if (place.section === "entries") yield* entriesAfter(ctx, place);
  if (place.section !== "events") yield* edgesAfter(ctx, place);
  yield* eventsAfter(ctx, place.section === "events" ? place.n : 0);
}

function* entriesAfter({ stores }: Context, place: Place) {
  const { exports } = stores;
  let [row, revision] = [exports.entry(place.a), place.n];
  for (;;) {
    if (row !== undefined) {
      const { rid, id } = row;
      let next = exports.revisionAfter(rid, revision);
      while (next !== undefined) {
        yield { record: toRevision(id, next), at: { ...START, a: id, n: next.revision } };
        next = exports.revisionAfter(rid, next.revision);
      }
    }
    row = exports.entryAfter(row?.id ?? place.a);
    if (row === undefined) return;
    revision = 0;
    yield { record: toEntry(row), at: { ...START, a: row.id } };
  }
}

function* edgesAfter({ stores }: Context, place: Place) {
  const start = place.section === "edges" ? place : { ...NOWHERE };
  let edge = stores.exports.edgeAfter({
    dst: start.a,
    type: start.b,
    src: start.c,
    weight: start.n,
  });
  while (edge !== undefined) {
    const { dst, type, src, weight } = edge;
    const at: Place = { section: "edges", a: dst, b: type, c: src, n: weight };
    yield { record: toEdge(edge), at };
    edge = stores.exports.edgeAfter(edge);
  }
}

function* eventsAfter({ stores }: Context, seq: number) {
  let event = stores.exports.eventAfter(seq);
  while (event !== undefined) {
    const at: Place = { section: "events", ...NOWHERE, n: event.seq };
    yield { record: toEvent(event), at };
    event = stores.exports.eventAfter(event.seq);
  }
}

const parsed = (json: string | null): unknown => (json === null ? null : JSON.parse(json));

function toEntry(row: ExportedEntryRow): object {
  return {
    record: "entry",
    id: row.id,
    content: row.content,
    kind: row.kind,
    status: row.status,
    volatility: row.volatility,
    claimTag: row.claim_tag,
    evidenceRef: row.evidence_ref,
    importance: row.importance,
    tags: parsed(row.tags),
    source: row.source,
    origin: parsed(row.origin),
    exhaust: row.exhaust === 1,
    actor: row.actor,
    occurredAt: row.occurred_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    textAt: row.text_at,
    affirmedAt: row.affirmed_at,
    expiresAt: row.expires_at,
    // A pass moves the one to the other and changes nothing else.
    dueAt: row.due_at ?? row.stale_since,
    revision: row.revision,
    // Last, because recalls count it while an export goes on: what was sent of the record stays its beginning.
    recallCount: row.recall_count,
  };
}

function toRevision(entry: string, { changes, ...row }: ExportedRevisionRow): object {
  return { record: "revision", entry, ...row, changes: parsed(changes) };
}

function toEdge(row: ExportedEdgeRow): object {
  return {
    record: "edge",
    src: row.src,
    dst: row.dst,
    type: row.type,
    weight: row.weight,
    provenance: row.provenance,
    metadata: parsed(row.metadata),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function toEvent({ seq: _seq, changes, ...row }: ExportedEventRow): object {
  return { record: "event", ...row, changes: parsed(changes) };
}
