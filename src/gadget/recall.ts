import type { RecallOptions, RecallResult } from "../../contracts/index.ts";
import { analyseEntry } from "../analysis/analyzer.ts";
import type { Found, Presented, RecallDeps } from "../retrieval/deps.ts";
import type { RecallFilter } from "../retrieval/filter.ts";
import { recall as recallFrom } from "../retrieval/recall.ts";
import type { Recalled } from "../retrieval/recall.ts";
import { effectiveStatus, isStale } from "../storage/entry-row.ts";
import type { IndexFilter, IndexedRow } from "../storage/search-index.ts";
import type { Before } from "../storage/revisions.ts";
import type { Context } from "./context.ts";
import { groundsOf } from "./grounds.ts";
import { observes } from "./policy.ts";
import { supersession } from "./supersession-at.ts";

export function recall(ctx: Context, query: string, options: RecallOptions = {}): RecallResult {
  const { result, direct } = search(ctx, query, options);
  if (options.observe !== true && !observes(ctx.grant)) ctx.stores.recalls.bump(direct);
  return result;
}

/** Recall without its one side effect; what the brief uses. */
export function search(ctx: Context, query: string, options: RecallOptions): Recalled {
  return recallFrom(depsOf(ctx), query, options);
}

function depsOf(ctx: Context, then?: number): RecallDeps {
  const { stores, now, params } = ctx;
  const found = (rows: readonly IndexedRow[]) => {
    const ids = rows.map((row) => row.id);
    const statuses = then === undefined ? null : stores.entries.statusesAt(ids, now, then);
    return rows.map((row) => {
      const today = toFound(row, now);
      return { ...today, status: statuses?.get(row.id) ?? today.status };
    });
  };
  return {
    now,
    params,
    corpus: () => stores.tallies.corpus(),
    documentFrequency: (tokens) => stores.index.reads.documentFrequencies(tokens),
    postings: stores.index.reads,
    facts: stores.docValues,
    tagged: (tag) => stores.index.reads.tagged(tag),
    read: (docs) => found(stores.index.rowsByRid(docs)),
    newestPassing: (filter, limit) =>
      found(stores.index.newestPassing(toIndexFilter(filter, now), limit)),
    find: (ids) => found(stores.index.rows(ids)),
    // What stands over or under a hit answers through its head, and must not use up the fan-out.
    neighbours: (ids, fanOut) => stores.edges.neighbours(ids, fanOut, "supersedes"),
    supersession: (ids, asOf) => supersession(ctx, ids, asOf),
    recallCounts: (docs) => stores.recalls.counts(docs),
    tagsOf: (docs) => stores.tags.ofEach(docs),
    grounds: (ids, asOf) => groundsOf(ctx, ids, asOf),
    present: (docs) => {
      const tags = stores.tags.ofEach(docs);
      const rows = stores.entries.presented(docs);
      const before = then === undefined ? null : stores.revisions.before(docs, then);
      return new Map(
        rows.map((row) => {
          const today = toPresented(row, tags.get(row.rid) ?? [], now);
          return [row.id, asItWas(today, before?.get(row.rid))];
        }),
      );
    },
    asOf: (time) => depsOf(ctx, time),
    holds: (text, tokens) => {
      const { title, body, stems } = analyseEntry(text, []);
      return `${title} ${body} ${stems}`.split(" ").some((token) => tokens.has(token));
    },
    meaning: meaningOf(ctx),
    degraded: ctx.aids?.degraded ?? [],
  };
}

function meaningOf({ stores, aids }: Context): RecallDeps["meaning"] {
  if (!aids?.meaning) return null;
  const { model, vector } = aids.meaning;
  return {
    nearest: (limit, admits) => stores.vectors.nearest(model, vector, limit, admits),
    similarities: (docs) => stores.vectors.similarities(model, vector, docs),
  };
}

type PresentedRow = ReturnType<Context["stores"]["entries"]["presented"]>[number];

function toPresented(row: PresentedRow, tags: string[], now: number) {
  return {
    content: row.content,
    claimTag: row.claim_tag,
    evidenceRef: row.evidence_ref,
    tags,
    source: row.source,
    actor: row.actor,
    createdAt: row.created_at,
    stale: isStale(row, now),
  };
}

/** The text of then with the evidence, source and tags of then: today's may be of another text. */
function asItWas(today: Presented, before: Before | undefined): Presented {
  if (before === undefined) return today;
  const { claimTag, evidenceRef, source, tags } = before.fields as Partial<Presented>;
  return {
    ...today,
    ...(claimTag !== undefined && { claimTag }),
    ...(evidenceRef !== undefined && { evidenceRef }),
    ...(source !== undefined && { source }),
    ...(tags !== undefined && { tags }),
    ...(before.content !== null && { content: before.content, changedSince: true as const }),
    ...(!before.exact && { inexact: true as const }),
  };
}

function toFound(row: IndexedRow, now: number): Found {
  return {
    doc: row.rid,
    text: {
      id: row.id,
      title: row.title,
      body: row.body,
      wasCut: row.cut === 1,
      tokenCount: row.token_count,
    },
    tagWords: row.tags,
    kind: row.kind,
    status: effectiveStatus(row.status, row.expires_at, now),
    volatility: row.volatility,
    exhaust: row.exhaust === 1,
    importance: row.importance,
    occurredAt: row.occurred_at,
    textAt: row.text_at,
    contested: row.contested === 1,
  };
}

function toIndexFilter(filter: RecallFilter, now: number): IndexFilter {
  return {
    tag: filter.tag ?? null,
    kind: filter.kind ?? null,
    status: filter.status ?? null,
    since: filter.since ?? null,
    until: filter.until ?? null,
    asOf: filter.asOf ?? null,
    includeInactive: filter.includeInactive,
    includeExhaust: filter.includeExhaust,
    now,
  };
}
