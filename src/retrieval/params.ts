import type { EdgeType, Volatility } from "../../contracts/index.ts";

/**
 * Every constant of ranking, with its unit and its source. Injected when a sphere is opened, so that a bench
 * can switch a stage off; no public option reaches them ([REC-16]).
 */
export interface RankingParams {
  /** BM25 term saturation and length normalisation (Robertson & Zaragoza 2009). */
  bm25: { k1: number; b: number };
  /** Weight of a term's frequency by index column. */
  columns: { title: number; body: number; stems: number; tags: number };
  /**
   * Worth of a query word's forms: its stem, and the exact word on top; of a quoted phrase, on top of its words;
   * of all parts of an identifier together, for each word of the query, where some entry holds the whole ([REC-24]).
   */
  forms: { stem: number; exact: number; phrase: number; parts: number };
  /** Factor of the score of an entry whose title is the query. */
  titleMatch: number;
  /** Terms in more than this share of entries, and in more than this many, are dropped when rarer terms remain. */
  saturatedShare: number;
  saturatedEntries: number;
  /** What pairs of query words that stand together add to a score, as a share of it. */
  proximity: number;
  /** Pseudo-relevance feedback: weight of its terms, their number, and the texts they are learnt from. */
  feedback: { weight: number; terms: number; texts: number };
  /** Entries that the keyword arm scores. */
  keywordPool: number;
  graph: {
    /** Best keyword hits that the walk starts from. */
    seeds: number;
    /** Edges followed per node and direction-free, heaviest first. */
    fanOut: number;
    /** Nodes met in one walk, seeds included. */
    nodes: number;
    /**
     * Share of a seed's score that a step over an edge of weight 1 passes on, 0..1; each further step
     * multiplies again. An edge of the default weight passes half of it.
     */
    hopShare: number;
    /** Share by edge type, 0..1. */
    typeWeight: Readonly<Record<EdgeType, number>>;
  };
  /** Reciprocal rank fusion (Cormack et al. 2009). */
  rrfK: number;
  /** Weight of each arm's reciprocal ranks; 0 switches an arm off. */
  armWeight: { keyword: number; graph: number; vector: number };
  /** Entries nearest in meaning that the vector arm adds, and the cosine that each has at least. */
  vector: { pool: number; minCosine: number };
  /** Fused candidates that reach reranking, or as many as are asked for. */
  rerankPool: number;
  /** Floors stand above 0. */
  decay: {
    floor: Readonly<Record<Volatility, number>>;
    halfLifeDays: Readonly<Record<Volatility, number>>;
  };
  /** Exponents that damp each factor. */
  damping: { recency: number; importance: number; tagOverlap: number };
  /** The exponent of recency in a query that wishes for the newest ([RWR-7]). */
  newestDamping: { recency: number };
  /** Factor of a hit inside the query's own window. */
  windowBoost: number;
  /** The product of all factors stays inside these. */
  clamp: { min: number; max: number };
  mmrLambda: number;
  /** Cosine up to which MMR takes two texts for different ones, 0..1. */
  mmrFloor: number;
  snippets: { fullHits: number; fullChars: number; restChars: number; totalChars: number };
  /** Characters in all with `full: true`. */
  fullTotalChars: number;
  /** Characters of an entry that MMR compares. */
  similarityChars: number;
}

export const DEFAULT_PARAMS: RankingParams = {
  bm25: { k1: 1.2, b: 0.75 },
  columns: { title: 2, body: 1, stems: 0.9, tags: 1 },
  forms: { stem: 1, exact: 0.8, phrase: 0.75, parts: 0.3 },
  titleMatch: 2,
  saturatedShare: 0.5,
  saturatedEntries: 50,
  proximity: 0.25,
  feedback: { weight: 0.2, terms: 10, texts: 5 },
  keywordPool: 50,
  graph: {
    seeds: 20,
    fanOut: 8,
    nodes: 40,
    hopShare: 0.7,
    typeWeight: {
      relates_to: 1,
      supersedes: 1,
      caused_by: 1,
      decided: 1,
      about_person: 0.5,
      part_of_project: 0.5,
      follows: 1,
      document_of: 1,
    },
  },
  rrfK: 60,
  armWeight: { keyword: 0.05, graph: 1, vector: 1 },
  vector: { pool: 50, minCosine: 0.5 },
  rerankPool: 40,
  decay: {
    floor: { durable: 0.9, state: 0.6, volatile: 0.15 },
    halfLifeDays: { durable: 180, state: 30, volatile: 7 },
  },
  damping: { recency: 0.05, importance: 0.5, tagOverlap: 1 },
  newestDamping: { recency: 0.5 },
  windowBoost: 1.2,
  clamp: { min: 0.8, max: 1.25 },
  mmrLambda: 0.7,
  mmrFloor: 0.92,
  snippets: { fullHits: 2, fullChars: 4_000, restChars: 400, totalChars: 12_000 },
  fullTotalChars: 1_000_000,
  similarityChars: 4_000,
};
