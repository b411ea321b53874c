import type { CaptureItem, EdgeType, Method, RecallOptions } from "../../contracts/index.ts";
import type { RankingParams } from "../../src/retrieval/params.ts";

/* What the Node side of a bench and its Worker say to each other, as JSON. */

/** 2026-11-01T00:00:00Z: when sets are loaded, and when a query that has no date of its own is asked. */
export const CLOCK = Date.UTC(2026, 10, 1);

export interface LoadRequest {
  /** Captured in order; the answer has their ids in the same order. */
  items: (CaptureItem & { plain: string })[];
}

export interface LinkRequest {
  links: { src: string; dst: string; type: EdgeType }[];
}

export interface SearchRequest {
  queries: { text: string; now: number }[];
  options: RecallOptions;
  /** Over the defaults, deeply. */
  params: DeepPartial<RankingParams>;
  engine: "recall" | "exact" | "porter";
  /** Hits of a plain engine. */
  limit: number;
}

export interface SearchAnswer {
  /** Per query. */
  hits: string[][];
  chars: number[];
  ms: number;
}

/** Any call of the surface, at a time. */
export interface CallRequest {
  now: number;
  method: Method;
  args: unknown[];
}

export type DeepPartial<T> = { [K in keyof T]?: T[K] extends object ? DeepPartial<T[K]> : T[K] };
