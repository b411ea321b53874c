import * as fc from "fast-check";
import { analyseEntry, analyseQuery } from "../../src/analysis/analyzer.ts";
import type { QueryTerm } from "../../src/analysis/analyzer.ts";

export const FORMS = { stem: 1, exact: 0.5 };

export function query(text: string): QueryTerm[] {
  return analyseQuery(text, FORMS);
}

export function queryTokens(text: string): string[] {
  return query(text).map(({ token }) => token);
}

/** Everything that the index would hold of an entry. */
export function entryTokens(content: string, tags: readonly string[] = []): Set<string> {
  const { title, body, stems, tags: tagTokens } = analyseEntry(content, tags);
  return new Set(
    `${title} ${body} ${stems} ${tagTokens}`.split(" ").filter((token) => token !== ""),
  );
}

/** Whether an entry holds every word of a query, in one of its forms. */
export function finds(text: string, content: string): boolean {
  const held = entryTokens(content);
  const terms = query(text);
  const words = new Set(terms.map(({ word }) => word));
  const matched = terms.filter(({ token }) => held.has(token)).map(({ word }) => word);
  return terms.length > 0 && words.size === new Set(matched).size;
}

const fragment = fc.constantFrom(
  ..."runStalenessPass HTTPServer2 APIs v1.2.3 #123 @user C++ C# .NET don't don’t O'Brien's l'homme".split(
    " ",
  ),
  ..."src/a/b.ts a_b-c.d https://x.org/a?b me@x.org sha256 100ms 使用itgc系统 東京都 ｶﾞｷﾞ 데이터를 ภาษาไทย น้ำ".split(
    " ",
  ),
  ..."Łódź straße ﷺ ½ ㎏ ① 👩🏽‍💻 👍🏽 ❤️ 🇵🇱 1️⃣ हिन्दी שָׁלוֹם مُحَمَّد ΟΔΟΣ İ ß".split(" "),
  ..."' \" - _ . / # + @ : & * ( ) \n \t \0 \u00ad \u200b \u200d \u0301 \u3099 \u093f \ud800 \udc00".split(
    " ",
  ),
  " ",
);

/** Any UTF-16 text: lone surrogates, NUL, marks without a base, and the analyzer's hard cases run together. */
export const anyText = fc.oneof(
  fc.array(fragment, { maxLength: 25 }).map((fragments) => fragments.join("")),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 })
    .map((units) => String.fromCharCode(...units)),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ unit: "binary-ascii", maxLength: 100 }),
);
