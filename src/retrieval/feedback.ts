import { isStopWord } from "../analysis/stop-words.ts";
import { scoreTexts } from "./bm25.ts";
import type { ScoredText } from "./bm25.ts";
import { countsInTexts } from "./lexicon.ts";
import type { NumberedText } from "./lexicon.ts";
import type { RankingParams } from "./params.ts";
import { byCodeUnits } from "./stages.ts";
import type { SelectedTerm } from "./stages.ts";

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
  texts: readonly NumberedText[],
  terms: readonly SelectedTerm[],
  corpus: { averageTokens: number },
  params: RankingParams,
): ScoredText[] {
  const { weight, texts: learnFrom } = params.feedback;
  if (weight === 0 || scored.length <= learnFrom) return [...scored];
  const marks = marksOf(scored.slice(0, learnFrom), texts, terms, params);
  const extra = new Map(
    scoreTexts(
      texts,
      countsInTexts(
        texts,
        marks.map(({ token }) => token),
      ),
      marks,
      corpus,
      { ...params, titleMatch: 1 },
    ).map((each) => [each.id, each.score]),
  );
  return scored.map((each) => ({ ...each, score: each.score + (extra.get(each.id) ?? 0) }));
}

/** The tokens worth most, as terms: share of the best score × rarity in the pool, summed over the best. */
function marksOf(
  best: readonly ScoredText[],
  texts: readonly NumberedText[],
  terms: readonly SelectedTerm[],
  params: RankingParams,
): SelectedTerm[] {
  const { weight, terms: count } = params.feedback;
  const df = documentFrequencies(texts);
  const textById = new Map(texts.map((text) => [text.id, text]));
  const tokenOf = (number: number) => texts[0]?.lexicon.token(number) ?? "";
  const rarity = (number: number) => Math.log(1 + texts.length / (df[number] ?? 1));
  const asked = new Set(terms.map((term) => term.token));
  const worth = new Map<number, number>();
  for (const { id, score } of best) {
    for (const number of distinctOf(textById.get(id))) {
      // A token of one text alone says what that text is about, not what the query is about.
      if ((df[number] ?? 0) < 2) continue;
      const token = tokenOf(number);
      if (token.length < LEAST_UNITS || asked.has(token) || isStopWord(token)) continue;
      const share = score / (best[0]?.score ?? 1);
      worth.set(number, (worth.get(number) ?? 0) + share * rarity(number));
    }
  }
  const chosen = [...worth]
    .sort((a, b) => b[1] - a[1] || byCodeUnits(tokenOf(a[0]), tokenOf(b[0])))
    .slice(0, count);
  const most = chosen[0]?.[1] ?? 1;
  return chosen.map(([number, value]) => ({
    token: tokenOf(number),
    word: tokenOf(number),
    weight: (weight * value) / most,
    stopWord: false,
    part: false,
    searched: false,
    df: df[number] ?? 0,
    idf: rarity(number),
  }));
}

/** By number of a token: the texts that hold it in title or body. */
function documentFrequencies(texts: readonly NumberedText[]): Uint32Array {
  const size = texts[0]?.lexicon.size ?? 0;
  const df = new Uint32Array(size);
  const lastIn = new Uint32Array(size);
  for (const [at, { numbers }] of texts.entries()) {
    for (const column of [numbers.title, numbers.body]) {
      for (let place = 0; place < column.length; place++) {
        const number = column[place] ?? 0;
        if (lastIn[number] === at + 1) continue;
        lastIn[number] = at + 1;
        df[number] = (df[number] ?? 0) + 1;
      }
    }
  }
  return df;
}

const distinctOf = (text: NumberedText | undefined) =>
  new Set(text && [...text.numbers.title, ...text.numbers.body]);
