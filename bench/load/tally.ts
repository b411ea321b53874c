import type { Method } from "../../contracts/index.ts";

/** Milliseconds, and how many calls they are of. */
export interface Latency {
  n: number;
  p50: number;
  p99: number;
}

/** What a run's calls came to. */
export class Tally {
  readonly #latencies = new Map<string, number[]>();
  readonly #errors = new Map<string, number>();

  done(method: Method, transport: string, ms: number): void {
    for (const key of [method, transport]) {
      const all = this.#latencies.get(key) ?? [];
      all.push(ms);
      this.#latencies.set(key, all);
    }
  }

  failed(code: string): void {
    this.#errors.set(code, (this.#errors.get(code) ?? 0) + 1);
  }

  /** By code; what has none is told by its text. */
  get errors(): Record<string, number> {
    return Object.fromEntries([...this.#errors].toSorted());
  }

  /** Of a method, or of all calls over a transport. */
  latency(key: string): Latency {
    const sorted = (this.#latencies.get(key) ?? []).toSorted((a, b) => a - b);
    const at = (share: number) => rounded(sorted[Math.floor(share * sorted.length)] ?? 0);
    return { n: sorted.length, p50: at(0.5), p99: at(0.99) };
  }
}

const rounded = (ms: number) => Math.round(ms * 100) / 100;
