/** What optional bindings give to a call; it is asked for before the call's transaction ([BND-2]). */
export interface Aids {
  /** The query as a vector; null without an embedder, or when it failed. */
  meaning: { model: string; vector: readonly number[] } | null;
  /** Bindings that failed. */
  degraded: readonly string[];
}

export const NO_AIDS: Aids = { meaning: null, degraded: [] };
