export interface Rate {
  /** What a full bucket allows at once. */
  burst: number;
  perSecond: number;
}

/** A rate with a burst. The clock (milliseconds) is passed in. */
export class TokenBucket {
  readonly #rate: Rate;
  #level: number;
  #at: number;

  constructor(rate: Rate, now: number) {
    this.#rate = rate;
    this.#level = rate.burst;
    this.#at = now;
  }

  /** Takes one, or says how many milliseconds it will take until there is one again. */
  take(now: number): { taken: true } | { taken: false; retryAfterMs: number } {
    const { burst, perSecond } = this.#rate;
    const elapsed = Math.max(0, now - this.#at);
    this.#level = Math.min(burst, this.#level + (elapsed / 1000) * perSecond);
    this.#at += elapsed;
    if (this.#level >= 1) {
      this.#level -= 1;
      return { taken: true };
    }
    return { taken: false, retryAfterMs: Math.ceil(((1 - this.#level) / perSecond) * 1000) };
  }
}
