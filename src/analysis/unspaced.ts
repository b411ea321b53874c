import { TOKEN_UNITS, type Visit } from "./token.ts";

/*
 * Scripts that write words without spaces. The dictionary's words are what a reader would look for; pairs of
 * neighbouring characters find any word of two or more whatever the dictionary thinks of its surroundings; single
 * characters find the word of one. "Character" is a letter with its marks.
 */

/** Han, kana, bopomofo, Thai, Lao, Khmer, Burmese. For a regular expression with the `v` flag. */
export const UNSPACED = String.raw`[[\p{L}\p{N}\p{M}]&&[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]]`;

/** Hangul writes spaces, but glues particles to words: pairs, no dictionary. */
export const HANGUL = String.raw`[[\p{L}\p{N}\p{M}]&&\p{sc=Hang}]`;

/** Visits the tokens of one run of such a script. */
export function scanRun(
  text: string,
  start: number,
  end: number,
  dictionary: boolean,
  visit: Visit,
): void {
  const run = text.slice(start, end);
  const edges = Array.from(run.matchAll(CHARACTER), ({ index }) => index);
  const words = dictionary ? dictionaryWords(run) : new Map([[0, run.length]]);
  const visitSpan = (
    from: number,
    to: number,
    role: "word" | "whole" | "part" | "character",
  ): void => {
    if (to - from <= TOKEN_UNITS) {
      visit(run.slice(from, to), start + from, start + to, role);
    }
  };
  for (const [at, from] of edges.entries()) {
    const one = edges[at + 1] ?? run.length;
    const two = edges[at + 2] ?? run.length;
    const word = words.get(from) ?? from;
    if (word > two) {
      visitSpan(from, word, "whole");
    }
    if (two > one) {
      visitSpan(from, two, word === two ? "word" : "part");
    }
    visitSpan(from, one, word === one || edges.length === 1 ? "word" : "character");
  }
}

const CHARACTER = /\P{M}\p{M}{0,15}|\p{M}{1,15}/gu;
const segmenter = new Intl.Segmenter("en", { granularity: "word" });
const SEGMENTED_UNITS = 1_024;

/** Start → end of each dictionary word. Longer runs are looked up in stretches, to bound the dictionary's work. */
function dictionaryWords(run: string): Map<number, number> {
  const words = new Map<number, number>();
  for (let from = 0; from < run.length; from += SEGMENTED_UNITS) {
    for (const { segment, index } of segmenter.segment(run.slice(from, from + SEGMENTED_UNITS))) {
      words.set(from + index, from + index + segment.length);
    }
  }
  return words;
}
