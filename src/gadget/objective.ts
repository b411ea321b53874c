import type { Brief, BriefItem, Hit } from "../../contracts/index.ts";
import { LIMITS } from "../../contracts/index.ts";
import type { Context } from "./context.ts";
import { search } from "./recall.ts";

const FOUND = 30;
const SHOWN = { knowledge: 8, episodes: 6, warnings: 6 };

/**
 * What matters now ([BRF-5]): canonical knowledge for the objective, the episodes that support it, and what
 * to beware of: stale hits, hits on superseded ground, and what was tried and deprecated.
 */
export function objectiveOf(
  ctx: Context,
  objective: string,
  tag: string | null,
): NonNullable<Brief["objective"]> {
  const filter = tag === null ? {} : { tag };
  const listed = withListedSnippets(ctx);
  const found = search(listed, objective, { ...filter, topK: FOUND }).result.hits;
  const gone = search(listed, objective, { ...filter, topK: SHOWN.warnings, status: "deprecated" });
  const doubtful = (hit: Hit) =>
    hit.stale || hit.restsOnSuperseded !== undefined || hit.effectiveClaim !== undefined;
  const list = (hits: readonly Hit[], n: number) => hits.slice(0, n).map(toItem);
  return {
    knowledge: list(
      found.filter(
        (hit) => hit.status === "canonical" && hit.kind !== "episodic" && !doubtful(hit),
      ),
      SHOWN.knowledge,
    ),
    episodes: list(
      found.filter((hit) => hit.kind === "episodic" && !doubtful(hit)),
      SHOWN.episodes,
    ),
    warnings: list([...found.filter(doubtful), ...gone.result.hits], SHOWN.warnings),
  };
}

/** Every hit as short as a list shows it, and none empty: the brief has a budget of its own. */
function withListedSnippets(ctx: Context): Context {
  const { params } = ctx;
  const snippets = {
    fullHits: 0,
    fullChars: 0,
    restChars: LIMITS.listedChars,
    totalChars: params.fullTotalChars,
  };
  return { ...ctx, params: { ...params, snippets } };
}

function toItem(hit: Hit): BriefItem {
  return {
    id: hit.id,
    content: hit.content,
    truncated: hit.truncated,
    kind: hit.kind,
    status: hit.status,
    claimTag: hit.claimTag,
    actor: hit.actor,
    occurredAt: hit.occurredAt,
    ...(hit.effectiveClaim && { effectiveClaim: hit.effectiveClaim }),
    ...(hit.stale && { stale: true as const }),
  };
}
