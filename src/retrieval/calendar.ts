/** Milliseconds since the epoch, UTC, both ends inclusive. */
export interface Interval {
  since: number;
  until: number;
}

type Unit = "hour" | "day" | "week" | "month" | "quarter" | "year";

export const DAY_MS = 86_400_000;

/** The whole hour, day, ISO week (Monday to Sunday), month, quarter or year that a time lies in. */
export function periodOf(unit: Unit, at: number): Interval {
  const date = new Date(at);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const span = (since: number, next: number): Interval => ({ since, until: next - 1 });
  switch (unit) {
    case "hour": {
      const hour = date.getUTCHours();
      return span(Date.UTC(year, month, day, hour), Date.UTC(year, month, day, hour + 1));
    }
    case "day":
      return span(Date.UTC(year, month, day), Date.UTC(year, month, day + 1));
    case "week": {
      const monday = day - isoWeekday(at);
      return span(Date.UTC(year, month, monday), Date.UTC(year, month, monday + 7));
    }
    case "month":
      return span(Date.UTC(year, month), Date.UTC(year, month + 1));
    case "quarter": {
      const first = month - (month % 3);
      return span(Date.UTC(year, first), Date.UTC(year, first + 3));
    }
    case "year":
      return span(Date.UTC(year, 0), Date.UTC(year + 1, 0));
  }
}

/** The last such weekday before the day of `at`. Monday is 0. */
export function weekdayBefore(weekday: number, at: number): Interval {
  const back = ((isoWeekday(at) - weekday + 6) % 7) + 1;
  return periodOf("day", at - back * DAY_MS);
}

/** Such a weekday of the week that `at` lies in. */
export function weekdayOf(weekday: number, at: number): Interval {
  return periodOf("day", at + (weekday - isoWeekday(at)) * DAY_MS);
}

/** Saturday and Sunday of the week that `at` lies in. */
export function weekendOf(at: number): Interval {
  return { since: weekdayOf(5, at).since, until: weekdayOf(6, at).until };
}

/**
 * The last month or day of this name that began no later than `latest`. Eight years hold a 29 February.
 * @param month 1 to 12
 * @param day null for the whole month
 */
export function lastNamed(month: number, day: number | null, latest: number): Interval | null {
  const thisYear = new Date(latest).getUTCFullYear();
  for (let year = thisYear; year >= thisYear - 8; year--) {
    const at = Date.UTC(year, month - 1, day ?? 1);
    if (at <= latest && new Date(at).getUTCMonth() === month - 1) {
      return periodOf(day === null ? "month" : "day", at);
    }
  }
  return null;
}

function isoWeekday(at: number): number {
  return (new Date(at).getUTCDay() + 6) % 7;
}
