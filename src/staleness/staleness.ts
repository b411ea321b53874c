import type { Status, Volatility } from "../../contracts/index.ts";

const DAY_MS = 86_400_000;

/** Days from the age clock until an entry is stale ([STL-1]). */
const STALE_AFTER_DAYS: Readonly<Record<Volatility, number | null>> = {
  durable: null,
  state: 90,
  volatile: 14,
};

export interface StalenessFacts {
  status: Status;
  volatility: Volatility;
  occurredAt: number;
  textAt: number | null;
  affirmedAt: number | null;
  staleSince: number | null;
}

/**
 * When an entry becomes stale: its term after the last change of text (else after it occurred), or after it
 * was last affirmed, whichever is later. Null: never, because it is durable or no longer active.
 */
function dueTime(entry: Omit<StalenessFacts, "staleSince">): number | null {
  const days = STALE_AFTER_DAYS[entry.volatility];
  if (days === null || entry.status === "deprecated") return null;
  const clock = entry.textAt ?? entry.occurredAt;
  return Math.max(clock, entry.affirmedAt ?? clock) + days * DAY_MS;
}

/** The two stored times after a change. An entry that a pass has flagged stays flagged while it is due. */
export function staleTimes(
  entry: StalenessFacts,
  now: number,
): { dueAt: number | null; staleSince: number | null } {
  const dueAt = dueTime(entry);
  return entry.staleSince !== null && dueAt !== null && dueAt <= now
    ? { dueAt: null, staleSince: dueAt }
    : { dueAt, staleSince: null };
}
