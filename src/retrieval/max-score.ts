import { isPhrase } from "../analysis/phrases.ts";
import { weighted } from "../lib/packed-counts.ts";
import type { PostingList } from "../lib/packed-counts.ts";
import type { RankingParams } from "./params.ts";
import type { SelectedTerm } from "./stages.ts";

/** Where postings come from: memory, the index, or the texts of a few entries. */
export interface PostingSource {
  cached(token: string): PostingList | undefined;
  list(token: string): PostingList;
  /** The token was asked for before, and its list was not read: it is worth reading now. */
  recurs(token: string): boolean;
  /** Packed counts of each token in each of the entries, in their order: token by token. A phrase counts 1. */
  countsIn(docs: readonly number[], tokens: readonly string[]): Uint32Array[];
}

/** Entries as the scorer meets them, by internal number. */
export interface Corpus {
  /** Every internal number is below it. */
  size: number;
  /** Tokens of title and body. */
  tokenCounts: Uint32Array;
  averageTokens: number;
}

export interface Best {
  doc: number;
  score: number;
}

/**
 * A score is a sum of whole numbers of this part, so that it is the same in whatever order terms are added:
 * a woken object, which has no lists in memory, ranks as a warm one, to the last bit.
 */
const PART = 2 ** 24;

/** What reading one entry's text and one of its tokens costs, in postings; measured (docs/ranking.md). */
const TEXT_COST = 15;
const TOKEN_COST = 0.25;

/** What looking one entry up in a list in memory costs, in postings of that list that are passed over. */
const LOOKUP_COST = 20;

/**
 * The exact best `k` entries by BM25 with weighted columns, by MaxScore (Turtle & Flood 1995): terms are added
 * rarest first, those in memory before all others, until what the terms left could add at most is less than the
 * k-th best score. From then on no entry that was not met can enter, so only the few that were met and can still
 * enter need the terms that are left: from lists in memory, from their own texts, or from lists read for them,
 * whichever costs least. See docs/ranking.md.
 *
 * @param admits entries that may be among the best; all when absent.
 * @returns best first, equal scores by number.
 */
export function maxScore(
  terms: readonly SelectedTerm[],
  source: PostingSource,
  corpus: Corpus,
  params: Pick<RankingParams, "bm25" | "columns">,
  k: number,
  admits?: (doc: number) => boolean,
): Best[] {
  const sum = new Sum(corpus, params, admits);
  const open = inReadingOrder(terms, source);
  let left = open.reduce((total, term) => total + boundOf(term, params), 0);
  for (let next = open[0]; next !== undefined; next = open[0]) {
    // Of a list that is shorter than what was met, reading it costs less than finding the k-th best.
    if (next.df > sum.met.length && left < sum.kthBest(k)) {
      sum.close(k, left);
      if (!isAtHand(next, source) && cheaperFromTexts(open, sum.met, corpus, source)) {
        addToMet(sum, open, source);
        break;
      }
    }
    if (sum.closed && isAtHand(next, source) && sum.met.length * LOOKUP_COST < next.df) {
      addToMet(sum, [next], source);
    } else sum.add(next, source.list(next.token));
    left -= boundOf(next, params);
    open.shift();
  }
  return sum.best(k);
}

/** Phrases, which have no list to keep, then what is in memory, then the rarest. */
function inReadingOrder(terms: readonly SelectedTerm[], source: PostingSource): SelectedTerm[] {
  return terms.toSorted(
    (a, b) =>
      Number(isPhrase(b.token)) - Number(isPhrase(a.token)) ||
      Number(isAtHand(b, source)) - Number(isAtHand(a, source)) ||
      a.df - b.df,
  );
}

const isAtHand = ({ token }: SelectedTerm, source: PostingSource) =>
  isPhrase(token) || source.cached(token) !== undefined;

/** More than any entry can earn by the term: its frequency saturates (k1 + 1 is the limit). */
function boundOf(term: SelectedTerm, { bm25 }: Pick<RankingParams, "bm25">): number {
  // One part more than the limit, for what a division may round up.
  return Math.ceil(term.weight * term.idf * (bm25.k1 + 1) * PART) + 1;
}

function cheaperFromTexts(
  open: readonly SelectedTerm[],
  met: readonly number[],
  { tokenCounts }: Corpus,
  source: PostingSource,
): boolean {
  if (open.some(({ token }) => source.recurs(token))) return false;
  const postings = open.reduce((sum, { df }) => sum + df, 0);
  const texts = met.reduce((sum, doc) => sum + TEXT_COST + TOKEN_COST * (tokenCounts[doc] ?? 0), 0);
  return texts < postings;
}

