import { METHODS_BY_ROLE } from "../../contracts/api.ts";
import { hasErrorCode, invalidInput } from "../../contracts/errors.ts";
import { noAnswer } from "./connection-errors.ts";

export interface CallOptions {
  /** Ends the waiting: the call rejects with the signal's reason. What was sent may still be done. */
  signal?: AbortSignal | undefined;
  /** How long a call may take with all its attempts, in milliseconds. Default: 30,000. */
  timeoutMs?: number;
  /**
   * How often a call that found no answer is made again, 0 to 10. Default: 2. Only reads are: a write may have
   * been done already ([WIR-7]).
   */
  retries?: number;
}

const DEFAULTS = { timeoutMs: 30_000, retries: 2 } as const;
const MAX = { timeoutMs: 2 ** 31 - 1, retries: 10 } as const;

/** How long to wait before attempt n + 1, in milliseconds, so that many clients do not come back at once. */
const pauseMs = (n: number) => 50 * 2 ** n * (1 + Math.random());

export interface Attempts {
  url: URL;
  options: CallOptions;
  /** May this call be made twice? */
  repeatable: boolean;
  /** One attempt: what capnweb answers, a promise whose properties are promises too. */
  attempt: () => unknown;
  /** The session was ended by its user, so that no attempt can succeed. */
  closed: () => boolean;
}

/** @throws MiniSphereError `invalid_input` when a number is out of bounds. */
export function checkedCallOptions(options: CallOptions): CallOptions {
  for (const [name, least] of [
    ["timeoutMs", 1],
    ["retries", 0],
  ] as const) {
    const value = options[name] ?? DEFAULTS[name];
    if (!Number.isInteger(value) || value < least || value > MAX[name]) {
      throw invalidInput(`${name} must be a whole number from ${least} to ${MAX[name]}.`, {
        path: name,
      });
    }
  }
  return options;
}

const READS: ReadonlySet<string> = new Set(METHODS_BY_ROLE.reader);

export const isRepeatable = (method: string): boolean => READS.has(method);

/**
 * What a call answers, as a promise whose properties can be arguments of calls in the same session ([WIR-2]):
 * those are the first attempt's, and waiting for it is waiting for all attempts.
 */
export function answered(attempts: Attempts): object {
  if (attempts.options.signal?.aborted) return Promise.reject(attempts.options.signal.reason);
  const first = attempts.attempt() as object;
  const settled = withinTime(attempts, settle(attempts, first));
  // Who never asks for the answer must not be told of it as an unhandled rejection.
  settled.catch(() => undefined);
  return new Proxy(settled, {
    get(promise, name) {
      if (typeof name === "symbol" || !(name in promise))
        return Reflect.get(first, name) as unknown;
      const own: unknown = Reflect.get(promise, name);
      return typeof own === "function" ? own.bind(promise) : own;
    },
  });
}

async function settle(attempts: Attempts, first: unknown): Promise<unknown> {
  const { repeatable, closed, options } = attempts;
  const retries = repeatable ? (options.retries ?? DEFAULTS.retries) : 0;
  for (let n = 0; ; n += 1) {
    try {
      return await (n === 0 ? first : attempts.attempt());
    } catch (error) {
      const lost = hasErrorCode(error) && error.code === "unavailable";
      if (!lost || n >= retries || closed()) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, pauseMs(n));
      });
      if (closed() || options.signal?.aborted) throw error;
    }
  }
}

function withinTime({ options, url }: Attempts, answer: Promise<unknown>): Promise<unknown> {
  const { signal, timeoutMs = DEFAULTS.timeoutMs } = options;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal?.reason as Error);
    const timer = setTimeout(() => reject(noAnswer(url, timeoutMs)), timeoutMs);
    signal?.addEventListener("abort", abort);
    answer.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    });
  });
}
