import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { rewriteQuery } from "../../src/retrieval/rewrite-query.ts";

/** A Wednesday. */
const NOW = Date.UTC(2026, 11, 2, 15, 30);
const rewrite = (text: string, now = NOW) => rewriteQuery(text, now);

/** `2026-11-23..2026-11-29`, both days whole; an open end is empty; a time of day is written out. */
function windowOf(text: string, now = NOW): string | null {
  const { window } = rewrite(text, now);
  if (window === null) return null;
  const at = (time: number | null, edge: string) =>
    time === null ? "" : new Date(time).toISOString().replace(edge, "");
  return `${at(window.since, "T00:00:00.000Z")}..${at(window.until, "T23:59:59.999Z")}`;
}

describe("relative phrases", () => {
  const cases: readonly (readonly [text: string, window: string, rest: string])[] = [
    ["what did we decide last week", "2026-11-23..2026-11-29", "what did we decide"],
    [
      "decisions made earlier this week about auth",
      "2026-11-30..2026-12-06",
      "decisions made about auth",
    ],
    ["the outage yesterday?", "2026-12-01..2026-12-01", "the outage?"],
    ["yesterday's outage", "2026-12-01..2026-12-01", "outage"],
    ["outage the day before yesterday", "2026-11-30..2026-11-30", "outage"],
    ["outage last night", "2026-12-01..2026-12-01", "outage"],
    ["Last month, who ran the migration?", "2026-11-01..2026-11-30", "who ran the migration?"],
    ["migration at the end of last year", "2025-01-01..2025-12-31", "migration"],
    ["migration this month", "2026-12-01..2026-12-31", "migration"],
    ["migration this year", "2026-01-01..2026-12-31", "migration"],
    ["migration last quarter", "2026-07-01..2026-09-30", "migration"],
    ["migration 3 days ago", "2026-11-29..2026-11-29", "migration"],
    ["migration a week ago", "2026-11-23..2026-11-29", "migration"],
    ["migration two months ago", "2026-10-01..2026-10-31", "migration"],
    ["migration a year ago", "2025-01-01..2025-12-31", "migration"],
    ["migration a few days ago", "2026-11-26..2026-12-01", "migration"],
    ["migration 3 hours ago", "2026-12-02T12:00:00.000Z..2026-12-02T12:59:59.999Z", "migration"],
    ["migration in the last 3 days", "2026-11-29..2026-12-02", "migration"],
    ["migration over the past two weeks", "2026-11-18..2026-12-02", "migration"],
    ["migration during the past month", "2026-11-02..2026-12-02", "migration"],
    ["migration on Monday", "2026-11-30..2026-11-30", "migration"],
    ["last friday's meeting", "2026-11-27..2026-11-27", "meeting"],
    ["migration on Wednesday", "2026-11-25..2026-11-25", "migration"],
    ["migration Monday last week", "2026-11-23..2026-11-23", "migration"],
    ["migration over the weekend", "2026-11-28..2026-11-29", "migration"],
    ["migration since yesterday", "2026-12-01..", "migration"],
    ["migration before last week", "..2026-11-22", "migration"],
    ["which database as of last month", "..2026-11-30", "which database"],
    ["migration between Monday and Wednesday", "2026-11-23..2026-11-25", "migration"],
    ["migration from last week until today", "2026-11-23..2026-12-02", "migration"],
  ];
  for (const [text, window, rest] of cases) {
    it(`[RWR-1] leave the text: ${text}`, () => {
      expect(windowOf(text)).toBe(window);
      expect(rewrite(text).text).toBe(rest);
    });
  }
});

