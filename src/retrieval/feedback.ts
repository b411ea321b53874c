import { isStopWord } from "../analysis/stop-words.ts";
import { scoreTexts } from "./bm25.ts";
import type { ScoredText } from "./bm25.ts";
import type { RankingParams } from "./params.ts";
import { byCodeUnits } from "./stages.ts";
import type { IndexedText, SelectedTerm } from "./stages.ts";

/** Shorter tokens say little of a subject. */
const LEAST_UNITS = 3;

/**
 * Pseudo-relevance feedback inside the pool (after RM3, Abdul-Jaleel et al. 2004; [REC-26]): the tokens that
 * mark the best texts off from the rest of the pool score the texts that the query has found, a little.
 * Finds nothing new, so it cannot drift away from the query, and reads no rows. Off while the pool is not
 * larger than the texts it would learn from.
 */
export function feedback(
  scored: readonly ScoredText[],
  texts: readonly IndexedText[],
  terms: readonly SelectedTerm[],
  corpus: { entryCount: number; averageTokens: number },
  params: RankingParams,
): ScoredText[] {
  const { weight, texts: learnFrom } = params.feedback;
  if (weight === 0 || scored.length <= learnFrom) return [...scored];
  const marks = marksOf(scored.slice(0, learnFrom), texts, terms, params);
  const extra = new Map(
    scoreTexts(texts, marks, corpus, { ...params, titleMatch: 1 }).map((each) => [
      each.id,
      each.score,
    ]),
  );
  return scored.map((each) => ({ ...each, score: each.score + (extra.get(each.id) ?? 0) }));
}

/** The tokens worth most, as terms: share of the best score × rarity in the pool, summed over the best. */
function marksOf(
  best: readonly ScoredText[],
  texts: readonly IndexedText[],
  terms: readonly SelectedTerm[],
  params: RankingParams,
): SelectedTerm[] {
  const { weight, terms: count } = params.feedback;
  const tokensOf = new Map(
    texts.map((text) => [text.id, new Set(`${text.title} ${text.body}`.split(" "))]),
  );
  const df = new Map<string, number>();
  for (const tokens of tokensOf.values()) {
    for (const token of tokens) df.set(token, (df.get(token) ?? 0) + 1);
  }
  const rarity = (token: string) => Math.log(1 + texts.length / (df.get(token) ?? 1));
  const asked = new Set(terms.map((term) => term.token));
  const worth = new Map<string, number>();
  for (const { id, score } of best) {
    for (const token of tokensOf.get(id) ?? []) {
      const telling = token.length >= LEAST_UNITS && !asked.has(token) && !isStopWord(token);
      // A token of one text alone says what that text is about, not what the query is about.
      if (!telling || (df.get(token) ?? 0) < 2) continue;
      worth.set(token, (worth.get(token) ?? 0) + (score / (best[0]?.score ?? 1)) * rarity(token));
    }
  }
  const chosen = [...worth].sort((a, b) => b[1] - a[1] || byCodeUnits(a[0], b[0])).slice(0, count);
  const most = chosen[0]?.[1] ?? 1;
  return chosen.map(([token, value]) => ({
    token,
    word: token,
    weight: (weight * value) / most,
    stopWord: false,
    part: false,
    searched: false,
    df: df.get(token) ?? 0,
    idf: rarity(token),
  }));
}
