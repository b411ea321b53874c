import type {
  EdgeType,
  Kind,
  PathStep,
  Status,
  TimeWindow,
  Volatility,
} from "../../contracts/index.ts";
import type { QueryTerm } from "../analysis/analyzer.ts";

export type { QueryTerm } from "../analysis/analyzer.ts";

/*
 * The values that flow through recall, in the order of the stages (contract section 5). Each stage adds
 * fields and keeps the earlier ones, so `explain` reads what ranking used and nothing is computed twice.
 * Scores: higher is better. Ranks: 1-based. Ties break by id everywhere (`byScoreThenId`).
 */

/** A query after stage 1. */
export interface RewrittenQuery {
  /** What is searched: relative time phrases are gone, absolute dates stay. */
  text: string;
  window: TimeWindow | null;
  /** The time as of which the words ask ([RWR-6]); null for now. */
  asOf: number | null;
  /** The query asks about the past ('when did', 'as of') or names a window: rank without recency. */
  asksPast: boolean;
  /** The query wishes for the newest ('latest', 'currently'): recency weighs more ([RWR-7]). */
  wantsNewest: boolean;
}

export interface Ranked {
  id: string;
  score: number;
}

/** Best first. An absent arm is an empty list. */
export type RankedList = readonly Ranked[];

/** The analysed text of an entry as stored in the index: tokens separated by spaces. */
export interface IndexedText {
  id: string;
  title: string;
  body: string;
  /** The body goes on: very long ones are not read to their end. */
  wasCut: boolean;
  /** Tokens of title and body; the length in BM25. */
  tokenCount: number;
}

/** A query term that was kept, with what the corpus says of it. */
export interface SelectedTerm extends QueryTerm {
  df: number;
  idf: number;
  /** Finds entries; a term that is not searched only scores what others find. */
  searched: boolean;
}

/** An edge met while walking from the seeds. */
export interface WalkedEdge {
  from: string;
  to: string;
  type: EdgeType;
  /** `out` when `from` is the src of the stored edge. */
  direction: "out" | "in";
  weight: number;
  /** 1 for edges that leave a seed. */
  hop: number;
}

/** Where a node's propagated score mostly came from; absent on nodes with words of their own only. */
export interface GraphPath {
  from: string;
  steps: PathStep[];
}

export interface Fused {
  id: string;
  rrf: number;
  ranks: { keyword: number | null; graph: number | null; vector: number | null };
}

/** The facts of an entry that filtering and reranking look at. */
export interface CandidateFacts {
  id: string;
  kind: Kind;
  /** Effective: `deprecated` also when expired. */
  status: Status;
  volatility: Volatility;
  exhaust: boolean;
  /** 0 is unset. */
  importance: number;
  tags: readonly string[];
  occurredAt: number;
  /** When the text last changed after capture; null when it never did. */
  textAt: number | null;
  recallCount: number;
}

export type Candidate = Fused & CandidateFacts;

export interface Factors {
  rrf: number;
  recency: number;
  importance: number;
  tagOverlap: number;
  window: number;
  /** Brings the product of the four above into the allowed range; 1 when it is inside already. */
  clamp: number;
}

export type Scored = Candidate & { factors: Factors; score: number; inWindow: boolean };

/** Total order of every ranked list: score descending, then id ascending (code units). */
export function byScoreThenId(a: Ranked, b: Ranked): number {
  return b.score - a.score || byCodeUnits(a.id, b.id);
}

export function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
