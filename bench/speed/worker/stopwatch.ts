const EDGES = 30;

/**
 * Durations finer than workerd's clock, which runs in whole milliseconds: begins where the clock has just moved,
 * and afterwards measures what is left of the last millisecond by how often the clock can still be read in it.
 * Good to some hundredths of a millisecond. (Deployed, the clock stands still between I/O; locally it runs.)
 */
export class Stopwatch {
  readonly #readingsPerMs: number;

  constructor() {
    // The most, because whatever interrupts the reading makes it fewer.
    this.#readingsPerMs = Math.max(...Array.from({ length: EDGES }, () => nextEdge().readings));
  }

  measure<T>(work: () => T): { result: T; ms: number } {
    const start = nextEdge().at;
    const result = work();
    return { result, ms: this.#since(start) };
  }

  async measureAsync<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
    const start = nextEdge().at;
    const result = await work();
    return { result, ms: this.#since(start) };
  }

  #since(start: number): number {
    const end = nextEdge();
    const rest = Math.min(1, end.readings / this.#readingsPerMs);
    return Math.max(0, end.at - start - rest);
  }
}

/** Waits until the clock moves. */
function nextEdge(): { at: number; readings: number } {
  const before = performance.now();
  let readings = 1;
  let at = performance.now();
  while (at === before) {
    at = performance.now();
    readings++;
  }
  return { at, readings };
}
