import { mean } from "../support/metrics.ts";
import { percentile } from "./percentiles.ts";
import type { Sample } from "./protocol.ts";

/** One line of the report: the same call with various arguments. */
export interface Line {
  /** Calls. */
  n: number;
  /** Milliseconds over the calls, each at the least of its repeats: what else the machine does only adds. */
  p50: number;
  p99: number;
  mean: number;
  /** Rows a call, by what is counted; no such rows for what is not the sphere. */
  rows: Record<string, { mean: number; max: number }>;
}

export type Lines = Record<string, Line>;

export function lineOf(samples: readonly Sample[]): Line {
  return { ...timesOf(samples.map(({ ms }) => Math.min(...ms))), rows: rowsOf(samples) };
}

export function timesOf(ms: readonly number[]): Omit<Line, "rows"> {
  return {
    n: ms.length,
    p50: percentile(ms, 0.5),
    p99: percentile(ms, 0.99),
    mean: mean(ms),
  };
}

function rowsOf(samples: readonly Sample[]): Line["rows"] {
  const names = [...new Set(samples.flatMap(({ rows }) => Object.keys(rows)))];
  return Object.fromEntries(
    names.map((name) => {
      const values = samples.map(({ rows }) => rows[name] ?? 0);
      return [name, { mean: Math.round(mean(values) * 10) / 10, max: Math.max(...values) }];
    }),
  );
}
