import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyseEntry } from "../../src/analysis/analyzer.ts";
import { countPhrases, isPhrase, phraseTerms } from "../../src/analysis/phrases.ts";

const phrases = (text: string) => phraseTerms(text, 2).map(({ token }) => token);

/** How often an entry holds what is quoted. */
function count(quoted: string, content: string): number {
  const [phrase = ""] = phrases(`"${quoted}"`);
  return countPhrases([phrase], analyseEntry(content, []).title)[0] ?? 0;
}

describe("phraseTerms", () => {
  const cases: readonly (readonly [query: string, ...phrases: string[]])[] = [
    ['where is "Exact Words" said', "exact words"],
    ["“exact words” and „so viele“, «comme ça»", "exact words", "so viele", "comme ca"],
    ['"exact words" "EXACT words"', "exact words"],
    ['"don’t ship it"', "dont ship it"],
    ['"exact words'],
    ['exact words" and "more'],
    ['a 5" pipe and a 7" pipe'],
    ['"quokka" ""  " "'],
    ['"to be or"'],
    ["it's 'exact words' here"],
  ];
  for (const [query, ...expected] of cases) {
    it(`[REC-23] reads ${query}`, () => {
      expect(phrases(query)).toEqual(expected);
    });
  }

  it("[REC-23] reads the first eight", () => {
    const many = Array.from({ length: 12 }, (_, n) => `"phrase number${n}"`);
    expect(phrases(many.join(" "))).toHaveLength(8);
  });

  it("[REC-23] is a term of the given worth, and its word is what was quoted", () => {
    expect(phraseTerms('"Exact—Words"', 3)).toEqual([
      { token: "exact words", weight: 3, word: "exact—words", stopWord: false, part: false },
    ]);
  });
});

describe("countPhrases", () => {
  const cases: readonly (readonly [phrase: string, content: string, times: number])[] = [
    ["exact words", "The exact words, and again: Exact words.", 2],
    ["exact words", "words exact, exact or other words", 0],
    ["act words", "exact words", 0],
    ["we don't ship", "We don’t ship on Fridays", 1],
    ["the pre-edit hook", "call the pre-edit hook", 1],
    ["edit hook", "call the pre-edit hook", 1],
    ["data data", "data data data", 2],
    ["东京出张", "我明天去东京出张了，东京出张很忙", 2],
    ["数据库", "新的数据库系统", 1],
    ["出张东京", "我明天去东京出张了", 0],
    ["データベースの移行", "来週データベースの移行を行う", 1],
    ["서울에서 회의", "우리는 서울에서 회의를 했습니다", 1],
    ["ฐานข้อมูลใหม่", "ทีมตัดสินใจใช้ฐานข้อมูลใหม่แล้ว", 1],
    ["перенос базы", "Решение: перенос базы отложен", 1],
  ];
  for (const [phrase, content, times] of cases) {
    it(`[REC-23] finds "${phrase}" ${times} times in: ${content}`, () => {
      expect(count(phrase, content)).toBe(times);
    });
  }

  it("[REC-23] finds any sentence of plain words in itself", () => {
    const word = fc.stringMatching(/^[a-z]{2,8}$/);
    const list = fc.array(word, { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(list, fc.array(word), fc.array(word), (words, before, after) => {
        const [phrase] = phrases(`"${words.join(" ")}"`);
        fc.pre(phrase !== undefined && isPhrase(phrase));
        const { title } = analyseEntry([...before, ...words, ...after].join(" ").slice(0, 200), []);
        const whole = [...before, ...words].join(" ").length <= 200;
        expect(!whole || (countPhrases([phrase ?? ""], title)[0] ?? 0) > 0).toBe(true);
      }),
    );
  });
});
