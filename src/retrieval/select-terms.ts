import { isPhrase } from "../analysis/phrases.ts";
import type { RankingParams } from "./params.ts";
import { byCodeUnits } from "./stages.ts";
import type { QueryTerm, SelectedTerm } from "./stages.ts";

/**
 * Stage 2, first half: the terms worth scoring, rarest first (ties by token, then word).
 *
 * Left out are terms that no entry holds and stop words. Saturated terms are not searched while a term of
 * another word is not saturated ([REC-2], [REC-3]): they cost the most and decide the least, but what the
 * others find is scored by them too. Another *word*, because a saturated stem is how the rarer exact form
 * of the same word finds its inflections; and a phrase is no other word: it may not keep from searching the words
 * that it is made of ([REC-23]). Empty when no term that an entry holds is left.
 *
 * A word is searched by its stem, which stands wherever the word does; the exact form scores what that finds.
 *
 * Where some entry holds an identifier whole, its parts are worth little, so that the entry that has it comes
 * before those that only share pieces ([REC-24]).
 *
 * @param documentFrequency entries that hold each token; an absent token is in none.
 */
export function selectTerms(
  terms: readonly QueryTerm[],
  documentFrequency: ReadonlyMap<string, number>,
  entryCount: number,
  params: RankingParams,
): SelectedTerm[] {
  const present = terms
    .filter((term) => !term.stopWord)
    .map((term) => ({ ...term, df: Math.min(documentFrequency.get(term.token) ?? 0, entryCount) }))
    .filter((term) => term.df > 0);

  const isSaturated = (df: number) =>
    df > params.saturatedEntries && df > params.saturatedShare * entryCount;
  const rareWords = new Set(
    present
      .filter((term) => !isSaturated(term.df) && !isPhrase(term.token))
      .map(({ word }) => word),
  );
  const isReplaceable = (word: string) => rareWords.size > (rareWords.has(word) ? 1 : 0);

  const searched = present.filter(({ df, word }) => !isSaturated(df) || !isReplaceable(word));
  const stemmed = new Set(searched.filter(isStem).map(({ word }) => word));
  const scales = partScales(present, params.forms.parts);
  return present
    .map((term) => ({
      ...term,
      weight: term.weight * (term.part ? (scales.get(term.word) ?? 1) : 1),
      idf: idf(term.df, entryCount),
      searched:
        searched.some(({ token }) => token === term.token) &&
        !(term.token === term.word && stemmed.has(term.word)),
    }))
    .sort(byDfThenToken);
}

/** The stem of a word that is another; it stands in every entry that holds the word. */
function isStem({ token, word, part }: QueryTerm): boolean {
  return !part && token !== word && !isPhrase(token);
}

/**
 * By word of an identifier that some entry holds: what brings its parts to their worth. They are worth more the
 * more words stand beside it: a passage that names an identifier is about its other words too.
 */
function partScales(present: readonly QueryTerm[], worth: number): ReadonlyMap<string, number> {
  const byWord = Map.groupBy(present, ({ word }) => word);
  const scales = new Map<string, number>();
  for (const [word, terms] of byWord) {
    if (!isIdentifier(word) || !terms.some(({ token }) => token === word)) continue;
    const sum = terms.reduce((total, { part, weight }) => total + (part ? weight : 0), 0);
    if (sum > 0) scales.set(word, Math.min(1, (worth * byWord.size) / sum));
  }
  return scales;
}

/** Printable ASCII, and not words joined by hyphens: those are prose as often (`follow-up`). */
function isIdentifier(word: string): boolean {
  return /^[!-~]+$/.test(word) && !/^[a-z]+(?:-[a-z]+)+$/.test(word);
}

/** The BM25 idf with 1 added inside the logarithm: above 0 even for a term of every entry ([REC-11]). */
function idf(df: number, entryCount: number): number {
  return Math.log(1 + (entryCount - df + 0.5) / (df + 0.5));
}

function byDfThenToken(a: SelectedTerm, b: SelectedTerm): number {
  return a.df - b.df || byCodeUnits(a.token, b.token) || byCodeUnits(a.word, b.word);
}
