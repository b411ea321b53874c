import type { Embedded } from "../../src/bindings/embedder.ts";

export const DIMENSIONS = 256;

/** A plain vector model: counts of hashed character trigrams, folded. Inflections and misspellings stay near. */
export function ngrams(texts: readonly string[], model = "trigrams-1"): Embedded {
  return { model, vectors: texts.map(vectorOf) };
}

function vectorOf(text: string): number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const padded = `_${word}_`;
    for (let at = 0; at + 3 <= padded.length; at += 1) {
      let hash = 0x811c_9dc5;
      for (const each of padded.slice(at, at + 3)) {
        hash = Math.imul(hash ^ (each.codePointAt(0) ?? 0), 0x0100_0193) >>> 0;
      }
      vector[hash % DIMENSIONS]! += 1;
    }
  }
  return vector;
}
