import { describe, expect, it } from "vitest";
import { analyseEntry, tokenise, TOKEN_UNITS } from "../../src/analysis/analyzer.ts";
import { entryTokens, finds, query, queryTokens } from "./support.ts";

const tokens = (text: string) => tokenise(text).map(({ token }) => token);

describe("tokenise", () => {
  const cases: readonly (readonly [text: string, ...tokens: string[]])[] = [
    ["runStalenessPass", "runstalenesspass", "run", "staleness", "pass"],
    ["HTTPServer2", "httpserver2", "http", "server2", "server", "2"],
    ["src/a/my-file.ts", "src/a/my-file.ts", "src", "a", "my-file.ts", "my", "file", "ts"],
    ["snake_case kebab-case", "snake_case", "snake", "case", "kebab-case", "kebab", "case"],
    ["v1.2.3", "v1.2.3", "1.2.3", "v1", "2", "3"],
    ["#123 @user .NET", "#123", "123", "@user", "user", ".net", "net"],
    ["C++ C#", "c++", "c", "c#", "c"],
    ["don't don’t dont", "dont", "dont", "dont"],
    ["Ann's they're we'll", "ann", "they", "we"],
    ["O'Brien", "obrien", "o", "brien"],
    ["A3F9C2E1", "a3f9c2e1"],
    ["APIs", "apis"],
    ["foo...bar, 'baz' (qux).", "foo", "bar", "baz", "qux"],
    ['* " () ? -- …'],
    ["使用itgc系统", "使用", "使", "用", "itgc", "系统", "系", "统"],
    ["猫", "猫"],
    ["집에서", "집에서", "집에", "집", "에서", "에", "서"],
    ["👍🏽 ❤️", "👍", "❤"],
  ];
  for (const [text, ...expected] of cases) {
    it(`reads ${text}`, () => {
      expect(tokens(text)).toEqual(expected);
    });
  }

  it("gives places in the text as it was given", () => {
    const text = "ﬁne ½ Łódź’s";
    expect(tokenise(text).map(({ token, start, end }) => [token, text.slice(start, end)])).toEqual([
      ["fine", "ﬁne"],
      ["1", "½"],
      ["2", "½"],
      ["lodz", "Łódź"],
    ]);
  });

  it("cuts a long word into pieces and loses none of it", () => {
    const word = "abcdefgh".repeat(20);
    expect(tokens(word).every((token) => token.length <= TOKEN_UNITS)).toBe(true);
    expect(tokens(word).join("")).toBe(word);
  });

  it("leaves a long path to its parts", () => {
    const path = Array.from({ length: 20 }, (_, index) => `folder${index}`).join("/");
    expect(tokens(path)).not.toContain(path);
    expect(tokens(path)).toContain("folder19");
  });

  it("does not take the ending of a contraction for a word", () => {
    expect(finds("shell", "she'll come")).toBe(false);
  });

  it("keeps letters apart that only a mark of the script distinguishes", () => {
    expect(tokens("が")).not.toEqual(tokens("か"));
    expect(tokens("की")).not.toEqual(tokens("का"));
  });

  it("does not find a pair of characters that are not neighbours", () => {
    expect(finds("東都", "東京都")).toBe(false);
  });
});

describe("analyseEntry", () => {
  it("[ANA-6] takes the first line that is not blank as the title, the rest as the body", () => {
    const { title, body } = analyseEntry("\n  First line\r\nsecond line\nthird", []);
    expect({ title, body }).toEqual({ title: "first line", body: "second line third" });
  });

  it("[ANA-6] puts what is past 200 characters of the first line into the body", () => {
    const { title, body } = analyseEntry(`${"word ".repeat(39)}straddles tail`, []);
    expect(title.split(" ")).toHaveLength(40);
    expect(title.endsWith("straddles")).toBe(true);
    expect(body).toBe("tail");
  });

  it("indexes a stem only where it differs from its word", () => {
    expect(analyseEntry("running pipeline\nrun again, decided", []).stems).toBe(
      "run pipelin decid",
    );
  });

  it("has no stems of stop words", () => {
    expect(analyseEntry("this was his", []).stems).toBe("");
  });

  it("has the words of tags in their own column, and their stems among the stems", () => {
    const { title, body, stems, tags } = analyseEntry("text", ["decisions", "mini-sphere"]);
    expect([title, body, stems]).toEqual(["text", "", "decis"]);
    expect(tags).toBe("decisions mini-sphere mini sphere");
  });

  it("counts the tokens of title and body", () => {
    expect(analyseEntry("one two\nkebab-case", ["tag"]).tokenCount).toBe(5);
  });

  it("is empty for text without words", () => {
    expect(analyseEntry(" …\n", [])).toEqual({
      title: "",
      body: "",
      stems: "",
      tags: "",
      tokenCount: 0,
    });
  });

  it("has a single character of an unspaced script once", () => {
    const { title } = analyseEntry("東京 東京", []);
    expect(title.split(" ").filter((token) => token === "東")).toHaveLength(1);
    expect(title.split(" ").filter((token) => token === "東京")).toHaveLength(2);
  });
});

