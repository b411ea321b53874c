import type { TimeWindow } from "../../contracts/index.ts";
import { tokenise } from "../analysis/analyzer.ts";
import { quotations } from "../analysis/phrases.ts";
import { isStopWord } from "../analysis/stop-words.ts";
import { asOfWording, isAsOf } from "./as-of.ts";
import type { Interval } from "./calendar.ts";
import { wishForNewest } from "./newest.ts";
import type { RewrittenQuery } from "./stages.ts";
import { rangeOf } from "./time-meaning.ts";
import { timeSpans } from "./time-spans.ts";
import type { Needs, TimeSpan } from "./time-spans.ts";

/**
 * Stage 1: the first time phrase of a query becomes its window ([RWR-1], [RWR-3]). A relative phrase leaves the
 * text with its preposition, because entries do not say "last week", and so does a time after 'as of'; any other absolute date stays. Where nothing but
 * stop words stands beside the phrase the text is empty: the query asks what happened then ([RWR-4]).
 *
 * @param now milliseconds since the epoch: what relative phrases and dates without a year count from, in UTC
 */
export function rewriteQuery(text: string, now: number): RewrittenQuery {
  const phrase = firstPhrase(text, now);
  if (phrase === null) {
    const asksPast = ASKS_PAST.test(text);
    const wish = asksPast ? null : wishForNewest(text);
    return { text: wish ?? text, window: null, asOf: null, asksPast, wantsNewest: wish !== null };
  }
  const rest = without(text, phrase);
  const onlyTime = tokenise(rest).every(({ token }) => isStopWord(token));
  return {
    text: onlyTime ? "" : phrase.relative || isAsOf(phrase.lead) ? rest : text,
    window: phrase.window,
    asOf: asOfWording(text, phrase.lead, phrase.window),
    asksPast: true,
    wantsNewest: false,
  };
}

/** A time with the words that say how to take it. */
interface Phrase {
  start: number;
  end: number;
  /** The preposition before it, lower case; empty without one. */
  lead: string;
  relative: boolean;
  window: TimeWindow;
}

function firstPhrase(text: string, now: number): Phrase | null {
  const quoted = quotations(text);
  const spans = timeSpans(text, now).filter(
    (span) => !quoted.some(({ start, end }) => start < span.end && span.start < end),
  );
  for (const [index, span] of spans.entries()) {
    const lead = leadOf(text, span);
    const range = toRange(text, lead, span, spans[index + 1]);
    const { end, relative, meaning } = range ?? span;
    const meant = meaning(now);
    if (meant !== null && isInTime(meant) && isMeant(span, lead, range !== null)) {
      const window = range === null ? toWindow(meant, lead.word) : meant;
      return { start: lead.start, end, lead: lead.word, relative, window };
    }
  }
  return null;
}

/** Dates end some 270,000 years from now. */
function isInTime({ since, until }: Interval): boolean {
  return Number.isFinite(since) && Number.isFinite(until);
}

/** What stands before a time: 'since early' in 'since early March'. */
interface Lead {
  start: number;
  word: string;
  /** 'early', 'last', 'end of': enough to take a month or a weekday for a time. */
  qualified: boolean;
}

const LEAD =
  /(?<![\w'’-])(?:(?<word>ever since|since|after|before|prior to|until|till|up to|by|as of|between|from|in|on|during|over|at|of|for|within|throughout|around|towards?)\s+)?(?<qualifier>(?:(?:the|this|last|past|previous|early|mid|late|earlier|later|(?:start|beginning|middle|end) of)\s+|mid-)*)$/iu;
const LEAD_CHARS = 60;

function leadOf(text: string, span: TimeSpan): Lead {
  const lead = LEAD.exec(text.slice(Math.max(0, span.start - LEAD_CHARS), span.start));
  return {
    start: span.start - (lead?.[0].length ?? 0),
    word: lead?.groups?.["word"]?.toLowerCase().replaceAll(/\s+/gu, " ") ?? "",
    qualified: /\b(?!the\b)\w/iu.test(lead?.groups?.["qualifier"] ?? ""),
  };
}

/** 'between A and B', 'from A to B', 'A – B': one window. */
function toRange(
  text: string,
  lead: Lead,
  from: TimeSpan,
  to: TimeSpan | undefined,
): TimeSpan | null {
  const link = text.slice(from.end, to?.start).trim().toLowerCase();
  const linked = RANGE_LINKS.has(link) || (link === "and" && lead.word === "between");
  if (to === undefined || !linked) {
    return null;
  }
  return {
    ...from,
    end: to.end,
    relative: from.relative && to.relative,
    meaning: rangeOf(from.meaning, to.meaning),
  };
}

const RANGE_LINKS: ReadonlySet<string> = new Set(["to", "until", "till", "through", "-", "–", "—"]);

function isMeant({ needs }: TimeSpan, lead: Lead, inRange: boolean): boolean {
  if (needs === "nothing" || needs === "range") {
    return needs === "nothing";
  }
  return inRange || lead.qualified || LEADS.any.has(lead.word) || LEADS[needs].has(lead.word);
}

const LEADS: Readonly<Record<"any" | Exclude<Needs, "nothing" | "range">, ReadonlySet<string>>> = {
  any: new Set(
    "since,ever since,after,before,prior to,until,till,up to,as of,between,from,during,throughout".split(
      ",",
    ),
  ),
  year: new Set(["in", "by", "around"]),
  month: new Set(["in", "of", "for", "around"]),
  day: new Set(["on", "by", "over", "of", "for"]),
};

function toWindow({ since, until }: Interval, word: string): TimeWindow {
  switch (word) {
    case "since":
    case "ever since":
      return { since, until: null };
    case "after":
      return { since: until + 1, until: null };
    case "before":
    case "prior to":
      return { since: null, until: since - 1 };
    case "until":
    case "till":
    case "up to":
    case "by":
    case "as of":
      return { since: null, until };
    default:
      return { since, until };
  }
}

/** The text around a phrase; its possessive ending and the comma behind an opening phrase go too. */
function without(text: string, { start, end }: Phrase): string {
  const before = text.slice(0, start).trimEnd();
  const after = text
    .slice(end)
    .replace(/^['’]s\b/u, "")
    .trimStart();
  if (before === "") {
    return after.replace(/^[,;:\s]+/u, "");
  }
  return /^[\p{P}]/u.test(after) || after === "" ? before + after : `${before} ${after}`;
}

/** Questions about how things were, without a date. */
const ASKS_PAST =
  /\b(?:when (?:did|was|were|had|have)|as of (?!now\b|today\b)|used to|originally|initially|previously|formerly|back then|at the time|at first|in the past|first time|last time|how long ago|history of)\b/iu;
