import { countPhrases, isPhrase } from "../analysis/phrases.ts";
import { isStopWord } from "../analysis/stop-words.ts";
import { weighted } from "../lib/packed-counts.ts";
import type { NumberedText } from "./lexicon.ts";
import type { RankingParams } from "./params.ts";
import { byScoreThenId } from "./stages.ts";
import type { Ranked, SelectedTerm } from "./stages.ts";

export interface ScoredText extends Ranked {
  /** The query's words that hit, in the order of the terms: rarest first. */
  matched: string[];
}

/**
 * Stage 2, second half: BM25 with weighted columns (BM25F: Robertson, Zaragoza & Taylor 2004), best first.
 * A token's frequency is the sum over columns of column weight × count, and saturates once for all columns;
 * length counts once, as tokens of title and body. Texts that hold none of the terms are left out.
 *
 * @param counts packed, by term and then by text.
 */
export function scoreTexts(
  texts: readonly NumberedText[],
  counts: readonly Uint32Array[],
  terms: readonly SelectedTerm[],
  corpus: { averageTokens: number },
  params: RankingParams,
): ScoredText[] {
  const asked = new Set(terms.map((term) => term.token));
  return texts
    .map((text, at) => scoreText(text, at, counts, terms, corpus.averageTokens, params, asked))
    .filter((scored) => scored.matched.length > 0)
    .sort(byScoreThenId);
}

function scoreText(
  text: NumberedText,
  index: number,
  counts: readonly Uint32Array[],
  terms: readonly SelectedTerm[],
  averageTokens: number,
  { bm25: { k1, b }, columns, titleMatch }: RankingParams,
  asked: ReadonlySet<string>,
): ScoredText {
  const length = averageTokens > 0 ? text.tokenCount / averageTokens : 1;
  const halfway = k1 * (1 - b + b * length);

  const matched = new Set<string>();
  let score = 0;
  for (const [at, term] of terms.entries()) {
    const tf = weighted(counts[at]?.[index] ?? 0, columns);
    if (tf === 0) continue;
    score += (term.weight * term.idf * tf * (k1 + 1)) / (tf + halfway);
    matched.add(term.word);
  }
  const lift = titleMatch !== 1 && isTitle(text, terms, asked) ? titleMatch : 1;
  return { id: text.id, score: score * lift, matched: [...matched] };
}

/** Whether a title says the words and phrases of the query and, stop words apart, nothing else ([REC-25]). */
function isTitle(
  { title, numbers, lexicon }: NumberedText,
  terms: readonly SelectedTerm[],
  asked: ReadonlySet<string>,
): boolean {
  const isOfQuery = (number: number) => {
    const token = lexicon.token(number);
    return asked.has(token) || isStopWord(token) || UNSPACED.test(token);
  };
  if (!numbers.title.every(isOfQuery)) return false;
  const said = new Set(title.split(" "));
  const holds = ({ token }: SelectedTerm) =>
    isPhrase(token) ? countPhrases([token], title)[0] !== 0 : said.has(token);
  const wholes = terms.filter((term) => !term.part);
  return [...Map.groupBy(wholes, (term) => term.word).values()].every((forms) => forms.some(holds));
}

/** A character of a script without spaces: the index has it beside its bigrams, and a query asks for those. */
const UNSPACED = /^\P{ASCII}\p{M}*$/u;