describe("analyseQuery", () => {
  it("[ANA-4] splits the worth of a word between its exact form and its stem", () => {
    expect(query("Running")).toEqual([
      { token: "running", weight: 0.5, word: "running", stopWord: false, part: false },
      { token: "run", weight: 1, word: "running", stopWord: false, part: false },
    ]);
  });

  it("gives a word that is its own stem all of its worth in one term", () => {
    expect(query("run")).toEqual([
      { token: "run", weight: 1.5, word: "run", stopWord: false, part: false },
    ]);
  });

  it("[ANA-3] asks for an identifier in one piece and, at half the worth, for its parts", () => {
    expect(query("a_b")).toEqual([
      { token: "a_b", weight: 1.5, word: "a_b", stopWord: false, part: false },
      { token: "a", weight: 0.75, word: "a_b", stopWord: true, part: true },
      { token: "b", weight: 0.75, word: "a_b", stopWord: false, part: true },
    ]);
  });

  it("[ANA-3] takes 1.2.3 for v1.2.3 itself, and whatever is shorter for a part", () => {
    const parts = query("v1.2.3").map(({ token, part }) => [token, part]);
    expect(parts.slice(0, 3)).toEqual([
      ["v1.2.3", false],
      ["1.2.3", false],
      ["v1", true],
    ]);
    expect(query("src/a/b.ts").find(({ token }) => token === "b.ts")?.part).toBe(true);
  });

  it("keeps the largest weight of a token that comes twice, where it came first", () => {
    expect(query("pass-log pass").map(({ token, weight }) => [token, weight])).toEqual([
      ["pass-log", 1.5],
      ["pass", 1.5],
      ["log", 0.75],
    ]);
  });

  it("[ANA-2] asks for words and pairs, not for the characters in them", () => {
    expect(queryTokens("系统")).toEqual(["系统"]);
    expect(queryTokens("データベース")).toEqual([
      "データベース",
      "デー",
      "ータ",
      "タベ",
      "ベー",
      "ース",
    ]);
  });

  it("[ANA-2] asks for a single character when it is all there is", () => {
    expect(queryTokens("猫")).toEqual(["猫"]);
  });

  it("[REC-2] marks function words, question words and filler", () => {
    const marked = query("Please tell me what we decided about the index").filter(
      (term) => term.stopWord,
    );
    expect(marked.map(({ token }) => token)).toEqual([
      "please",
      "tell",
      "me",
      "what",
      "we",
      "about",
      "the",
    ]);
  });

  it("[ANA-5] reads operators and wildcards as the words they hold", () => {
    const expected = {
      AND: ["and"],
      "*": [],
      '"unbalanced': ["unbalanced", "unbalanc"],
      "NEAR(a b)": ["near", "a", "b"],
    };
    for (const [text, terms] of Object.entries(expected)) {
      expect(queryTokens(text)).toEqual(terms);
    }
  });
});

describe("the largest entries", () => {
  const BYTES = 500_000;
  /** A fixed sequence of numbers below `limit`, as good as random. */
  function* numbers(limit: number): Generator<number> {
    for (let seed = 42; ; seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) {
      yield Math.floor((seed / 2 ** 31) * limit);
    }
  }
  const fill = (bytesEach: number, limit: number, toText: (number: number) => string) =>
    Array.from(numbers(limit).take(BYTES / bytesEach), toText).join("");
  const repeat = (text: string) => text.repeat(BYTES / new TextEncoder().encode(text).length);

  const texts: Record<string, string> = {
    "random Han": fill(3, 20_000, (n) => String.fromCodePoint(0x4e00 + n)),
    "random Han outside the basic plane": fill(4, 40_000, (n) => String.fromCodePoint(0x20000 + n)),
    "random Hangul": fill(3, 11_000, (n) => String.fromCodePoint(0xac00 + n)),
    "random Thai": fill(3, 46, (n) => String.fromCodePoint(0xe01 + n)),
    "random ASCII": fill(1, 94, (n) => String.fromCodePoint(33 + n)),
    "random letters and joiners": fill(1, 27, (n) => "0123456789abcdefABCDEF-./_'".charAt(n)),
    "one letter": repeat("a"),
    "letters by two cases": repeat("aB"),
    "words on four levels": repeat("wasWas-wasWas/"),
    "many short parts": repeat("a_a.a/"),
    apostrophes: repeat("a'"),
    "a letter of eighteen": repeat("ﷺ"),
    "four characters in one": repeat("㍿"),
    "endless marks": repeat("\u0316\u0301"),
    "joined emoji": repeat("👨\u200d"),
  };
  for (const [what, text] of Object.entries(texts)) {
    it(`[ANA-6] fit into a row, and their last word is found: ${what}`, () => {
      const { title, body, stems, tags } = analyseEntry(`${text} zyzzyva`, []);
      const bytes = new TextEncoder().encode(title + body + stems + tags).length;
      expect(bytes).toBeLessThan(1_900_000);
      expect(body.endsWith(" zyzzyva") || body === "zyzzyva" || title === "zyzzyva").toBe(true);
    });
  }

  it("[ANA-6] hold every pair of characters of half a megabyte of Chinese", () => {
    const text = texts["random Han"] ?? "";
    const held = entryTokens(text);
    const characters = [...text];
    const missing = characters
      .slice(1)
      .filter((second, index) => !held.has(`${characters[index]}${second}`));
    expect(missing).toEqual([]);
  });

  it("grow in proportion: twice the text has twice the tokens", () => {
    for (const [what, text] of Object.entries(texts)) {
      const small = tokenise(text.slice(0, 20_000)).length;
      const large = tokenise(text.slice(0, 40_000)).length;
      expect(large, what).toBeLessThanOrEqual(2.2 * small + 10);
    }
  });
});
