import type { RecallDeps } from "./deps.ts";
import { admission, passes } from "./filter.ts";
import type { HasTag, RecallFilter } from "./filter.ts";
import { supersessionOf, toFiltered } from "./keyword-arm.ts";
import type { KeywordArm } from "./keyword-arm.ts";
import type { Lexicon } from "./lexicon.ts";
import { byScoreThenId } from "./stages.ts";
import type { RankedList } from "./stages.ts";

/**
 * Stage 4: by meaning, what the other arms found and what is nearest to the query of all entries. Ranking only the
 * nearest would bury what words found; superseded entries are left out, as their heads have vectors of their own.
 */
export function vectorArm(
  deps: RecallDeps,
  query: { filter: RecallFilter; tagged: HasTag },
  keyword: KeywordArm,
  others: ReadonlySet<string>,
  lexicon: Lexicon,
): { ranking: RankedList; nearest: ReadonlySet<string> } {
  const { meaning, params } = deps;
  if (meaning === null || params.armWeight.vector === 0) return { ranking: [], nearest: new Set() };
  const { pool, minCosine } = params.vector;
  const admits = admission(deps.facts, query.filter, query.tagged);
  const near = meaning.nearest(pool, admits).filter(({ score }) => score >= minCosine);
  const known = new Set([...keyword.found.values()].map(({ doc }) => doc));
  const met = deps.read(near.map(({ doc }) => doc).filter((doc) => !known.has(doc)));
  for (const each of met) {
    keyword.found.set(each.text.id, each);
    keyword.texts.set(each.text.id, lexicon.numbered(each.text));
  }
  const closeBy = new Set(near.map(({ doc }) => doc));
  const rows = [...keyword.found.values()].filter(
    ({ doc, text }) => closeBy.has(doc) || others.has(text.id),
  );
  const supersession = supersessionOf(deps, rows, query.filter.asOf);
  const shown = rows.filter(
    (each) =>
      others.has(each.text.id) ||
      passes(toFiltered(each), query.filter, supersession, query.tagged),
  );
  const idOf = new Map(shown.map(({ doc, text }) => [doc, text.id]));
  const ranking = meaning
    .similarities([...idOf.keys()])
    .flatMap(({ doc, score }) => ({ id: idOf.get(doc) ?? "", score }))
    .sort(byScoreThenId);
  const nearest = new Set(shown.filter(({ doc }) => closeBy.has(doc)).map(({ text }) => text.id));
  return { ranking, nearest };
}
