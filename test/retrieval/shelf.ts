import { isPhrase } from "../../src/analysis/phrases.ts";
import type { PostingList } from "../../src/lib/packed-counts.ts";
import type { Corpus, PostingSource } from "../../src/retrieval/max-score.ts";
import type { QueryTerm, SelectedTerm } from "../../src/retrieval/stages.ts";

/** An entry's tokens by column. */
export interface Text {
  doc: number;
  columns: [title: string[], body: string[], stems: string[], tags: string[]];
}

/** Postings of texts, and what was asked of it. */
export class Shelf implements PostingSource {
  readonly texts: readonly Text[];
  readonly #cached: Set<string>;
  readonly #keeps: boolean;
  /** Tokens whose lists were not in memory. */
  readonly listsRead: string[] = [];
  readonly textsRead: { docs: number[]; tokens: string[] }[] = [];

  constructor(texts: readonly Text[], cached: readonly string[], keeps: boolean) {
    this.texts = texts.toSorted((one, other) => one.doc - other.doc);
    this.#cached = new Set(cached);
    this.#keeps = keeps;
  }

  cached(token: string): PostingList | undefined {
    return this.#cached.has(token) ? this.#list(token) : undefined;
  }

  recurs(): boolean {
    return false;
  }

  list(token: string): PostingList {
    if (!this.#cached.has(token) && !isPhrase(token)) this.listsRead.push(token);
    if (this.#keeps) this.#cached.add(token);
    return this.#list(token);
  }

  countsIn(docs: readonly number[], tokens: readonly string[]): Uint32Array[] {
    this.textsRead.push({ docs: [...docs], tokens: [...tokens] });
    return tokens.map((token) =>
      Uint32Array.from(docs, (doc) => {
        const found = this.texts.find((each) => each.doc === doc);
        return found === undefined ? 0 : packed(countsOf(found, token));
      }),
    );
  }

  /** With room to spare, as a list that grows has. */
  #list(token: string): PostingList {
    const postings = this.texts
      .map((each) => ({ doc: each.doc, counts: packed(countsOf(each, token)) }))
      .filter(({ counts }) => counts > 0);
    const room = [0, 0, 0];
    return {
      length: postings.length,
      docs: Uint32Array.from([...postings.map(({ doc }) => doc), ...room]),
      counts: Uint32Array.from([...postings.map(({ counts }) => counts), ...room]),
    };
  }
}

const packed = (counts: readonly number[]) =>
  counts.reduce((sum, count, at) => sum + count * 256 ** at, 0);

export const lengthOf = ({ columns: [title, body] }: Text) => title.length + body.length;

export function averageOf(texts: readonly Text[]): number {
  return texts.reduce((sum, each) => sum + lengthOf(each), 0) / Math.max(1, texts.length);
}

export function corpusOf(texts: readonly Text[]): Corpus {
  const size = Math.max(0, ...texts.map(({ doc }) => doc + 1));
  const tokenCounts = new Uint32Array(size);
  for (const each of texts) tokenCounts[each.doc] = lengthOf(each);
  return { size, tokenCounts, averageTokens: averageOf(texts) };
}

/** Of a phrase it is not known how many hold it. */
export function selected(asked: readonly QueryTerm[], texts: readonly Text[]): SelectedTerm[] {
  return asked.map((each) => {
    const df = isPhrase(each.token)
      ? 1
      : texts.filter((one) => countsOf(one, each.token).some((count) => count > 0)).length;
    const idf = Math.log(1 + (texts.length - df + 0.5) / (df + 0.5));
    return { ...each, df, idf, searched: true };
  });
}

/** By column, 255 at most; a phrase counts once, in the body. */
export function countsOf({ columns }: Text, token: string): number[] {
  if (isPhrase(token)) {
    const held = columns.some((column) => ` ${column.join(" ")} `.includes(` ${token} `));
    return [0, held ? 1 : 0, 0, 0];
  }
  return columns.map((column) => Math.min(255, column.filter((each) => each === token).length));
}
