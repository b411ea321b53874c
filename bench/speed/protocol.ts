import type { CaptureItem, Method } from "../../contracts/index.ts";

/* What the Node side of the speed bench and its Worker say to each other, as JSON. */

export interface FillRequest {
  items: CaptureItem[];
}

/** Milliseconds of one call. */
export interface FillAnswer {
  captureMany: number;
  bare: number;
  ids: string[];
}

export interface Call {
  method: Method;
  args: unknown[];
  now: number;
}

/** `warm`: the sphere that the object holds; `woken`: a new one for each call, its opening apart. */
export type State = "warm" | "woken";

export interface How {
  state: State;
  /** Timed until the database has committed; a read is not. */
  committed: boolean;
}

export interface RunRequest extends How {
  calls: Call[];
  /** Times that each call is made. */
  repeats: number;
}

export interface Sample {
  /** Of each repeat, in order. */
  ms: number[];
  /** Opening the sphere, of each repeat; only `woken`. */
  openMs: number[];
  /** Of the first repeat: what `getStats().usage` counts, but for the number of calls. */
  rows: Rows;
  /** Of a recall: ids, best first. */
  hits?: string[];
}

/** `rowsRead`, `rowsWritten` and whatever else the sphere counts a method. */
export type Rows = Record<string, number>;

export interface PlainRequest {
  queries: string[];
  repeats: number;
}

export interface BareRequest {
  texts: string[];
}

export interface Timed {
  ms: number;
}
