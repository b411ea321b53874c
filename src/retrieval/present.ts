import type { ClaimTag, Hit, RecallOptions, Why } from "../../contracts/index.ts";
import { heldBack, type Grounding } from "./claims.ts";
import type { Presented, RecallDeps } from "./deps.ts";
import type { RecallFilter } from "./filter.ts";
import type { KeywordHit } from "./keyword-arm.ts";
import { budgetSnippets } from "./snippets.ts";
import type { GraphPath, Scored, SelectedTerm } from "./stages.ts";

export interface PresentContext {
  /** Internal numbers by id. */
  docs: ReadonlyMap<string, number>;
  directHits: ReadonlyMap<string, KeywordHit>;
  paths: ReadonlyMap<string, GraphPath>;
  terms: readonly SelectedTerm[];
  options: RecallOptions;
  filter: RecallFilter;
}

/** Stage 9: hydrates only what is shown, adds the notes of each hit, and spends the snippet budget. */
export function present(deps: RecallDeps, chosen: readonly Scored[], ctx: PresentContext): Hit[] {
  const ids = chosen.map((each) => each.id);
  const shown = deps.present(ids.flatMap((id) => ctx.docs.get(id) ?? []));
  const { asOf, includeInactive } = ctx.filter;
  const grounds = deps.grounds(ids, asOf);
  const heads = includeInactive ? deps.supersession(ids, asOf) : undefined;
  const bare = chosen.flatMap((each) => {
    const entry = shown.get(each.id);
    if (entry === undefined) return [];
    const notes = notesOf(each, ctx, {
      claimTag: entry.claimTag,
      grounding: grounds.get(each.id),
      supersededBy: heads?.headsOf(each.id) ?? [],
    });
    return [{ each, entry, notes: { ...notes, ...thenNotes(deps, ctx, each, entry) } }];
  });

  const words = new Set(ctx.terms.flatMap((term) => [term.word, term.token]));
  const noteChars = bare.reduce((sum, { notes }) => sum + JSON.stringify(notes).length - 2, 0);
  const snippets = budgetSnippets(
    bare.map(({ entry }) => entry.content),
    words,
    { full: ctx.options.full === true, reservedChars: noteChars },
    deps.params,
  );
  return bare.map(({ each, entry, notes }, index) => ({
    id: each.id,
    content: snippets[index]?.content ?? "",
    truncated: snippets[index]?.truncated ?? true,
    score: each.score,
    kind: each.kind,
    status: each.status,
    claimTag: entry.claimTag,
    evidenceRef: entry.evidenceRef,
    tags: entry.tags,
    source: entry.source,
    actor: entry.actor,
    occurredAt: each.occurredAt,
    createdAt: entry.createdAt,
    stale: entry.stale,
    inWindow: each.inWindow,
    ...notes,
    ...(ctx.options.explain === true && { why: why(each, ctx) }),
  }));
}

type NoteName =
  | "supersedes"
  | "fork"
  | "supersededBy"
  | "restsOnSuperseded"
  | "effectiveClaim"
  | "restsOnWeaker"
  | "via";

/** What is said of a hit beside its text; counted against the same budget ([REC-13]). */
function notesOf(
  each: Scored,
  ctx: PresentContext,
  about: { claimTag: ClaimTag; grounding: Grounding | undefined; supersededBy: string[] },
): Partial<Pick<Hit, NoteName>> {
  const { grounding } = about;
  const direct = ctx.directHits.get(each.id);
  const path = direct === undefined ? ctx.paths.get(each.id) : undefined;
  return {
    ...(direct && direct.supersedes.length > 0 && { supersedes: direct.supersedes }),
    ...(direct?.fork && { fork: true }),
    ...(about.supersededBy.length > 0 && { supersededBy: about.supersededBy }),
    ...(grounding &&
      grounding.superseded.length > 0 && { restsOnSuperseded: grounding.superseded }),
    ...(grounding && heldBack(about.claimTag, grounding)),
    ...(path && { via: path }),
  };
}

/** What of a text of then must be said, where today's was searched ([REC-28]). */
function thenNotes(
  deps: RecallDeps,
  ctx: PresentContext,
  { id }: Scored,
  { content, changedSince, inexact }: Presented,
): Pick<Hit, "changedSince" | "matchedLater" | "inexact"> {
  const found = ctx.directHits.get(id)?.supersedes.length === 0;
  const tokens = new Set(ctx.terms.map((term) => term.token));
  const later = changedSince && found && !deps.holds(content, tokens);
  return {
    ...(changedSince && { changedSince }),
    ...(later && { matchedLater: true as const }),
    ...(inexact && { inexact }),
  };
}

function why(each: Scored, ctx: PresentContext): Why {
  return {
    ranks: each.ranks,
    factors: each.factors,
    matchedTerms: ctx.directHits.get(each.id)?.matched ?? [],
    path: ctx.directHits.has(each.id) ? null : (ctx.paths.get(each.id) ?? null),
  };
}
