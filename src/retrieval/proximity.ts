import type { RankingParams } from "./params.ts";
import type { ScoredText } from "./bm25.ts";
import type { IndexedText, SelectedTerm } from "./stages.ts";

/** Tokens within which two words of the query stand together. */
const NEAR_TOKENS = 5;

/**
 * Lifts texts in which words of the query stand near each other ([REC-26]): the score grows by `proximity` ×
 * the share of the possible pairs of neighbouring words. Order in the query does not matter. Reads what
 * scoring has read, in one pass a text.
 */
export function liftByProximity(
  scored: readonly ScoredText[],
  textOf: (id: string) => IndexedText | undefined,
  terms: readonly SelectedTerm[],
  { proximity }: RankingParams,
): ScoredText[] {
  const wordOf = new Map(terms.map((term) => [term.token, term.word]));
  const possible = new Set(wordOf.values()).size - 1;
  if (possible < 1) return [...scored];
  return scored.map((each) => {
    const text = textOf(each.id);
    const pairs = text === undefined ? 0 : nearPairs(`${text.title} ${text.body}`, wordOf);
    return { ...each, score: each.score * (1 + proximity * Math.min(1, pairs / possible)) };
  });
}

/** Different pairs of different words that follow one another within `NEAR_TOKENS`. */
function nearPairs(tokens: string, wordOf: ReadonlyMap<string, string>): number {
  const pairs = new Set<string>();
  let last = { word: "", at: Number.NEGATIVE_INFINITY };
  for (const [at, token] of tokens.split(" ").entries()) {
    const word = wordOf.get(token);
    if (word === undefined) continue;
    if (word !== last.word && at - last.at <= NEAR_TOKENS) {
      pairs.add(word < last.word ? `${word} ${last.word}` : `${last.word} ${word}`);
    }
    last = { word, at };
  }
  return pairs.size;
}