/** Adds the terms to what was met, entry by entry. */
function addToMet(sum: Sum, open: readonly SelectedTerm[], source: PostingSource): void {
  const docs = Uint32Array.from(sum.met);
  const counts = source.countsIn(
    sum.met,
    open.map(({ token }) => token),
  );
  open.forEach((term, at) => {
    sum.add(term, {
      length: docs.length,
      docs,
      counts: counts[at] ?? new Uint32Array(docs.length),
    });
  });
}

/** Scores so far, in whole `PART`s. */
class Sum {
  readonly #corpus: Corpus;
  readonly #params: Pick<RankingParams, "bm25" | "columns">;
  readonly #admits: ((doc: number) => boolean) | undefined;
  /** By entry: 0 when not met, `REFUSED` when not admitted. */
  readonly #scores: Float64Array;
  /** Entries with a score, in the order in which they were met. */
  met: number[] = [];
  closed = false;

  constructor(
    corpus: Corpus,
    params: Pick<RankingParams, "bm25" | "columns">,
    admits: ((doc: number) => boolean) | undefined,
  ) {
    this.#corpus = corpus;
    this.#params = params;
    this.#admits = admits;
    this.#scores = new Float64Array(corpus.size);
  }

  add({ weight, idf }: SelectedTerm, { length, docs, counts }: PostingList): void {
    const { bm25, columns } = this.#params;
    const { tokenCounts, averageTokens } = this.#corpus;
    const scores = this.#scores;
    const worth = weight * idf * (bm25.k1 + 1) * PART;
    const fixed = bm25.k1 * (1 - bm25.b);
    const perToken = averageTokens > 0 ? (bm25.k1 * bm25.b) / averageTokens : 0;
    const constant = averageTokens > 0 ? fixed : bm25.k1;
    for (let at = 0; at < length; at++) {
      const doc = docs[at] ?? 0;
      const score = scores[doc] ?? REFUSED;
      if (score === REFUSED) continue;
      const packed = counts[at] ?? 0;
      if (packed === 0 || (score === 0 && !this.#meets(doc))) continue;
      const tf = weighted(packed, columns);
      const halfway = constant + perToken * (tokenCounts[doc] ?? 0);
      const earned = (worth * tf) / (tf + halfway);
      // One part at least, also where the term or its column weighs nothing: what was met has a score.
      scores[doc] = score + (earned > 1 ? Math.ceil(earned) : 1);
    }
  }

  /** An entry's first term: whether it may take part. */
  #meets(doc: number): boolean {
    if (this.closed) return false;
    if (this.#admits && !this.#admits(doc)) {
      this.#scores[doc] = REFUSED;
      return false;
    }
    this.met.push(doc);
    return true;
  }

  /** 0 with fewer than `k` entries. */
  kthBest(k: number): number {
    if (this.met.length < k) return 0;
    return kthLargest(this.met, this.#scores, k);
  }

  /** Meets no more entries, and leaves out those that `left` more cannot bring to the k-th best. */
  close(k: number, left: number): void {
    this.closed = true;
    const least = this.kthBest(k) - left;
    const stays = (doc: number) => (this.#scores[doc] ?? 0) >= least;
    for (const doc of this.met) if (!stays(doc)) this.#scores[doc] = REFUSED;
    this.met = this.met.filter(stays);
  }

  best(k: number): Best[] {
    const least = this.kthBest(k);
    return this.met
      .filter((doc) => (this.#scores[doc] ?? 0) >= least)
      .map((doc) => ({ doc, score: (this.#scores[doc] ?? 0) / PART }))
      .sort((a, b) => b.score - a.score || a.doc - b.doc)
      .slice(0, k);
  }
}

const REFUSED = -1;

/** The k-th largest score of the entries, by a heap of the k largest with the least on top. */
function kthLargest(docs: readonly number[], scores: Float64Array, k: number): number {
  const heap = new Float64Array(k).fill(REFUSED);
  for (const doc of docs) {
    const score = scores[doc] ?? REFUSED;
    if (score <= (heap[0] ?? REFUSED)) continue;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= k) break;
      if (child + 1 < k && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child += 1;
      if ((heap[child] ?? 0) >= score) break;
      heap[at] = heap[child] ?? 0;
      at = child;
    }
    heap[at] = score;
  }
  return heap[0] ?? 0;
}
