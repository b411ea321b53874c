import { countPhrases, isPhrase } from "../analysis/phrases.ts";
import { isStopWord } from "../analysis/stop-words.ts";
import type { RankingParams } from "./params.ts";
import { byScoreThenId } from "./stages.ts";
import type { IndexedText, Ranked, SelectedTerm } from "./stages.ts";

export interface ScoredText extends Ranked {
  /** The query's words that hit, in the order of the terms: rarest first. */
  matched: string[];
}

/**
 * Stage 2, second half: BM25 with weighted columns (BM25F: Robertson, Zaragoza & Taylor 2004), best first.
 * A token's frequency is the sum over columns of column weight × count, and saturates once for all columns;
 * length counts once, as tokens of title and body. Texts that hold none of the terms are left out.
 */
export function scoreTexts(
  texts: readonly IndexedText[],
  terms: readonly SelectedTerm[],
  corpus: { entryCount: number; averageTokens: number },
  params: RankingParams,
): ScoredText[] {
  return texts
    .map((text) => scoreText(text, terms, corpus.averageTokens, params))
    .filter((scored) => scored.matched.length > 0)
    .sort(byScoreThenId);
}

function scoreText(
  text: IndexedText,
  terms: readonly SelectedTerm[],
  averageTokens: number,
  { bm25: { k1, b }, columns, titleMatch }: RankingParams,
): ScoredText {
  const frequencies = weightedFrequencies(text, terms, columns);
  const length = averageTokens > 0 ? text.tokenCount / averageTokens : 1;
  const halfway = k1 * (1 - b + b * length);

  const matched = new Set<string>();
  let score = 0;
  for (const term of terms) {
    const tf = frequencies.get(term.token) ?? 0;
    if (tf === 0) continue;
    score += (term.weight * term.idf * tf * (k1 + 1)) / (tf + halfway);
    matched.add(term.word);
  }
  const lift = isTitle(text.title, terms) ? titleMatch : 1;
  return { id: text.id, score: score * lift, matched: [...matched] };
}

/** Whether a title says the words and phrases of the query and, stop words apart, nothing else ([REC-25]). */
function isTitle(title: string, terms: readonly SelectedTerm[]): boolean {
  const said = new Set(title.split(" "));
  const asked = new Set(terms.map((term) => term.token));
  const holds = ({ token }: SelectedTerm) =>
    isPhrase(token) ? countPhrases([token], title)[0] !== 0 : said.has(token);
  const wholes = terms.filter((term) => !term.part);
  const words = Map.groupBy(wholes, (term) => term.word).values();
  return (
    [...said].every((token) => asked.has(token) || isStopWord(token) || UNSPACED.test(token)) &&
    words.every((forms) => forms.some(holds))
  );
}

/** A character of a script without spaces: the index has it beside its bigrams, and a query asks for those. */
const UNSPACED = /^\P{ASCII}\p{M}*$/u;

/** One pass over the text, however many terms there are. */
function weightedFrequencies(
  text: IndexedText,
  terms: readonly SelectedTerm[],
  columns: RankingParams["columns"],
): ReadonlyMap<string, number> {
  const frequencies = new Map(terms.map((term) => [term.token, 0]));
  for (const column of ["title", "body", "stems", "tags"] as const) {
    for (const token of text[column].split(" ")) {
      const tf = frequencies.get(token);
      if (tf !== undefined) frequencies.set(token, tf + columns[column]);
    }
  }
  const phrases = terms.map(({ token }) => token).filter(isPhrase);
  if (phrases.length > 0) {
    const [title, body] = [countPhrases(phrases, text.title), countPhrases(phrases, text.body)];
    phrases.forEach((phrase, at) => {
      frequencies.set(phrase, columns.title * (title[at] ?? 0) + columns.body * (body[at] ?? 0));
    });
  }
  for (const token of text.beyondCut) {
    if (frequencies.get(token) === 0) frequencies.set(token, 1);
  }
  return frequencies;
}
