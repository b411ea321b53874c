/** Rejects after so many milliseconds, until it is cancelled. */
export function timeout(ms: number): { expired: Promise<never>; cancel: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`No answer within ${ms} ms.`)), ms);
  return { expired: promise, cancel: () => clearTimeout(timer) };
}