describe("absolute dates", () => {
  const cases: readonly (readonly [text: string, window: string])[] = [
    ["migration in March 2019", "2019-03-01..2019-03-31"],
    ["migration in 2019", "2019-01-01..2019-12-31"],
    ["migration in mid-2019", "2019-01-01..2019-12-31"],
    ["migration 2019-03-05", "2019-03-05..2019-03-05"],
    ["migration 2019-03", "2019-03-01..2019-03-31"],
    ["migration 5/6/2019", "2019-05-06..2019-05-06"],
    ["migration on 5 March 2019 at 10:00", "2019-03-05..2019-03-05"],
    ["migration on January 1st, 2020", "2020-01-01..2020-01-01"],
    ["migration in Q3 2024", "2024-07-01..2024-09-30"],
    ["migration 2024-Q1", "2024-01-01..2024-03-31"],
    ["migration at the end of March 2019", "2019-03-01..2019-03-31"],
    ["migration since 2019", "2019-01-01.."],
    ["migration after March 2019", "2019-04-01.."],
    ["migration before 2020-01-01", "..2019-12-31"],
    ["migration until March 2019", "..2019-03-31"],
    ["migration between March 2019 and May 2019", "2019-03-01..2019-05-31"],
    ["migration from 2019-03-05 to 2019-03-09", "2019-03-05..2019-03-09"],
    ["migration from 2019 to 2021", "2019-01-01..2021-12-31"],
    ["migration March 5 - April 7, 2019", "2019-03-05..2019-04-07"],
    ["migration 5 - 7 March 2019", "2019-03-05..2019-03-07"],
    ["migration planned for March 2030", "2030-03-01..2030-03-31"],
  ];
  for (const [text, window] of cases) {
    it(`[RWR-1] stay in the text: ${text}`, () => {
      expect(windowOf(text)).toBe(window);
      expect(rewrite(text).text).toBe(text);
    });
  }
});

describe("dates without a year", () => {
  const cases: readonly (readonly [text: string, window: string])[] = [
    ["migration in March", "2026-03-01..2026-03-31"],
    ["migration in May", "2026-05-01..2026-05-31"],
    ["migration since last March", "2026-03-01.."],
    ["migration in December", "2026-12-01..2026-12-31"],
    ["migration on December 2", "2026-12-02..2026-12-02"],
    ["migration on December 3", "2025-12-03..2025-12-03"],
    ["migration on 3rd of December", "2025-12-03..2025-12-03"],
    ["migration in Q4", "2026-10-01..2026-12-31"],
    ["migration from November to February", "2025-11-01..2026-02-28"],
    ["migration between October and November", "2026-10-01..2026-11-30"],
    ["migration on may 5", "2026-05-05..2026-05-05"],
  ];
  for (const [text, window] of cases) {
    it(`[RWR-3] are in the past: ${text}`, () => {
      expect(windowOf(text)).toBe(window);
    });
  }
});

describe("what is no time phrase", () => {
  const texts = [
    "what do we do now",
    "today's plan",
    "today",
    "good night",
    "the morning run",
    "tonight",
    "may we march on",
    "the march of progress may 5 things",
    "wait a second",
    "at the last minute",
    "sun sat down",
    "Friday release",
    "releases on Fridays",
    "what did June say",
    "10:30",
    "at 5",
    "version 1.2.3",
    "version 3.4.2019",
    "10.11.12.13",
    "5/6 done",
    "10-11-12",
    "backup-2019-03-05.sql",
    "CVE-2020-12345",
    "2019",
    "in 2048 tokens",
    "in 500 lines",
    "for 3 days",
    "within 2 days",
    "last 5 commits",
    "next week",
    "tomorrow",
    "the other day",
    "C++ > Java",
    "",
    " ",
  ];
  for (const text of texts) {
    it(`[RWR-3] leaves ${JSON.stringify(text)} as it is`, () => {
      expect(rewrite(text)).toMatchObject({ text, window: null, asOf: null, asksPast: false });
    });
  }
});

describe("only a time phrase", () => {
  const texts = [
    "last week",
    "yesterday?",
    "what happened last week",
    "in March 2019",
    "What happened on 2019-03-05?",
  ];
  for (const text of texts) {
    it(`[RWR-4] leaves no text: ${text}`, () => {
      expect(rewrite(text).text).toBe("");
      expect(rewrite(text).window).not.toBeNull();
    });
  }
});

describe("questions about the past", () => {
  it("[RWR-5] are those that name a time", () => {
    expect(rewrite("decisions last week").asksPast).toBe(true);
  });

  const texts = [
    "When did we switch to SQLite?",
    "state as of the first release",
    "how it used to work",
    "why was it originally in Go",
  ];
  for (const text of texts) {
    it(`[RWR-5] are recognised without one: ${text}`, () => {
      expect(rewrite(text)).toMatchObject({ text, window: null, asOf: null, asksPast: true });
    });
  }

  it("[RWR-5] are not questions about now", () => {
    const texts = [
      "as of now",
      "which database do we use",
      "when is the release",
      "when should I retry",
    ];
    expect(texts.filter((text) => rewrite(text).asksPast)).toEqual([]);
  });
});

