import type { EdgeType, Hit, Kind, Status, Volatility } from "../../contracts/index.ts";
import type { RecallFilter } from "./filter.ts";
import type { RankingParams } from "./params.ts";
import type { IndexedText, RankedList } from "./stages.ts";

/** An indexed entry as the arms meet it, before tags and recall counts are known. */
export interface Found {
  /** `beyondCut` is filled in by the keyword arm for texts that were cut. */
  text: IndexedText;
  textWasCut: boolean;
  kind: Kind;
  /** Effective: `deprecated` also when expired. */
  status: Status;
  volatility: Volatility;
  exhaust: boolean;
  importance: number;
  occurredAt: number;
  textAt: number | null;
  /** Some `supersedes` edge enters it: ask `supersession` whether one counts. */
  contested: boolean;
}

/** Who replaces whom, now or as of a time. */
export interface SupersessionView {
  isSuperseded(id: string): boolean;
  /** An entry later than the time asked about replaces it; never true of now. */
  isReplacedLater(id: string): boolean;
  headsOf(id: string): string[];
  /** The entry and all between it and the head. */
  replacedBy(head: string, id: string): string[];
}

/** What a presented hit shows beyond what ranking knew. */
export type Presented = Pick<
  Hit,
  "content" | "claimTag" | "evidenceRef" | "source" | "createdAt" | "stale"
>;

/**
 * What the pipeline asks of the world. Stores satisfy it with SQL, tests with arrays; nothing in
 * `src/retrieval` reads a clock, a database or a random number.
 */
export interface RecallDeps {
  now: number;
  params: RankingParams;
  corpus(): { entryCount: number; averageTokens: number };
  documentFrequency(tokens: readonly string[]): ReadonlyMap<string, number>;
  /** The best matches of any of the tokens, unfiltered. */
  best(tokens: readonly string[], limit: number): Found[];
  /** The best matches that pass the filter. */
  bestPassing(tokens: readonly string[], filter: RecallFilter, limit: number): Found[];
  /** What passes the filter, newest first. */
  newestPassing(filter: RecallFilter, limit: number): Found[];
  find(ids: readonly string[]): Found[];
  /** Which of the tokens stand anywhere in the texts of the given entries. */
  tokensIn(ids: readonly string[], tokens: readonly string[]): { id: string; token: string }[];
  /** Edges at the given entries but `supersedes`, heaviest first, `fanOut` per entry and direction. */
  neighbours(
    ids: readonly string[],
    fanOut: number,
  ): {
    from: string;
    to: string;
    direction: "out" | "in";
    type: EdgeType;
    weight: number;
  }[];
  /** As of `asOf`, now when undefined. */
  supersession(ids: readonly string[], asOf: number | undefined): SupersessionView;
  recallFacts(ids: readonly string[]): ReadonlyMap<string, { tags: string[]; recallCount: number }>;
  restsOnSuperseded(
    ids: readonly string[],
    asOf: number | undefined,
  ): ReadonlyMap<string, string[]>;
  present(ids: readonly string[]): ReadonlyMap<string, Presented>;
  /** Ranks by meaning; empty without an embedder. */
  vectorArm(text: string): RankedList;
}
