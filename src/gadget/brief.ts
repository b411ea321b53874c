import type {
  Brief,
  BriefChange,
  BriefItem,
  BriefOptions,
  ClaimTag,
} from "../../contracts/index.ts";
import { CLAIM_TAGS, LIMITS } from "../../contracts/index.ts";
import { titleOf } from "../lib/text.ts";
import { LIST_START } from "../storage/entries.ts";
import type { ListedRow } from "../storage/entry-row.ts";
import { toSummary } from "../storage/entry-row.ts";
import type { Action } from "../storage/events.ts";
import type { Context } from "./context.ts";
import { supersessionOf } from "./lists.ts";
import { objectiveOf } from "./objective.ts";
import { COUNT_LIMIT, bounded, counts, staleCounts, zeros } from "./stats.ts";

const DAY_MS = 86_400_000;
const SINCE_DAYS = 7;
/** The tag that makes an episodic entry a handoff note ([BRF-2]). */
const HANDOFF_TAG = "handoff";
/** Rows looked at per list before inactive ones are dropped, and items shown of the shorter lists. */
const LIST_ROWS = 100;
const SHOWN = { handoffs: 10, changes: 10, oldest: 5 };

/** What an agent reads first; items are left out whole until the JSON fits ([BRF-6]). */
export function getBrief(ctx: Context, options: BriefOptions = {}): Brief {
  const quoted = new Map<string, ClaimTag>();
  const quote = (rows: readonly ListedRow[], n: number) => {
    const items = activeItems(ctx, rows).slice(0, n);
    for (const item of items) quoted.set(item.id, item.claimTag);
    return items;
  };
  const tag = options.tag ?? null;
  const { entries } = ctx.stores;
  const total = counts(ctx);
  const brief: Brief = {
    at: ctx.now,
    instructions: quote(entries.instructions(tag, LIST_ROWS), LIST_ROWS),
    handoffs: quote(handoffRows(ctx, tag), SHOWN.handoffs),
    changes: changes(ctx, options.since ?? ctx.now - SINCE_DAYS * DAY_MS, tag),
    warnings: [],
    staleness: {
      byVolatility: staleCounts(ctx),
      oldest: quote(oldestStale(ctx, tag), SHOWN.oldest),
    },
    evidence: { workspace: total.byClaimTag, brief: zeros(CLAIM_TAGS) },
    counts: { entries: total.entries, byKind: total.byKind, byStatus: total.byStatus },
    omitted: {},
  };
  if (options.objective !== undefined) {
    brief.objective = objectiveOf(ctx, options.objective, tag);
    for (const item of Object.values(brief.objective).flat()) quoted.set(item.id, item.claimTag);
  }
  brief.warnings = warnings(ctx, brief, quoted);
  return fit(brief, options.maxChars ?? LIMITS.briefChars.default);
}

function activeItems(ctx: Context, rows: readonly ListedRow[]): BriefItem[] {
  const supersession = supersessionOf(ctx, rows);
  return rows
    .map((row) => toSummary(row, ctx.now, supersession.isSuperseded(row.id)))
    .filter((entry) => entry.status !== "deprecated" && !entry.superseded)
    .map((entry) => ({
      id: entry.id,
      content: entry.content,
      truncated: entry.truncated,
      claimTag: entry.claimTag,
      occurredAt: entry.occurredAt,
      ...(entry.stale && { stale: true as const }),
    }));
}

function handoffRows(ctx: Context, tag: string | null): ListedRow[] {
  return ctx.stores.entries
    .recentWithTag(HANDOFF_TAG, "episodic", LIST_ROWS, LIST_START)
    .filter((row) => tag === null || (JSON.parse(row.tags) as string[]).includes(tag));
}

function oldestStale(ctx: Context, tag: string | null): ListedRow[] {
  const { entries } = ctx.stores;
  return (["state", "volatile"] as const)
    .flatMap((volatility) => entries.stale(volatility, ctx.now, LIST_ROWS))
    .filter((row) => tag === null || (JSON.parse(row.tags) as string[]).includes(tag))
    .sort((a, b) => a.since - b.since || (a.id < b.id ? -1 : 1));
}

