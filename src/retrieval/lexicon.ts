import { plusOne } from "../lib/packed-counts.ts";
import type { IndexedText } from "./stages.ts";

/** An analysed text whose tokens are numbers of one lexicon, in the order of the text. */
export interface NumberedText extends IndexedText {
  lexicon: Lexicon;
  numbers: { readonly title: Uint32Array; readonly body: Uint32Array };
}

const SPACE = 32;
const FNV_PRIME = 16_777_619;
const FNV_OFFSET = 2_166_136_261;

/**
 * Numbers for tokens, for as long as one recall takes: its texts are looked up token by token once, and every
 * stage after that works with arrays by number. A hash table of its own (FNV-1a, open addressing), because it
 * makes no string for a token that it knows: most of what a recall once spent its time on.
 */
export class Lexicon {
  readonly #tokens: string[] = [];
  #hashes = new Uint32Array(1_024);
  /** One more than a token's number, at the first free place from its hash on; 0 is free. */
  #slots = new Uint32Array(4_096);

  /** Every number is below it. */
  get size(): number {
    return this.#tokens.length;
  }

  /** Undefined for a token that no text holds. */
  find(token: string): number | undefined {
    const slot = this.#slot(token, 0, token.length, hashOf(token));
    return slot < 0 ? undefined : slot;
  }

  token(number: number): string {
    return this.#tokens[number] ?? "";
  }

  numbered(text: IndexedText): NumberedText {
    const numbers = { title: this.#read(text.title), body: this.#read(text.body) };
    return { ...text, lexicon: this, numbers };
  }

  #read(column: string): Uint32Array {
    if (column === "") return NOTHING;
    const numbers: number[] = [];
    let start = 0;
    let hash = FNV_OFFSET;
    for (let at = 0; at <= column.length; at++) {
      const unit = at < column.length ? column.charCodeAt(at) : SPACE;
      if (unit !== SPACE) {
        hash = Math.imul(hash ^ unit, FNV_PRIME);
        continue;
      }
      numbers.push(this.#number(column, start, at, hash >>> 0));
      start = at + 1;
      hash = FNV_OFFSET;
    }
    return Uint32Array.from(numbers);
  }

  #number(text: string, start: number, end: number, hash: number): number {
    const known = this.#slot(text, start, end, hash);
    return known >= 0 ? known : this.#add(text.slice(start, end), hash);
  }

  /** The number of the token, or -1. */
  #slot(text: string, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const number = (this.#slots[at] ?? 0) - 1;
      if (number < 0) return -1;
      if (this.#hashes[number] === hash && isAt(this.#tokens[number] ?? "", text, start, end)) {
        return number;
      }
    }
  }

  #add(token: string, hash: number): number {
    const number = this.#tokens.push(token) - 1;
    if (number >= this.#hashes.length) {
      const larger = new Uint32Array(2 * this.#hashes.length);
      larger.set(this.#hashes);
      this.#hashes = larger;
    }
    this.#hashes[number] = hash;
    if (2 * this.#tokens.length > this.#slots.length) {
      this.#slots = new Uint32Array(2 * this.#slots.length);
      for (let each = 0; each <= number; each++) this.#place(each);
    } else this.#place(number);
    return number;
  }

  #place(number: number): void {
    const mask = this.#slots.length - 1;
    let at = (this.#hashes[number] ?? 0) & mask;
    while (this.#slots[at] !== 0) at = (at + 1) & mask;
    this.#slots[at] = number + 1;
  }
}

const NOTHING = new Uint32Array(0);

/** Packed counts of each token in title and body of each text of one lexicon, token by token. */
export function countsInTexts(
  texts: readonly NumberedText[],
  tokens: readonly string[],
): Uint32Array[] {
  const counts = tokens.map(() => new Uint32Array(texts.length));
  const lexicon = texts[0]?.lexicon;
  if (lexicon === undefined) return counts;
  // By number of a token: one more than its place among the tokens.
  const places = new Uint16Array(lexicon.size);
  for (const [at, token] of tokens.entries()) {
    const number = lexicon.find(token);
    if (number !== undefined) places[number] = at + 1;
  }
  for (const [at, { numbers }] of texts.entries()) {
    for (const [column, list] of [numbers.title, numbers.body].entries()) {
      for (let index = 0; index < list.length; index++) {
        const place = places[list[index] ?? 0] ?? 0;
        if (place === 0) continue;
        const ofToken = counts[place - 1];
        if (ofToken) ofToken[at] = plusOne(ofToken[at] ?? 0, column);
      }
    }
  }
  return counts;
}

function hashOf(token: string): number {
  let hash = FNV_OFFSET;
  for (let at = 0; at < token.length; at++)
    hash = Math.imul(hash ^ token.charCodeAt(at), FNV_PRIME);
  return hash >>> 0;
}

function isAt(token: string, text: string, start: number, end: number): boolean {
  if (token.length !== end - start) return false;
  for (let at = 0; at < token.length; at++) {
    if (token.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
  }
  return true;
}
