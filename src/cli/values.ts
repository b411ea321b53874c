import { InvalidArgumentError } from "commander";

/*
 * Values as people write them on a command line. Each parser refuses with commander's error, whose sentence
 * commander prints after the name of the option.
 */

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DAY_MS = UNIT_MS.d;
const LONGEST_MS = 366 * DAY_MS;

/** "90s", "15m", "1h", "30d" → milliseconds; at most 366 days. */
export function durationMs(text: string): number {
  const match = /^([1-9]\d{0,8})([smhd])$/.exec(text.trim());
  const ms = match ? Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS] : Infinity;
  if (ms > LONGEST_MS) {
    throw new InvalidArgumentError(
      `"${text}" is not a duration: write a number and a unit such as 90s, 15m, 1h or 30d, at most 366d.`,
    );
  }
  return ms;
}

export function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text.trim()) ? Number(text) : 0;
  if (port < 1 || port > 65_535) {
    throw new InvalidArgumentError(`"${text}" is not a port: write a number from 1 to 65535.`);
  }
  return port;
}

/** An integer; the range is the contract's to check. */
export function integer(text: string): number {
  if (!/^-?\d{1,15}$/.test(text.trim())) {
    throw new InvalidArgumentError(`"${text}" is not a whole number.`);
  }
  return Number(text);
}

/**
 * "2026-01-31", "2026-01-31T09:30Z" or milliseconds → milliseconds. A day alone is its first millisecond,
 * UTC, or its last with `end: "last"`: windows include both ends.
 */
export function timeMs(text: string, end: "first" | "last" = "first"): number {
  const written = text.trim();
  if (/^\d{5,16}$/.test(written)) return Number(written);
  const ms = /^\d{4}-\d{2}(-\d{2}|$)/.test(written) ? Date.parse(written) : Number.NaN;
  if (Number.isNaN(ms)) {
    throw new InvalidArgumentError(
      `"${text}" is not a time: write a date such as 2026-01-31, a time such as 2026-01-31T09:30Z, or milliseconds.`,
    );
  }
  const dayAlone = /^\d{4}-\d{2}-\d{2}$/.test(written);
  return dayAlone && end === "last" ? ms + DAY_MS - 1 : ms;
}

/** Collects a repeated option: `--tag a --tag b`. */
export function collect(value: string, previous: readonly string[] | undefined): string[] {
  return [...(previous ?? []), value];
}
