import { plainWords } from "../support/plain-words.ts";
import { contentOf, turns } from "./corpus.ts";
import type { Row } from "./corpus.ts";
import { generator } from "./random.ts";

/** Queries of one kind are this many. */
const QUERIES = 20;
const COMMON_WORDS = 60;
const RARE = { min: 2, max: 10 };
const LONG_CHARS = 600;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{5,8}/gu;

export interface Queries {
  /** Three of the commonest words that are no stop words. */
  common: string[];
  /** Two words that stand in 2 to 10 entries. */
  rare: string[];
  /** Two common words and a rare one. */
  mixed: string[];
  /** Whole turns of 600 characters and more. */
  long: string[];
  /** 5 to 8 characters out of running Chinese, Japanese or Korean text. */
  cjk: string[];
}

/** Drawn from the words of the corpus, the same on each run. */
export function queriesOf(rows: readonly Row[]): Queries {
  const frequency = documentFrequency(rows);
  const words = [...frequency.keys()].filter((word) => /^\p{Script=Latin}{4,}$/u.test(word)).sort();
  const byFrequency = words.toSorted((a, b) => (frequency.get(b) ?? 0) - (frequency.get(a) ?? 0));
  const common = byFrequency.slice(0, COMMON_WORDS);
  const rare = words.filter((word) => {
    const n = frequency.get(word) ?? 0;
    return n >= RARE.min && n <= RARE.max;
  });
  const random = generator(11);
  const draw = (from: readonly string[]) => from[Math.floor(random() * from.length)] ?? "";
  const many = (query: () => string[]) => Array.from({ length: QUERIES }, () => query().join(" "));
  return {
    common: many(() => [draw(common), draw(common), draw(common)]),
    rare: many(() => [draw(rare), draw(rare)]),
    mixed: many(() => [draw(common), draw(rare), draw(common)]),
    long: spread(rows.map((row) => row.content).filter((each) => each.length >= LONG_CHARS)),
    cjk: spread(turns().flatMap((turn) => contentOf(turn).match(CJK)?.slice(0, 1) ?? [])),
  };
}

function documentFrequency(rows: readonly Row[]): Map<string, number> {
  const frequency = new Map<string, number>();
  for (const { content } of rows) {
    for (const word of plainWords(content)) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  return frequency;
}

/** Some of them, evenly. */
function spread(all: readonly string[]): string[] {
  const n = Math.min(QUERIES, all.length);
  return Array.from({ length: n }, (_, at) => all[Math.floor((at * all.length) / n)] ?? "");
}
