import type { ParsedComponents } from "chrono-node";
import { DAY_MS, lastNamed, periodOf, weekdayBefore, weekdayOf, weekendOf } from "./calendar.ts";
import type { Interval } from "./calendar.ts";

/** What words mean when a year that is not said is the last one in which it starts no later than `latest`. */
export type Meaning = (latest: number) => Interval | null;

/**
 * The whole day, week, month or year that a date stands for: 'March 2019' is a month, 'last week' the calendar week
 * before this one (Monday to Sunday), '2 weeks ago' the week of that day, 'last 3 days' up to the end of today.
 *
 * @param phrase the words that were parsed to `date`
 */
export function meaningOf(date: ParsedComponents, phrase: string, now: number): Meaning {
  const year = date.get("year") ?? 0;
  const day = date.get("day") ?? 1;
  const at = Date.UTC(year, (date.get("month") ?? 1) - 1, day, date.get("hour") ?? 0);
  const wholeDay = date.isCertain("day");
  const current = CURRENT.exec(phrase)?.[1]?.toLowerCase();
  if (Number.isNaN(at) || year < 1000) {
    return () => null;
  }
  if (current === "week" || current === "month" || current === "quarter" || current === "year") {
    return () => periodOf(current, now);
  }
  if (isRelative(date)) {
    return () => relativeMeaning(date, phrase, at, now);
  }
  if (date.isCertain("weekday") && !wholeDay) {
    return (latest) => weekdayMeaning(date, phrase, now, latest);
  }
  if (date.isCertain("year")) {
    return () => periodOf(wholeDay ? "day" : date.isCertain("month") ? "month" : "year", at);
  }
  return (latest) => lastNamed(date.get("month") ?? 1, wholeDay ? day : null, latest);
}

/** From the start of one to the end of the other. A first half without a year lies before the second. */
export function rangeOf(from: Meaning, to: Meaning): Meaning {
  return (latest) => {
    const end = to(latest);
    const near = from(latest);
    const start = end && near && near.since > end.until ? from(end.since) : near;
    return start && end
      ? { since: Math.min(start.since, end.since), until: Math.max(start.until, end.until) }
      : null;
  };
}

/** 'this week': what the calendar says, not seven days from now. */
export function isCurrentPeriod(phrase: string): boolean {
  return CURRENT.test(phrase);
}

/** Counted in days, weeks, months … from now. */
export function isRelative(date: ParsedComponents): boolean {
  return date.tags().has("result/relativeDate");
}

const CURRENT = /^this\s+(week|month|quarter|year)\b/iu;
const ROLLING = /^past\s|^(?:last|previous)\s+(?!(?:week|month|quarter|year|day)\b)/iu;
const VAGUE = /\b(?:few|several)\b.*\bago$/iu;

/** @param at the time that the phrase counts back to */
function relativeMeaning(
  date: ParsedComponents,
  phrase: string,
  at: number,
  now: number,
): Interval {
  const hours = date.isCertain("hour");
  if (ROLLING.test(phrase)) {
    return {
      since: hours ? periodOf("hour", at).since : periodOf("day", at).since,
      until: periodOf("day", now).until,
    };
  }
  if (VAGUE.test(phrase) && !hours) {
    const days = (now - at) / DAY_MS;
    return {
      since: periodOf("day", now - 2 * days * DAY_MS).since,
      until: periodOf("day", now - (days / 2) * DAY_MS).until,
    };
  }
  // chrono is certain of the fields that the unit fixes; of a week it leaves the weekday open.
  const unit = hours
    ? "hour"
    : date.isCertain("weekday")
      ? "day"
      : date.isCertain("day")
        ? "week"
        : date.isCertain("month")
          ? "month"
          : date.isCertain("year")
            ? "year"
            : "quarter";
  return periodOf(unit, at);
}

function weekdayMeaning(
  date: ParsedComponents,
  phrase: string,
  now: number,
  latest: number,
): Interval {
  const current = /^this\b/iu.test(phrase);
  const earlier = now - 7 * DAY_MS;
  if (/weekend/iu.test(phrase)) {
    const weekend = weekendOf(now);
    return current || (weekend.since <= now && !/^(?:last|past|previous)\b/iu.test(phrase))
      ? weekend
      : weekendOf(earlier);
  }
  const weekday = ((date.get("weekday") ?? 0) + 6) % 7;
  if (/\blast\s+week\b/iu.test(phrase)) {
    return weekdayOf(weekday, earlier);
  }
  return current ? weekdayOf(weekday, now) : weekdayBefore(weekday, latest);
}
