import type { PostingList } from "../lib/packed-counts.ts";
import type { Postings } from "./postings.ts";

export type PostingReads = Pick<
  Postings,
  "documentFrequencies" | "cached" | "list" | "recurs" | "countsIn" | "tagged"
>;

/**
 * Posting lists of a scope: those of the workspace without the entries outside, and frequencies counted from
 * them, so that what is outside moves no score ([ACC-11]). For one call: what it filters it keeps.
 */
export class ScopedPostings implements PostingReads {
  readonly #postings: Postings;
  readonly #tags: readonly string[];
  readonly #lists = new Map<string, PostingList>();
  #inside: Set<number> | undefined;

  constructor(postings: Postings, tags: readonly string[]) {
    this.#postings = postings;
    this.#tags = tags;
  }

  documentFrequencies(tokens: readonly string[]): Map<string, number> {
    return new Map(tokens.map((token) => [token, this.list(token).length]));
  }

  cached(token: string): PostingList | undefined {
    return this.#lists.get(token);
  }

  list(token: string): PostingList {
    const known = this.#lists.get(token);
    if (known) return known;
    const list = this.#within(this.#postings.list(token));
    this.#lists.set(token, list);
    return list;
  }

  recurs(token: string): boolean {
    return this.#postings.recurs(token);
  }

  countsIn(rids: readonly number[], tokens: readonly string[]): Uint32Array[] {
    return this.#postings.countsIn(rids, tokens);
  }

  tagged(tag: string): PostingList {
    return this.#within(this.#postings.tagged(tag));
  }

  #within({ docs, counts, length }: PostingList): PostingList {
    this.#inside ??= this.#tags
      .map((tag) => this.#postings.tagged(tag))
      .map((list) => new Set(list.docs.subarray(0, list.length)))
      .reduce((all, tagged) => all.intersection(tagged));
    const inside = this.#inside;
    const kept: number[] = [];
    for (let at = 0; at < length; at++) if (inside.has(docs[at] ?? -1)) kept.push(at);
    return {
      length: kept.length,
      docs: Uint32Array.from(kept, (at) => docs[at] ?? 0),
      counts: Uint32Array.from(kept, (at) => counts[at] ?? 0),
    };
  }
}
