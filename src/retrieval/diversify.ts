import type { Lexicon, NumberedText } from "./lexicon.ts";
import { byScoreThenId } from "./stages.ts";
import type { Ranked } from "./stages.ts";

/** A text as weights by number of a token: `weights[i]` is that of `numbers[i]`; each number once. */
export interface TermVector {
  numbers: readonly number[];
  weights: readonly number[];
}

/**
 * Weights 1 + ln(count) of the tokens that stand whole in the first `maxChars` characters of title and body
 * as analysed. The logarithm keeps frequent small words from making all long texts alike.
 *
 * @returns the vector of each text of the lexicon, which must have read them all.
 */
export function termVectors(
  lexicon: Lexicon,
  maxChars: number,
): (text: NumberedText) => TermVector {
  const counts = new Uint32Array(lexicon.size);
  return ({ numbers: { title, body } }) => {
    const numbers: number[] = [];
    let end = -1;
    for (const column of [title, body]) {
      if (column.length === 0) end += 1;
      for (let at = 0; at < column.length; at++) {
        const number = column[at] ?? 0;
        end += 1 + lexicon.token(number).length;
        if (end > maxChars) break;
        if (counts[number] === 0) numbers.push(number);
        counts[number] = (counts[number] ?? 0) + 1;
      }
    }
    const weights = numbers.map((number) => 1 + Math.log(counts[number] ?? 1));
    for (const number of numbers) counts[number] = 0;
    return { numbers, weights };
  };
}

/**
 * Stage 8: maximal marginal relevance (Carbonell & Goldstein 1998). Takes, again and again, the candidate
 * with the largest λ × score / best score − (1 − λ) × its largest similarity to those taken. The best one
 * comes first whatever λ is; ties break by score, then id. Scores stay as they are.
 *
 * @param floor cosine up to which two texts count as different, 0..1; what is above it is stretched to
 *   0..1. Scores after RRF are flat, so without it two texts on one subject would lose to unrelated ones.
 */
export function maximalMarginalRelevance<T extends Ranked>(
  scored: readonly T[],
  vectorOf: (id: string) => TermVector,
  topK: number,
  lambda: number,
  floor: number,
): T[] {
  const open = scored.toSorted(byScoreThenId).map((item): Open<T> => {
    return { item, vector: unit(vectorOf(item.id)), similarity: 0 };
  });
  const numbers = open.reduce((most, { vector }) => Math.max(most, ...vector.numbers), 0) + 1;
  const weightOf = new Float64Array(numbers);
  const best = open[0]?.item.score ?? 0;
  const worthOf = ({ item: { score }, similarity }: Open<T>) =>
    lambda * (best > 0 ? score / best : 0) -
    (1 - lambda) * Math.max(0, (similarity - floor) / (1 - floor));

  const taken: T[] = [];
  while (taken.length < topK && open.length > 0) {
    const worths = open.map(worthOf);
    // The first of the largest: `open` stays in order of score and id, which is how ties break.
    const [next] = open.splice(worths.indexOf(Math.max(...worths)), 1);
    if (next === undefined) break;
    taken.push(next.item);
    const similarityTo = cosineWith(next.vector, weightOf);
    for (const other of open) {
      other.similarity = Math.max(other.similarity, similarityTo(other.vector));
    }
  }
  return taken;
}

/** A candidate that is not taken yet, and its largest similarity to those taken. */
interface Open<T> {
  item: T;
  vector: TermVector;
  similarity: number;
}

function unit({ numbers, weights }: TermVector): TermVector {
  const norm = Math.hypot(...weights);
  return { numbers, weights: weights.map((weight) => weight / norm) };
}

/** Writes one vector into `weightOf` by number, so that each comparison is one pass over the other. */
function cosineWith(one: TermVector, weightOf: Float64Array): (other: TermVector) => number {
  weightOf.fill(0);
  for (const [at, number] of one.numbers.entries()) weightOf[number] = one.weights[at] ?? 0;
  return ({ numbers, weights }) => {
    let dot = 0;
    for (let at = 0; at < numbers.length; at++) {
      dot += (weightOf[numbers[at] ?? 0] ?? 0) * (weights[at] ?? 0);
    }
    return dot;
  };
}
