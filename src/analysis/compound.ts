import { lower } from "./fold.ts";
import { TOKEN_UNITS, type Role, type Visit } from "./token.ts";

/*
 * Words that touch through one joiner are a compound: paths, addresses, versions, hyphenated words, contractions.
 * It is kept whole and split, coarsest joiner first: src/my-file.ts → src, my-file.ts → my, file, ts; then a word
 * by letter case: runStalenessPass → run, staleness, pass. Each level passes once over the words: linear.
 */

/** Whether a word that ends at `end` and one that starts at `start` belong to one compound. */
export function isJoiner(text: string, end: number, start: number): boolean {
  // Most words stand apart by one space, which needs no look at the table.
  if (start - end > 3 || text.charCodeAt(end) === SPACE) return false;
  return JOINERS.has(text.slice(end, start));
}

const SPACE = 0x20;

/** Visits the tokens of one compound. `words` has the bounds of each of its words: start, end, start, end … */
export function scanCompound(text: string, words: readonly number[], visit: Visit): void {
  const [from = 0, to = 0] = words;
  if (words.length === 2 && isPlain(text, from, to)) {
    visit(lower(text.slice(from, to)), from, to, "word");
    return;
  }
  const compound: Compound = { text, words, visit };
  const last = words.length / 2 - 1;
  const span = withoutClitic(compound, { first: 0, last, start: from, end: endOf(compound, last) });
  const start = span.start - (hasSigil(text, span.start) ? 1 : 0);
  const end = span.end + suffixLength(text, span.end);
  scanLevel(compound, 0, { ...span, start, end }, true);
}

/** The words of prose, nine in ten, need none of what follows. */
function isPlain(text: string, start: number, end: number): boolean {
  return (
    isPlainWord(text, start, end) &&
    !"#@.".includes(text[start - 1] ?? " ") &&
    !"#+".includes(text[end] ?? " ")
  );
}

function isPlainWord(text: string, start: number, end: number): boolean {
  let at = start + 1;
  while (at < end && isAsciiLower(text.charCodeAt(at))) at++;
  // The same for ASCII as the expression says, without a copy of the word.
  if (at === end && end - start <= PLAIN_UNITS && isAsciiLower(text.charCodeAt(start) | 0x20)) {
    return true;
  }
  return PLAIN.test(text.slice(start, end));
}

const isAsciiLower = (code: number) => code >= 97 && code <= 122;

const PLAIN_UNITS = 31;
const PLAIN = /^\p{L}[\p{Ll}\p{Lo}\p{M}]{0,30}$/u;

interface Compound {
  readonly text: string;
  readonly words: readonly number[];
  readonly visit: Visit;
}

/** Words `first` to `last` (inclusive) of a compound and what they cover, with a sigil (#1) or suffix (c++). */
interface Span {
  readonly first: number;
  readonly last: number;
  readonly start: number;
  readonly end: number;
}

const APOSTROPHE_LEVEL = 2;
const JOINERS: ReadonlyMap<string, number> = new Map([
  ...["/", ":", "@", "&", "#", "+", "++", "::", "://"].map((joiner) => [joiner, 0] as const),
  ...[".", "-", "_"].map((joiner) => [joiner, 1] as const),
  ["'", APOSTROPHE_LEVEL],
]);

function scanLevel(compound: Compound, level: number, given: Span, top: boolean): void {
  const span = withoutClitic(compound, given);
  if (level === APOSTROPHE_LEVEL) {
    scanWord(compound, span, top);
    return;
  }
  const groups = split(compound, level, span);
  if (groups.length === 1) {
    scanLevel(compound, level + 1, span, top);
    return;
  }
  visitWhole(compound, span.start, span.end);
  if (VERSION.test(compound.text.slice(span.start, span.start + 2))) {
    visitWhole(compound, span.start, span.end, 1);
  }
  for (const group of groups) {
    scanLevel(compound, level + 1, group, false);
  }
}

/** v1.2.3 is also 1.2.3. */
const VERSION = /^v\d/iu;

/** Cuts a span at the joiners of one level. */
function split(compound: Compound, level: number, span: Span): Span[] {
  const groups: Span[] = [];
  let { first, start } = span;
  for (let word = span.first; word < span.last; word++) {
    const end = endOf(compound, word);
    const next = startOf(compound, word + 1);
    if (JOINERS.get(compound.text.slice(end, next)) === level) {
      groups.push({ first, last: word, start, end });
      first = word + 1;
      start = next;
    }
  }
  groups.push({ first, last: span.last, start, end: span.end });
  return groups;
}

