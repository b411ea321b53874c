import type {
  Candidate,
  IndexedText,
  QueryTerm,
  Ranked,
  WalkedEdge,
} from "../../src/retrieval/stages.ts";

/** Values of the stages with everything neutral but what a test names. */

export function term(token: string, rest: Partial<QueryTerm> = {}): QueryTerm {
  return { token, weight: 1, word: token, stopWord: false, part: false, ...rest };
}

/** `tokenCount` follows title and body unless given. */
export function text(id: string, rest: Partial<IndexedText> = {}): IndexedText {
  const { title = "", body = "" } = rest;
  const tokenCount = `${title} ${body}`.split(" ").filter((token) => token !== "").length;
  return { id, title, body, stems: "", tags: "", tokenCount, beyondCut: [], ...rest };
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