describe("quoted words", () => {
  it("[REC-23] name no time and make no wish", () => {
    const text = 'who said "last week" or "the latest news"';
    expect(rewrite(text)).toMatchObject({ text, window: null, wantsNewest: false });
  });

  it("[REC-23] leave a time beside them to be one", () => {
    expect(windowOf('who said "last week" in March 2019')).toBe("2019-03-01..2019-03-31");
  });
});

describe("the calendar", () => {
  it("[RWR-1] begins weeks on Monday, also on a Sunday and over a year's end", () => {
    expect(windowOf("notes this week", Date.UTC(2026, 10, 29, 23, 59))).toBe(
      "2026-11-23..2026-11-29",
    );
    expect(windowOf("notes last week", Date.UTC(2027, 0, 4))).toBe("2026-12-28..2027-01-03");
  });

  it("[RWR-3] takes a weekday to be before today", () => {
    expect(windowOf("notes on Sunday", Date.UTC(2026, 10, 29))).toBe("2026-11-22..2026-11-22");
  });

  it("[RWR-1] takes the first of several times", () => {
    expect(windowOf("what changed in March 2019 and then in 2020")).toBe("2019-03-01..2019-03-31");
  });

  it("[RWR-1] is UTC in every timezone of the machine", () => {
    const texts = ["yesterday", "3 hours ago", "last week", "2019-03-10", "in March", "on Monday"];
    const now = Date.UTC(2026, 2, 8, 0, 30);
    const inZone = (zone: string) => {
      vi.stubEnv("TZ", zone);
      return {
        offset: new Date(now).getTimezoneOffset(),
        windows: texts.map((text) => windowOf(`notes ${text}`, now)),
      };
    };
    const [utc, ...others] = ["UTC", "Pacific/Kiritimati", "America/New_York", "Asia/Kolkata"].map(
      inZone,
    );
    vi.unstubAllEnvs();
    for (const { offset, windows } of others) {
      expect(offset).not.toBe(0);
      expect(windows).toEqual(utc?.windows);
    }
  });
});

describe("any text at all", () => {
  const fragment = fc.constantFrom(
    ..."last past this monday march may 5 3 days ago week since between and to from in on the 2019".split(
      " ",
    ),
    ..."2019-03-05 1/2/2019 10:30 am yesterday today end of few several a half year Q3 before after".split(
      " ",
    ),
    ..."T10 +02:00 ' s - – . , ( ) \0 \ud800 é 東京".split(" "),
  );
  const anyText = fc.oneof(
    fc.array(fragment, { maxLength: 40 }).map((fragments) => fragments.join(" ")),
    fc.array(fragment, { maxLength: 20 }).map((fragments) => fragments.join("")),
    fc.string({ unit: "binary", maxLength: 200 }),
  );
  const anyTime = fc.oneof(
    fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2100, 0) }),
    fc.constantFrom(0, -1, 8_640_000_000_000_000, -8_640_000_000_000_000),
  );

  it("[REC-1] gives a window with ordered ends, or none", () => {
    fc.assert(
      fc.property(anyText, anyTime, (text, now) => {
        const { window } = rewrite(text, now);
        const { since = null, until = null } = window ?? {};
        for (const end of [since, until]) {
          expect(end === null || Number.isInteger(end)).toBe(true);
        }
        expect(window === null || since !== null || until !== null).toBe(true);
        expect(since === null || until === null || since <= until).toBe(true);
      }),
    );
  });

  it("[RWR-1] changes the text only where there is a window, and only by leaving words out", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { text: rest, window } = rewrite(text);
        if (window === null) {
          expect(rest).toBe(text);
        }
        const kept = [...rest].filter((character) => character !== " ");
        let at = 0;
        for (const character of text) {
          at += character === kept[at] ? 1 : 0;
        }
        expect(at).toBe(kept.length);
      }),
    );
  });
});
