import type { EdgeType, Hit, Kind, Status, Volatility } from "../../contracts/index.ts";
import type { RecallFilter } from "./filter.ts";
import type { Grounding } from "./claims.ts";
import type { PostingList } from "../lib/packed-counts.ts";
import type { PostingSource } from "./max-score.ts";
import type { RankingParams } from "./params.ts";
import type { IndexedText } from "./stages.ts";

/** Facts of every entry by its internal number, in memory: enough to choose among postings. */
export interface DocFacts {
  /** Every internal number is below it. */
  readonly size: number;
  readonly tokenCounts: Uint32Array;
  kind(doc: number): Kind | undefined;
  /** As stored; what `mayExpire` may count as deprecated by now. */
  status(doc: number): Status | undefined;
  mayExpire(doc: number): boolean;
  exhaust(doc: number): boolean;
  occurredAt(doc: number): number;
}

/** An indexed entry as the arms meet it, before tags and recall counts are known. */
export interface Found {
  /** Internal number of the entry; never shown. */
  doc: number;
  text: IndexedText;
  /** Tokens of its tags, separated by spaces. */
  tagWords: string;
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
  | "content"
  | "claimTag"
  | "evidenceRef"
  | "tags"
  | "source"
  | "actor"
  | "createdAt"
  | "stale"
  | "changedSince"
  | "inexact"
>;

/**
 * What the pipeline asks of the world. Stores satisfy it with SQL, tests with arrays; nothing in
 * `src/retrieval` reads a clock, a database or a random number.
 */
export interface RecallDeps {
  now: number;
  params: RankingParams;
  corpus(): { entryCount: number; averageTokens: number };
  /** Entries that hold each token; 0 for a token of none. */
  documentFrequency(tokens: readonly string[]): ReadonlyMap<string, number>;
  postings: PostingSource;
  facts: DocFacts;
  /** Entries with the tag. */
  tagged(tag: string): PostingList;
  /** In the order of the numbers. */
  read(docs: readonly number[]): Found[];
  /** What passes the filter, newest first. */
  newestPassing(filter: RecallFilter, limit: number): Found[];
  find(ids: readonly string[]): Found[];
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
  /** How often each was recalled; 0 is left out. */
  recallCounts(docs: readonly number[]): ReadonlyMap<number, number>;
  tagsOf(docs: readonly number[]): ReadonlyMap<number, string[]>;
  /** Ids that rest on nothing are left out. */
  grounds(ids: readonly string[], asOf: number | undefined): ReadonlyMap<string, Grounding>;
  present(docs: readonly number[]): ReadonlyMap<string, Presented>;
  /** Compares the query with vectors of entries; null without an embedder. */
  meaning: {
    /** The nearest of those admitted, nearest first; empty where there are too many to compare. */
    nearest(limit: number, admits: (doc: number) => boolean): { doc: number; score: number }[];
    /** Cosines of those that have a vector. */
    similarities(docs: readonly number[]): { doc: number; score: number }[];
  } | null;
  /** Bindings that failed before the recall began. */
  degraded: readonly string[];
  /** The same with the statuses, and in `present` the texts and their evidence, of that time ([REC-22]). */
  asOf(time: number): RecallDeps;
  /** Whether the text has any of the tokens. */
  holds(text: string, tokens: ReadonlySet<string>): boolean;
}
