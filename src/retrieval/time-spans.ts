import type { ParsedComponents, ParsedResult } from "chrono-node";
import { casual } from "chrono-node/en";
import { lastNamed, periodOf } from "./calendar.ts";
import { isCurrentPeriod, isRelative, meaningOf, rangeOf } from "./time-meaning.ts";
import type { Meaning } from "./time-meaning.ts";

/** Words of a text that name a time. */
export interface TimeSpan {
  /** Bounds in the text, UTF-16 units, end exclusive. */
  start: number;
  end: number;
  /** Counts from now ('last week'); other spans name a month, a quarter or a year. */
  relative: boolean;
  needs: Needs;
  meaning: Meaning;
}

/**
 * What must stand before the words for a time to be meant: nothing, a preposition that goes with years ('in 2019'),
 * with months ('of March') or with days ('on Monday'), or the first half of a range ('from May to today').
 */
export type Needs = "nothing" | "year" | "month" | "day" | "range";

/**
 * Every time named in a text, in order, without overlaps. Left out are times of day, fractions, versions and
 * other numbers that only look like dates, and whatever counts from now into the future.
 */
export function timeSpans(text: string, now: number): TimeSpan[] {
  // 'end of March' would be its last day; people mean the month.
  const wholes = text.replaceAll(/\bend of\b/giu, (words) => " ".repeat(words.length));
  const dates = casual
    .parse(wholes, localTwin(now))
    .flatMap((result) => toSpan(result, text, now) ?? []);
  const others = [...quarters(text), ...years(text, now)].filter(
    (span) => !dates.some((date) => span.start < date.end && date.start < span.end),
  );
  return [...dates, ...others].sort((a, b) => a.start - b.start);
}

/**
 * chrono reckons in the fields of the machine's timezone. It is handed the instant whose local fields are the UTC
 * fields of `now`, and only calendar fields are read from its answers.
 */
function localTwin(now: number): Date {
  const utc = new Date(now);
  return new Date(
    utc.getUTCFullYear(),
    utc.getUTCMonth(),
    utc.getUTCDate(),
    utc.getUTCHours(),
    utc.getUTCMinutes(),
    utc.getUTCSeconds(),
  );
}

function toSpan(result: ParsedResult, text: string, now: number): TimeSpan | null {
  const preposition = /^(?:on|in|at|the)\s+/iu.exec(result.text)?.[0] ?? "";
  const phrase = result.text.slice(preposition.length).trimEnd();
  const start = result.index + preposition.length;
  const end = start + phrase.length;
  const needs = needsOf(result.start, phrase);
  if (needs === null || isPartOfNumber(text, start, end)) {
    return null;
  }
  const from = meaningOf(result.start, phrase, now);
  const meaning = result.end ? rangeOf(from, meaningOf(result.end, phrase, now)) : from;
  const relative = !NAMED.test(phrase);
  const meant = meaning(now);
  if (meant === null || (relative && meant.since > now)) {
    return null;
  }
  return {
    start,
    end,
    relative,
    needs: result.end && needs !== "range" ? "nothing" : needs,
    meaning,
  };
}

const MONTH = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/iu;
const NAMED = new RegExp(String.raw`\d{4}|\d[/-]\d|${MONTH.source}`, "iu");
const NUMERIC = /^\d+[./-]\d/u;
const FULL_NUMERIC =
  /^(?:\d{4}[/-]\d{1,2}[/-]\d{1,2}|\d{1,2}[/-]\d{1,2}[/-]\d{4}|\d{1,2}\/\d{4})(?!\d)/u;
const DAY_NAME = /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekend)\b/iu;
const NEAREST = /^(?:this|last|past|previous)\s+|\s+last\s+week$/iu;

/** 'at the last minute' is no time, and what comes next has not happened. */
const NEVER = /^(?:tonight|next\b|(?:this|last|past|previous)\s+(?:second|minute|hour|day))\b/iu;

/** Null when no date is meant. */
function needsOf(start: ParsedComponents, phrase: string): Needs | null {
  const number = NUMERIC.test(phrase) && !MONTH.test(phrase);
  if ((number && !FULL_NUMERIC.test(phrase)) || NEVER.test(phrase)) {
    return null;
  }
  if (/^(?:now|today)\b/iu.test(phrase)) {
    return "range";
  }
  if (isRelative(start) || isCurrentPeriod(phrase) || start.isCertain("year")) {
    return "nothing";
  }
  if (start.isCertain("month")) {
    const couldBeVerb = /^(?:may|march)\b|\b(?:may|march)$/u.test(phrase);
    return !start.isCertain("day") ? "month" : couldBeVerb ? "day" : "nothing";
  }
  const name = phrase.replace(NEAREST, "");
  return DAY_NAME.test(name) ? (name === phrase ? "day" : "nothing") : null;
}

/** A file name, a version, an id: `backup-2019-03-05.sql`. */
function isPartOfNumber(text: string, start: number, end: number): boolean {
  return (
    (/^\d/u.test(text.slice(start)) && /[\w./-]$/u.test(text.slice(0, start))) ||
    (/\d$/u.test(text.slice(0, end)) && /^(?:[\w/-]|\.\w)/u.test(text.slice(end)))
  );
}

/** 2019, 2019-03. A number above the present year counts something else. */
function years(text: string, now: number): TimeSpan[] {
  return Array.from(text.matchAll(YEAR), ({ 0: phrase, index, groups }): TimeSpan => {
    const month = groups?.["month"];
    const at = Date.UTC(Number(phrase.slice(0, 4)), Number(month ?? 1) - 1);
    return {
      start: index,
      end: index + phrase.length,
      relative: false,
      needs: month === undefined ? "year" : "nothing",
      meaning: () => (at > now ? null : periodOf(month === undefined ? "year" : "month", at)),
    };
  });
}

const YEAR =
  /(?<=^|[\s(]|\b(?:early|mid|late)-)(?:19|20)\d\d(?:-(?<month>0[1-9]|1[0-2]))?(?![\w/-]|[.:,]\d)/giu;

/** Q3, Q3 2024, 2024-Q3. */
function quarters(text: string): TimeSpan[] {
  return Array.from(text.matchAll(QUARTER), ({ 0: phrase, index, groups }) => {
    const year = groups?.["before"] ?? groups?.["after"];
    const month = Number(/q(?<quarter>\d)/iu.exec(phrase)?.[1]) * 3 - 2;
    return {
      start: index,
      end: index + phrase.length,
      relative: false,
      needs: year === undefined ? ("month" as const) : ("nothing" as const),
      meaning: (latest: number) => {
        const start =
          year === undefined
            ? lastNamed(month, null, latest)?.since
            : Date.UTC(Number(year), month - 1);
        return start === undefined ? null : periodOf("quarter", start);
      },
    };
  });
}

const QUARTER =
  /\b(?:(?<before>(?:19|20)\d\d)[\s-]?Q[1-4]|Q[1-4](?:(?:\s+(?:of\s+)?|[-/])(?<after>(?:19|20)\d\d))?)\b/giu;
