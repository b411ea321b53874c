import type {
  Brief,
  BriefChange,
  BriefItem,
  BriefOptions,
  Kind,
  Status,
} from "../../contracts/index.ts";
import { CLAIM_TAGS, LIMITS } from "../../contracts/index.ts";
import { titleOf } from "../lib/text.ts";
import type { ListedRow } from "../storage/entry-row.ts";
import { toSummary } from "../storage/entry-row.ts";
import type { Action } from "../storage/events.ts";
import type { Context } from "./context.ts";
import { objectiveOf } from "./objective.ts";
import { COUNT_LIMIT, bounded, counts, staleCounts, zeros } from "./stats.ts";

const DAY_MS = 86_400_000;
const SINCE_DAYS = 7;
/** The tag that makes an episodic entry a handoff note ([BRF-2]). */
const HANDOFF_TAG = "handoff";
/** Items shown of the shorter lists; instructions are as many as fit. */
const SHOWN = { handoffs: 10, changes: 10, oldest: 5 };
const UNSUPPORTED =
  "Some of what is quoted here claims nothing about its evidence (UNKNOWN): check it before you build on it.";

/** What an agent reads first; items are left out whole until the JSON fits ([BRF-6]). */
export function getBrief(ctx: Context, options: BriefOptions = {}): Brief {
  const tag = options.tag ?? null;
  const { entries } = ctx.stores;
  const total = counts(ctx);
  const handoffs = entries.activeEpisodes(HANDOFF_TAG, tag, ctx.now, COUNT_LIMIT);
  const brief: Brief = {
    at: ctx.now,
    instructions: items(ctx, entries.instructions(tag, ctx.now, COUNT_LIMIT)),
    handoffs: items(ctx, handoffs.slice(0, SHOWN.handoffs)),
    changes: changes(ctx, options.since ?? ctx.now - SINCE_DAYS * DAY_MS, tag),
    warnings: [],
    staleness: { byVolatility: staleCounts(ctx), oldest: items(ctx, oldestStale(ctx, tag)) },
    evidence: { workspace: total.byClaimTag, brief: zeros(CLAIM_TAGS) },
    counts: { entries: total.entries, byKind: total.byKind, byStatus: total.byStatus },
    ...(options.objective !== undefined && { objective: objectiveOf(ctx, options.objective, tag) }),
    omitted: {},
  };
  const unshown = handoffs.length - brief.handoffs.length;
  if (unshown > 0) brief.omitted["handoffs"] = unshown;
  countEvidence(brief);
  brief.warnings = warnings(ctx, brief);
  return fit(brief, options.maxChars ?? LIMITS.briefChars.default);
}

/** Rows of active entries, as a brief quotes them. */
function items(ctx: Context, rows: readonly ListedRow[]): BriefItem[] {
  return rows
    .map((row) => toSummary(row, ctx.now, false))
    .map((entry) => ({
      id: entry.id,
      content: entry.content,
      truncated: entry.truncated,
      claimTag: entry.claimTag,
      occurredAt: entry.occurredAt,
      ...(entry.stale && { stale: true as const }),
    }));
}

function oldestStale(ctx: Context, tag: string | null): ListedRow[] {
  const { entries } = ctx.stores;
  return (["state", "volatile"] as const)
    .flatMap((volatility) => entries.stale(volatility, tag, ctx.now, SHOWN.oldest))
    .sort((a, b) => a.since - b.since || a.rid - b.rid)
    .slice(0, SHOWN.oldest);
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
function warnings(ctx: Context, brief: Brief): string[] {
  const result: string[] = [];
  const staleInstructions = brief.instructions.filter((item) => item.stale).length;
  if (staleInstructions > 0) {
    result.push(
      `${staleInstructions} standing instruction(s) are stale: affirm them with setStatus or update them.`,
    );
  }
  const proposed = proposedInstructions(ctx);
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
  if (brief.evidence.brief.UNKNOWN > 0) result.push(UNSUPPORTED);
  return result;
}

function proposedInstructions({ stores, now }: Context): number {
  const sum = (rows: readonly { kind: Kind; status: Status; n: number }[]) =>
    rows
      .filter(({ kind, status }) => kind === "instruction" && status === "draft")
      .reduce((total, { n }) => total + n, 0);
  return sum(stores.tallies.entries()) - sum(stores.entries.expiredByKindAndStatus(now));
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
  let chars = JSON.stringify(brief).length;
  while (chars > maxChars) {
    const name = dropOrder.find((each) => lists[each].length > 0);
    if (name === undefined) break;
    const dropped = lists[name].pop();
    brief.omitted[name] = (brief.omitted[name] ?? 0) + 1;
    // With its comma. Measured again only when that may be enough: a long brief may lose hundreds of items.
    chars -= JSON.stringify(dropped).length + 1;
    if (chars > maxChars) continue;
    countEvidence(brief);
    chars = JSON.stringify(brief).length;
  }
  return brief;
}

/** Over what is still quoted; a warning about what is not goes with it. */
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
  if (brief.evidence.brief.UNKNOWN === 0 && brief.warnings.at(-1) === UNSUPPORTED) {
    brief.warnings.pop();
  }
}
