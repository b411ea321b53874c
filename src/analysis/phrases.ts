import type { QueryTerm } from "./analyzer.ts";
import { tokenise } from "./analyzer.ts";
import { fold, lower } from "./fold.ts";
import { isStopWord } from "./stop-words.ts";
import { HANGUL, UNSPACED } from "./unspaced.ts";

/*
 * A quoted phrase is a term of several tokens, "exact words", which an analysed text holds when they stand in it
 * adjacent and in order. Its words are terms of their own beside it ([REC-23]).
 */

/** Words in double quotes, UTF-16 bounds of what the quotes enclose, end exclusive. */
export interface Quotation {
  start: number;
  end: number;
}

/** Straight or typographic quotes in pairs; a quote without its partner is plain text, and so is the sign of inches. */
export function quotations(text: string): Quotation[] {
  return Array.from(text.matchAll(QUOTED), ({ 0: quoted, index }) => ({
    start: index + 1,
    end: index + quoted.length - 1,
  }));
}

const QUOTED = /(?<!\d)"[^"]+"|[“„][^“”„]+[“”]|«[^«»]+»/gu;

/**
 * The first eight phrases of a query, each once: every one is sought in every text that is scored. One token is no
 * phrase, and neither are stop words alone.
 *
 * @param worth of a phrase, on top of its words
 */
export function phraseTerms(text: string, worth: number): QueryTerm[] {
  const terms = quotations(text).flatMap(({ start, end }): QueryTerm[] => {
    const quoted = text.slice(start, end);
    const tokens = tokenise(quoted)
      .map(({ token }) => token)
      .filter(isSteady);
    if (tokens.length < 2 || tokens.every(isStopWord)) return [];
    const word = lower(fold(quoted).text).trim();
    return [{ token: tokens.join(" "), weight: worth, word, stopWord: false, part: false }];
  });
  return [...new Map(terms.map((term) => [term.token, term])).values()].slice(0, MOST_PHRASES);
}

const MOST_PHRASES = 8;

export function isPhrase(token: string): boolean {
  return token.includes(" ");
}

/** How often each phrase stands in one column of an analysed entry. */
export function countPhrases(phrases: readonly string[], column: string): number[] {
  const steady = ` ${column.split(" ").filter(isSteady).join(" ")} `;
  return phrases.map((phrase) => {
    const sought = ` ${phrase} `;
    let count = 0;
    for (let at = steady.indexOf(sought); at >= 0; at = steady.indexOf(sought, at + 1)) count += 1;
    return count;
  });
}

/** Of a script without spaces only the pairs: its other tokens depend on what stands around them. */
function isSteady(token: string): boolean {
  return token.charCodeAt(0) < 0x80 || !GLUED.test(token) || PAIR.test(token);
}

const GLUED = new RegExp(`^(?:${UNSPACED}|${HANGUL})`, "v");
const PAIR = /^(?:\P{M}\p{M}{0,15}){2}$/u;
