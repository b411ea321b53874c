import { limitExceeded } from "../../contracts/errors.ts";
import { TokenBucket } from "./token-bucket.ts";

/** Calls of one session: generous, because a session is one agent; a flood is far beyond. */
const CALL_RATE = { burst: 10_000, perSecond: 1_000 };
/** Characters of its messages, both ways together. */
const CHAR_RATE = { burst: 64_000_000, perSecond: 8_000_000 };

/** What one session may cost ([LIM-2], [LIM-4]). The clock (milliseconds) is passed in. */
export class SessionBudget {
  readonly #now: () => number;
  readonly #calls: TokenBucket;
  readonly #chars: TokenBucket;

  constructor(now: () => number) {
    this.#now = now;
    this.#calls = new TokenBucket(CALL_RATE, now());
    this.#chars = new TokenBucket(CHAR_RATE, now());
  }

  /** Counts a message of the session; what is beyond the budget is owed. Returns how many milliseconds. */
  spend(chars: number): number {
    return this.#chars.spend(chars, this.#now());
  }

  /**
   * Counts a message of the peer, answered or not.
   *
   * @throws MiniSphereError `limit_exceeded` when a whole burst is owed: the end of the session.
   */
  receive(chars: number): void {
    const owedMs = this.spend(chars);
    if (owedMs * CHAR_RATE.perSecond > CHAR_RATE.burst * 1_000) throw tooMuch(owedMs);
  }

  /** @throws MiniSphereError `limit_exceeded` while more has been sent and answered than the budget has. */
  assertPaid(): void {
    const owedMs = this.spend(0);
    if (owedMs > 0) throw tooMuch(owedMs);
  }

  /** @throws MiniSphereError `limit_exceeded` when there are not `n` calls left. */
  takeCalls(n: number): void {
    this.assertPaid();
    const answer = this.#calls.take(this.#now(), n);
    if (answer.taken) return;
    const { retryAfterMs } = answer;
    throw limitExceeded(
      `This session calls too fast; wait ${retryAfterMs} ms and stay under ${CALL_RATE.perSecond} calls a second.`,
      { retryAfterMs },
    );
  }
}

const tooMuch = (retryAfterMs: number) =>
  limitExceeded(
    `This session sends and asks for too much; wait ${retryAfterMs} ms and stay under ${CHAR_RATE.perSecond} characters a second.`,
    { retryAfterMs },
  );
