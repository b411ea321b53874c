import type {
  BoundedCount,
  Brief,
  BriefChange,
  BriefItem,
  BriefOptions,
  ClaimTag,
  Kind,
  Status,
} from "../../contracts/index.ts";
import { CLAIM_TAGS, LIMITS } from "../../contracts/index.ts";
import { heldBack, type Grounding } from "../retrieval/claims.ts";
import type { ListedRow } from "../storage/entry-row.ts";
import { isStale, toSummary } from "../storage/entry-row.ts";
import { changedLines, defaultSince } from "./changes.ts";
import type { Context } from "./context.ts";
import { groundsOf } from "./grounds.ts";
import { objectiveOf } from "./objective.ts";
import { COUNT_LIMIT, bounded, counts, staleCounts, zeros } from "./stats.ts";

/** The tag that makes an episodic entry a handoff note ([BRF-2]). */
const HANDOFF_TAG = "handoff";
/** JSON of an item without content: more instructions than this lets in are not read. */
const LEAST_ITEM_CHARS = 80;
/** Items shown of the shorter lists; instructions are as many as fit. */
const SHOWN = { handoffs: 10, changes: 10, oldest: 5 };
const OVERSTATED =
  "Some of what is quoted here claims more than what it derives from bears by now: go by effectiveClaim.";
const UNSUPPORTED =
  "Some of what is quoted here has no evidence to stand on (UNKNOWN): check it before you build on it.";

/** What an agent reads first; items are left out whole until the JSON fits ([BRF-6]). */
export function getBrief(ctx: Context, options: BriefOptions = {}): Brief {
  const tag = options.tag ?? null;
  const { entries } = ctx.stores;
  const maxChars = options.maxChars ?? LIMITS.briefChars.default;
  const total = counts(ctx);
  const instructions = entries.instructions(tag, ctx.now);
  const handoffs = entries.activeEpisodes(HANDOFF_TAG, tag, ctx.now);
  const listed = (ids: readonly string[]) => items(ctx, entries.listed(ids));
  const standing = instructions.slice(0, Math.ceil(maxChars / LEAST_ITEM_CHARS));
  const brief: Brief = {
    at: ctx.now,
    instructions: listed(standing.map((row) => row.id)),
    handoffs: listed(handoffs.slice(0, SHOWN.handoffs)),
    changes: changes(ctx, options.since ?? defaultSince(ctx.now), tag),
    warnings: [],
    staleness: { byVolatility: staleCounts(ctx), oldest: items(ctx, oldestStale(ctx, tag)) },
    evidence: { workspace: total.byClaimTag, brief: zeros(CLAIM_TAGS), weakened: 0 },
    counts: { entries: total.entries, byKind: total.byKind, byStatus: total.byStatus },
    ...(options.objective !== undefined && { objective: objectiveOf(ctx, options.objective, tag) }),
    omitted: {},
  };
  leaveOut(brief, "handoffs", handoffs.length - brief.handoffs.length);
  leaveOut(brief, "instructions", instructions.length - brief.instructions.length);
  countEvidence(brief);
  const staleInstructions = instructions.filter((row) => isStale(row, ctx.now)).length;
  brief.warnings = warnings(ctx, brief, staleInstructions);
  return fit(brief, maxChars);
}

/** Rows of active entries, as a brief quotes them. */
function items(ctx: Context, rows: readonly ListedRow[]): BriefItem[] {
  const grounds = groundsOf(
    ctx,
    rows.map((row) => row.id),
  );
  return rows
    .map((row) => toSummary(row, ctx.now, false))
    .map((entry) => ({
      id: entry.id,
      content: entry.content,
      truncated: entry.truncated,
      kind: entry.kind,
      status: entry.status,
      claimTag: entry.claimTag,
      actor: entry.actor,
      occurredAt: entry.occurredAt,
      ...effective(entry.claimTag, grounds.get(entry.id)),
      ...(entry.stale && { stale: true as const }),
    }));
}

function effective(claimTag: ClaimTag, grounding: Grounding | undefined) {
  const { effectiveClaim } = grounding ? heldBack(claimTag, grounding) : {};
  return effectiveClaim && { effectiveClaim };
}

