import { byScoreThenId } from "./stages.ts";
import type { IndexedText, Ranked } from "./stages.ts";

/** Weight of each token of a text. */
export type TermVector = ReadonlyMap<string, number>;

/**
 * Weights 1 + ln(count) of the tokens that stand whole in the first `maxChars` characters of title and body
 * as analysed. The logarithm keeps frequent small words from making all long texts alike.
 */
export function termVector(text: IndexedText, maxChars: number): TermVector {
  const analysed = `${text.title} ${text.body} `;
  const end = analysed.length <= maxChars ? analysed.length : analysed.lastIndexOf(" ", maxChars);
  const counts = new Map<string, number>();
  for (const token of analysed.slice(0, Math.max(0, end)).split(" ")) {
    if (token !== "") counts.set(token, (counts.get(token) ?? 0) + 1);
  }
  return new Map([...counts].map(([token, count]) => [token, 1 + Math.log(count)]));
}

/**
 * Stage 8: maximal marginal relevance (Carbonell & Goldstein 1998). Takes, again and again, the candidate
 * with the largest λ × score / best score − (1 − λ) × its largest similarity to those taken. The best one
 * comes first whatever λ is; ties break by score, then id. Scores stay as they are.
 */
export function maximalMarginalRelevance<T extends Ranked>(
  scored: readonly T[],
  vectorOf: (id: string) => TermVector,
  topK: number,
  lambda: number,
): T[] {
  const open = scored.toSorted(byScoreThenId).map((item) => ({
    item,
    vector: withNorm(vectorOf(item.id)),
    similarity: 0,
  }));
  const best = open[0]?.item.score ?? 0;
  const relevance = ({ score }: T) => (best > 0 ? score / best : 0);

  const taken: T[] = [];
  while (taken.length < topK && open.length > 0) {
    const worth = open.map(
      ({ item, similarity }) => lambda * relevance(item) - (1 - lambda) * similarity,
    );
    // The first of the largest: `open` stays in order of score and id, which is how ties break.
    const [next] = open.splice(worth.indexOf(Math.max(...worth)), 1);
    if (next === undefined) break;
    taken.push(next.item);
    for (const other of open) {
      other.similarity = Math.max(other.similarity, cosine(other.vector, next.vector));
    }
  }
  return taken;
}

interface NormedVector {
  weights: TermVector;
  norm: number;
}

function withNorm(weights: TermVector): NormedVector {
  let squares = 0;
  for (const weight of weights.values()) squares += weight * weight;
  return { weights, norm: Math.sqrt(squares) };
}

/** 0 when either text has no tokens. */
function cosine(a: NormedVector, b: NormedVector): number {
  const [small, large] = a.weights.size <= b.weights.size ? [a, b] : [b, a];
  let dot = 0;
  for (const [token, weight] of small.weights) dot += weight * (large.weights.get(token) ?? 0);
  return dot === 0 ? 0 : dot / (a.norm * b.norm);
}
