import type { RankingParams } from "./params.ts";
import type { ScoredText } from "./bm25.ts";
import type { NumberedText } from "./lexicon.ts";
import type { SelectedTerm } from "./stages.ts";

/** Tokens within which two words of the query stand together. */
const NEAR_TOKENS = 5;

/**
 * Lifts texts in which words of the query stand near each other ([REC-26]): the score grows by `proximity` ×
 * the share of the possible pairs of neighbouring words. Order in the query does not matter. Reads what
 * scoring has read, in one pass a text.
 */
export function liftByProximity(
  scored: readonly ScoredText[],
  textOf: (id: string) => NumberedText | undefined,
  terms: readonly SelectedTerm[],
  { proximity }: RankingParams,
): ScoredText[] {
  const words = [...new Set(terms.map((term) => term.word))];
  const possible = words.length - 1;
  const lexicon = scored[0] && textOf(scored[0].id)?.lexicon;
  if (possible < 1 || lexicon === undefined) return [...scored];
  const wordOf = new Uint16Array(lexicon.size);
  for (const { token, word } of terms) {
    const number = lexicon.find(token);
    if (number !== undefined) wordOf[number] = words.indexOf(word) + 1;
  }
  return scored.map((each) => {
    const text = textOf(each.id);
    const pairs = text === undefined ? 0 : nearPairs(text, wordOf, words.length + 1);
    return { ...each, score: each.score * (1 + proximity * Math.min(1, pairs / possible)) };
  });
}

/**
 * Different pairs of different words that follow one another within `NEAR_TOKENS`.
 *
 * @param wordOf by number of a token: its word of the query, from 1 to below `words`; 0 for all other tokens.
 */
function nearPairs({ numbers }: NumberedText, wordOf: Uint16Array, words: number): number {
  const pairs = new Set<number>();
  let last = 0;
  let lastAt = 0;
  let at = 0;
  for (const column of [numbers.title, numbers.body]) {
    for (let place = 0; place < column.length; place++, at++) {
      const word = wordOf[column[place] ?? 0] ?? 0;
      if (word === 0) continue;
      if (last !== 0 && word !== last && at - lastAt <= NEAR_TOKENS) {
        pairs.add(Math.min(word, last) * words + Math.max(word, last));
      }
      last = word;
      lastAt = at;
    }
  }
  return pairs.size;
}