function changes(ctx: Context, since: number, tag: string | null): Brief["changes"] {
  const { events, entries } = ctx.stores;
  // A forgotten entry has no tags any more, so its count is the workspace's.
  const count = (action: Action) =>
    bounded(events.count(action, since, action === "forgotten" ? null : tag, COUNT_LIMIT + 1));
  const newest = (["captured", "updated", "superseded", "deprecated"] as const)
    .flatMap((action) => events.newest(action, since, tag, SHOWN.changes))
    .sort((a, b) => b.at - a.at || b.seq - a.seq)
    .slice(0, SHOWN.changes);
  const titles = new Map(
    entries
      .nodes([...new Set(newest.map((each) => each.entry))])
      .map((row) => [row.id, row.content]),
  );
  return {
    since,
    counts: {
      captured: count("captured"),
      updated: count("updated"),
      superseded: count("superseded"),
      deprecated: count("deprecated"),
      forgotten: count("forgotten"),
    },
    newest: newest.map((each) => ({
      id: each.entry,
      what: each.action as BriefChange["what"],
      at: each.at,
      title: titleOf(titles.get(each.entry) ?? ""),
    })),
  };
}

/** What the reader should distrust, in sentences. */
function warnings(ctx: Context, brief: Brief, quoted: ReadonlyMap<string, ClaimTag>): string[] {
  const result: string[] = [];
  const staleInstructions = brief.instructions.filter((item) => item.stale).length;
  if (staleInstructions > 0) {
    result.push(
      `${staleInstructions} standing instruction(s) are stale: affirm them with setStatus or update them.`,
    );
  }
  const proposed = ctx.stores.tallies
    .entries()
    .filter((tally) => tally.kind === "instruction" && tally.status === "draft")
    .reduce((sum, tally) => sum + tally.n, 0);
  if (proposed > 0) {
    result.push(
      `${proposed} instruction(s) are drafts and do not stand until someone makes them canonical.`,
    );
  }
  const stale = Object.values(brief.staleness.byVolatility);
  if (stale.some((n) => n !== 0)) {
    const sum = stale.includes("1000+")
      ? "more than 1000"
      : String(stale.reduce<number>((total, n) => total + (n as number), 0));
    result.push(`${sum} entries are stale: check them before you rely on them.`);
  }
  const unknown = [...quoted.values()].filter((claimTag) => claimTag === "UNKNOWN").length;
  if (unknown > 0) {
    result.push(
      `${unknown} of the ${quoted.size} entries quoted here claim nothing about their evidence (UNKNOWN).`,
    );
  }
  return result;
}

type ListName =
  | "instructions"
  | "handoffs"
  | "objective.knowledge"
  | "objective.episodes"
  | "objective.warnings"
  | "warnings"
  | "staleness.oldest"
  | "changes.newest";

/** What is left out first comes last: the standing instructions go only when nothing else is left to go. */
const KEEP_ORDER: readonly ListName[] = [
  "instructions",
  "handoffs",
  "objective.knowledge",
  "objective.episodes",
  "warnings",
  "objective.warnings",
  "staleness.oldest",
  "changes.newest",
];

/** Drops whole items, last first, until the JSON is at most `maxChars`; counts them, and the evidence left. */
function fit(brief: Brief, maxChars: number): Brief {
  const lists: Record<ListName, unknown[]> = {
    instructions: brief.instructions,
    handoffs: brief.handoffs,
    "objective.knowledge": brief.objective?.knowledge ?? [],
    "objective.episodes": brief.objective?.episodes ?? [],
    "objective.warnings": brief.objective?.warnings ?? [],
    warnings: brief.warnings,
    "staleness.oldest": brief.staleness.oldest,
    "changes.newest": brief.changes.newest,
  };
  const dropOrder = KEEP_ORDER.toReversed();
  countEvidence(brief);
  while (JSON.stringify(brief).length > maxChars) {
    const name = dropOrder.find((each) => lists[each].length > 0);
    if (name === undefined) break;
    lists[name].pop();
    brief.omitted[name] = (brief.omitted[name] ?? 0) + 1;
    countEvidence(brief);
  }
  return brief;
}

function countEvidence(brief: Brief): void {
  const quoted = new Map(
    [
      brief.instructions,
      brief.handoffs,
      brief.staleness.oldest,
      ...Object.values(brief.objective ?? {}),
    ]
      .flat()
      .map((item) => [item.id, item.claimTag]),
  );
  brief.evidence.brief = zeros(CLAIM_TAGS);
  for (const claimTag of quoted.values()) brief.evidence.brief[claimTag] += 1;
}
