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
  const { open, dimensions } = withSparseVectors(scored.toSorted(byScoreThenId), vectorOf);
  const weightOf = new Float64Array(dimensions);
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
  vector: SparseVector;
  similarity: number;
}

/** Weights of a unit vector by dimension: tokens are numbered once, because the loop compares all pairs. */
interface SparseVector {
  dimensions: number[];
  weights: number[];
}

function withSparseVectors<T extends Ranked>(
  items: readonly T[],
  vectorOf: (id: string) => TermVector,
): { open: Open<T>[]; dimensions: number } {
  const dimensions = new Map<string, number>();
  const dimensionOf = (token: string) => {
    const dimension = dimensions.get(token) ?? dimensions.size;
    dimensions.set(token, dimension);
    return dimension;
  };
  const open = items.map((item) => {
    const vector = vectorOf(item.id);
    const norm = Math.hypot(...vector.values());
    return {
      item,
      vector: {
        dimensions: Array.from(vector.keys(), dimensionOf),
        weights: Array.from(vector.values(), (weight) => weight / norm),
      },
      similarity: 0,
    };
  });
  return { open, dimensions: dimensions.size };
}

/** Writes one vector into `weightOf` by dimension, so that each comparison is one pass over the other. */
function cosineWith(one: SparseVector, weightOf: Float64Array): (other: SparseVector) => number {
  weightOf.fill(0);
  for (const [at, dimension] of one.dimensions.entries())
    weightOf[dimension] = one.weights[at] ?? 0;
  return ({ dimensions, weights }) => {
    let dot = 0;
    for (let at = 0; at < dimensions.length; at++) {
      dot += (weightOf[dimensions[at] ?? 0] ?? 0) * (weights[at] ?? 0);
    }
    return dot;
  };
}
