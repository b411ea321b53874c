export interface Rate {
  /** What a full bucket allows at once. */
  burst: number;
  perSecond: number;
}

/** One token, in the unit of the level: what one millisecond adds is then a whole number, and exact. */
const TOKEN = 1_000;

/** A rate with a burst. The clock (milliseconds) is passed in. */
export class TokenBucket {
  readonly #rate: Rate;
  #level: number;
  #at: number;

  constructor(rate: Rate, now: number) {
    this.#rate = rate;
    this.#level = rate.burst * TOKEN;
    this.#at = now;
  }

  /** Takes `n`, or says how many milliseconds it will take until there are as many. At most the burst. */
  take(now: number, n = 1): { taken: true } | { taken: false; retryAfterMs: number } {
    this.#fill(now);
    if (this.#level >= n * TOKEN) {
      this.#level -= n * TOKEN;
      return { taken: true };
    }
    const missing = n * TOKEN - this.#level;
    return { taken: false, retryAfterMs: Math.ceil(missing / this.#rate.perSecond) };
  }

  /** Takes `n`, also what is not there; returns how many milliseconds it will take until nothing is owed. */
  spend(n: number, now: number): number {
    this.#fill(now);
    this.#level -= n * TOKEN;
    return Math.max(0, Math.ceil(-this.#level / this.#rate.perSecond));
  }

  #fill(now: number): void {
    const { burst, perSecond } = this.#rate;
    const elapsed = Math.max(0, now - this.#at);
    this.#level = Math.min(burst * TOKEN, this.#level + elapsed * perSecond);
    this.#at += elapsed;
  }
}