/** One word, apostrophes inside: don't is one word, while O'Brien and l'homme have pieces that count too. */
function scanWord(compound: Compound, span: Span, top: boolean): void {
  const word = { ...span, start: startOf(compound, span.first), end: endOf(compound, span.last) };
  const decorated = word.start !== span.start || word.end !== span.end;
  if (decorated) {
    visitWhole(compound, span.start, span.end);
  }
  const tail = endOf(compound, word.last) - startOf(compound, word.last);
  const joined = splitByCase(compound.text, word.start, word.end);
  const parts =
    tail < SHORTEST_PIECE && joined.length === 1
      ? joined
      : split(compound, APOSTROPHE_LEVEL, word).flatMap(({ start, end }) =>
          splitByCase(compound.text, start, end),
        );
  if (parts.length > 1) {
    visitWhole(compound, word.start, word.end);
  }
  const role = top && !decorated && parts.length === 1 ? "word" : "part";
  for (const [start, end] of parts) {
    scanLeaf(compound, start, end, role);
  }
}

/** What follows the last apostrophe of don't is an ending, not a word. */
const SHORTEST_PIECE = 3;

/** Leaves out a possessive or a contracted verb: Ann's → Ann, they're → they. */
function withoutClitic(compound: Compound, span: Span): Span {
  const { first, last } = span;
  const before = endOf(compound, last - 1);
  const start = startOf(compound, last);
  if (
    last > first &&
    compound.text.slice(before, start) === "'" &&
    CLITIC.test(compound.text.slice(start, span.end))
  ) {
    return { first, last: last - 1, start: span.start, end: before };
  }
  return span;
}

const CLITIC = /^(?:s|ll|re|ve|d|m)$/iu;

type Bounds = readonly [start: number, end: number];

function splitByCase(text: string, start: number, end: number): Bounds[] {
  const edges = Array.from(
    text.slice(start, end).matchAll(CASE_EDGE),
    ({ index }) => start + index,
  );
  return [start, ...edges].map((from, at) => [from, edges[at] ?? end]);
}

/** fooBar, HTTPServer, Http2Server; not the plural of an acronym: APIs. */
const CASE_EDGE = /(?<=\p{Ll})(?=\p{Lu})|(?<=[\p{Lu}\p{N}])(?=\p{Lu}(?!s(?!\p{Ll}))\p{Ll})/gu;

/** Text without case edges and joiners. A number at its edge counts too: sha256, 100ms. */
function scanLeaf(compound: Compound, start: number, end: number, role: Role): void {
  const { text, visit } = compound;
  const edge = NUMBER_EDGE.exec(text.slice(start, end))?.[0].length;
  if (edge !== undefined) {
    visitWhole(compound, start, end);
    visit(form(text.slice(start, start + edge)), start, start + edge, "part");
    visit(form(text.slice(start + edge, end)), start + edge, end, "part");
    return;
  }
  for (let from = start, to = start; from < end; from = to) {
    to = Math.min(from + TOKEN_UNITS, end);
    if (to < end && isLowSurrogate(text.charCodeAt(to))) {
      to--;
    }
    visit(form(text.slice(from, to)), from, to, role);
  }
}

const NUMBER_EDGE = /^(?:[a-z]{3,20}(?=\d{1,4}$)|\d{1,6}(?=[a-z]{2,3}$))/iu;

function visitWhole({ text, visit }: Compound, start: number, end: number, skip = 0): void {
  if (end - start <= TOKEN_UNITS) {
    visit(form(text.slice(start + skip, end)), start, end, "whole");
  }
}

/** A token has no apostrophes: don't and dont are one word. */
function form(text: string): string {
  return lower(text.replaceAll("'", ""));
}

/** `#1`, `@user`, `.net`: the sign belongs to the word when nothing else leans on it. */
function hasSigil(text: string, start: number): boolean {
  return /^(?:|.*[^-_./#+@:&'])[#@.]$/su.test(text.slice(Math.max(0, start - 2), start));
}

/** c++, c#. */
function suffixLength(text: string, end: number): number {
  return text.startsWith("++", end) ? 2 : text.startsWith("#", end) ? 1 : 0;
}

function startOf({ words }: Compound, word: number): number {
  return words[2 * word] ?? 0;
}

function endOf({ words }: Compound, word: number): number {
  return words[2 * word + 1] ?? 0;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
