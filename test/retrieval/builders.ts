import { countPhrases, isPhrase } from "../../src/analysis/phrases.ts";
import { COLUMNS, pack, plusOne } from "../../src/lib/packed-counts.ts";
import { Lexicon } from "../../src/retrieval/lexicon.ts";
import type { NumberedText } from "../../src/retrieval/lexicon.ts";
import type { Candidate, QueryTerm, Ranked, WalkedEdge } from "../../src/retrieval/stages.ts";

/** Values of the stages with everything neutral but what a test names. */

export function term(token: string, rest: Partial<QueryTerm> = {}): QueryTerm {
  return { token, weight: 1, word: token, stopWord: false, part: false, ...rest };
}

const lexicon = new Lexicon();

/** A text with the columns of the index that ranking does not read. */
export type WholeText = NumberedText & { stems: string; tags: string };

/** `tokenCount` follows title and body unless given; all texts share one lexicon. */
export function text(id: string, rest: Partial<WholeText> = {}): WholeText {
  const { title = "", body = "" } = rest;
  const tokenCount = `${title} ${body}`.split(" ").filter((token) => token !== "").length;
  const all = { id, title, body, stems: "", tags: "", wasCut: false, tokenCount, ...rest };
  return { ...lexicon.numbered(all), stems: all.stems, tags: all.tags };
}

/** Packed counts of each term in each text, as the index has them; of phrases, as the texts do. */
export function countsOf(
  texts: readonly WholeText[],
  terms: readonly { token: string }[],
): Uint32Array[] {
  return terms.map(({ token }) =>
    Uint32Array.from(texts, (each) => {
      if (isPhrase(token)) {
        return pack(
          countPhrases([token], each.title)[0] ?? 0,
          countPhrases([token], each.body)[0] ?? 0,
        );
      }
      const found = COLUMNS.flatMap((column, at) =>
        each[column].split(" ").flatMap((word) => (word === token ? [at] : [])),
      );
      return found.reduce(plusOne, 0);
    }),
  );
}

/** An edge of weight 1 that leaves a seed. */
export function edge(from: string, to: string, rest: Partial<WalkedEdge> = {}): WalkedEdge {
  return { from, to, type: "relates_to", direction: "out", weight: 1, hop: 1, ...rest };
}

/** A fresh entry at time 0 whose every factor is 1. */
export function candidate(id: string, rest: Partial<Candidate> = {}): Candidate {
  return {
    id,
    rrf: 0.02,
    ranks: { keyword: 1, graph: null, vector: null },
    kind: "semantic",
    status: "draft",
    volatility: "state",
    exhaust: false,
    importance: 0,
    tags: [],
    occurredAt: 0,
    textAt: null,
    recallCount: 0,
    ...rest,
  };
}

export const ids = (ranked: readonly { id: string }[]): string[] => ranked.map((each) => each.id);

export function scoreOf(ranked: readonly Ranked[], id: string): number {
  const found = ranked.find((each) => each.id === id);
  if (found === undefined) throw new Error(`${id} is not in the ranking.`);
  return found.score;
}