function oldestStale(ctx: Context, tag: string | null): ListedRow[] {
  const { entries } = ctx.stores;
  return (["state", "volatile"] as const)
    .flatMap((volatility) => entries.stale(volatility, tag, ctx.now, SHOWN.oldest))
    .sort((a, b) => a.since - b.since || a.rid - b.rid)
    .slice(0, SHOWN.oldest);
}

const CHANGED = ["updated", "superseded", "deprecated"] as const;

/** Captures are counted from what is there, other changes from the audit log ([BRF-3]). */
function changes(ctx: Context, since: number, tag: string | null): Brief["changes"] {
  const { events } = ctx.stores;
  const count = (action: (typeof CHANGED)[number]) => changeCount(ctx, action, since, tag);
  const { lines } = changedLines(ctx, {
    since,
    before: null,
    limit: SHOWN.changes,
    actions: ["captured", ...CHANGED],
    ...(tag !== null && { tag }),
  });
  return {
    since,
    counts: {
      captured: bounded(captureCount(ctx, since, tag)),
      updated: count("updated"),
      superseded: count("superseded"),
      deprecated: count("deprecated"),
      // A forgotten entry has no tags any more, so its count is the workspace's.
      forgotten: bounded(events.count("forgotten", since, COUNT_LIMIT + 1)),
    },
    newest: lines.map(({ entry, action, at, now }) => ({
      id: entry,
      what: action as BriefChange["what"],
      at,
      title: now?.title ?? "",
    })),
  };
}

function captureCount({ stores }: Context, since: number, tag: string | null): number {
  return tag === null
    ? stores.entries.countSince(since, COUNT_LIMIT + 1)
    : stores.tags.countSince(tag, since, COUNT_LIMIT + 1);
}

/** With a tag: among the newest of the log, because the log knows no tags. */
function changeCount(
  { stores }: Context,
  action: (typeof CHANGED)[number],
  since: number,
  tag: string | null,
): BoundedCount {
  if (tag === null) return bounded(stores.events.count(action, since, COUNT_LIMIT + 1));
  const { n, of } = stores.events.countWithTag(action, since, tag, COUNT_LIMIT + 1);
  return bounded(n, of > COUNT_LIMIT);
}

/** What the reader should distrust, in sentences. */
function warnings(ctx: Context, brief: Brief, staleInstructions: number): string[] {
  const result: string[] = [];
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
  const draftNotes = brief.handoffs.filter((item) => item.status === "draft").length;
  if (draftNotes > 0) {
    result.push(
      `${draftNotes} handoff note(s) are drafts: what their actors say, and nobody's rule.`,
    );
  }
  const stale = Object.values(brief.staleness.byVolatility);
  if (stale.some((n) => n !== 0)) {
    const sum = stale.some((n) => typeof n === "string")
      ? "more than 1000"
      : String(stale.reduce<number>((total, n) => total + (n as number), 0));
    result.push(`${sum} entries are stale: check them before you rely on them.`);
  }
  if (brief.evidence.weakened > 0) result.push(OVERSTATED);
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
    leaveOut(brief, name, 1);
    // With its comma. Measured again only when that may be enough: a long brief may lose hundreds of items.
    chars -= JSON.stringify(dropped).length + 1;
    if (chars > maxChars) continue;
    countEvidence(brief);
    chars = JSON.stringify(brief).length;
  }
  return brief;
}

function leaveOut(brief: Brief, name: ListName, n: number): void {
  if (n > 0) brief.omitted[name] = (brief.omitted[name] ?? 0) + n;
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
      .map((item) => [item.id, item]),
  );
  const { evidence } = brief;
  evidence.brief = zeros(CLAIM_TAGS);
  evidence.weakened = 0;
  for (const { claimTag, effectiveClaim } of quoted.values()) {
    evidence.brief[effectiveClaim ?? claimTag] += 1;
    if (effectiveClaim !== undefined) evidence.weakened += 1;
  }
  if (evidence.weakened === 0) withdraw(brief.warnings, OVERSTATED);
  if (evidence.brief.UNKNOWN === 0) withdraw(brief.warnings, UNSUPPORTED);
}

function withdraw(warnings: string[], warning: string): void {
  const at = warnings.lastIndexOf(warning);
  if (at >= 0) warnings.splice(at, 1);
}
