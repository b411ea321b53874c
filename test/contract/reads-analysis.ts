import { describe, expect, it } from "vitest";
import { captured, capturedAll, factorsOf, hitOf, recalledIds, times } from "./reads-support.ts";
import type { Open } from "./suite.ts";

/** What each query must find, among entries that say other things. */
const FINDS: readonly [rule: string, content: string, queries: readonly string[]][] = [
  [
    "[ANA-1] folds case and diacritics",
    "Łódź café naïve",
    ["lodz", "LODZ", "łódź", "cafe", "CAFÉ"],
  ],
  ["[ANA-1] folds ø đ ß", "Smørrebrød on Đường Straße", ["smorrebrod", "duong", "strasse"]],
  ["[ANA-1] folds compatibility forms", "ﬁle ｆｕｌｌ ①", ["file", "full", "1"]],
  ["[ANA-1] NFC and NFD find each other", "re\u0301sume\u0301", ["r\u00e9sum\u00e9", "resume"]],
  ["[ANA-1] keeps Cyrillic and Greek", "Журавль ΣΟΦΟΣ", ["журавль", "σοφός"]],
  ["[ANA-2] finds Japanese inside a sentence", "来週の東京出張は中止です", ["東京", "出張"]],
  ["[ANA-2] finds Chinese inside a sentence", "我们决定使用数据库存储", ["数据", "数据库", "存储"]],
  ["[ANA-2] finds Korean inside a sentence", "서울에서 회의를 했습니다", ["서울", "회의"]],
  ["[ANA-2] finds Thai inside a sentence", "เราประชุมที่กรุงเทพเมื่อวาน", ["ประชุม", "กรุงเทพ"]],
  ["[ANA-2] finds it next to Latin text", "deploy到生产环境v2", ["生产", "deploy"]],
  [
    "[ANA-3] camel case",
    "call runStalenessPass twice",
    ["runStalenessPass", "staleness", "runstalenesspass"],
  ],
  ["[ANA-3] snake case", "set max_retry_count", ["max_retry_count", "retry", "count"]],
  ["[ANA-3] kebab case", "the pre-edit hook", ["pre-edit", "edit"]],
  ["[ANA-3] paths", "see src/gadget/brief.ts", ["src/gadget/brief.ts", "brief.ts", "gadget"]],
  ["[ANA-3] versions", "pinned to v1.2.3", ["v1.2.3", "1.2.3"]],
  ["[ANA-3] issue numbers", "closes #123", ["#123", "123"]],
  ["[ANA-3] hexadecimal ids", "commit 9f86d081", ["9f86d081", "9F86D081"]],
  [
    "[ANA-4] other inflections",
    "We migrated the queues",
    ["migrating", "queue", "migrate", "migrates"],
  ],
  [
    "[ANA-5] operators are words",
    "AND NOT NEAR the quokka* said",
    ["quokka*", '"quokka', "NEAR(quokka)"],
  ],
  [
    "[ANA-5] apostrophes",
    "We don't ship on Fridays, says O'Brien",
    ["O'Brien ships", "don't ship"],
  ],
  [
    "[ANA-5] names of columns",
    "a body of work with title and stems",
    ["body:work", "title : stems"],
  ],
];

export function registerAnalysisReads(open: Open): void {
  describe("words that recall finds", () => {
    for (const [rule, content, queries] of FINDS) {
      it(`${rule}: ${queries.join(" | ")}`, async () => {
        const { owner } = await open();
        const [id = ""] = await capturedAll(owner, [
          { content },
          ...times(3, (n) => ({ content: `gardening advice, part ${"abc"[n]}` })),
        ]);
        for (const query of queries) {
          expect([query, await recalledIds(owner, query)]).toEqual([query, [id]]);
        }
      });
    }

    it("[ANA-4] an exact match is worth more than a stemmed one", async () => {
      const { owner } = await open();
      const [stemmed = "", exact = ""] = await capturedAll(owner, [
        { content: "the queues were drained" },
        { content: "the queue was drained" },
      ]);
      expect(await recalledIds(owner, "queue")).toEqual([exact, stemmed]);
      expect(await recalledIds(owner, "queues")).toEqual([stemmed, exact]);
    });

    it("[ANA-5] C++ is not C", async () => {
      const { owner } = await open();
      const [plus = "", plain = ""] = await capturedAll(owner, [
        { content: "The parser is written in C++ since spring" },
        { content: "The kernel is written in C since spring" },
        { content: "The site is written in Elm since spring" },
      ]);
      expect((await recalledIds(owner, "C++"))[0]).toBe(plus);
      expect((await recalledIds(owner, "C"))[0]).toBe(plain);
    });

    it("[ANA-5] no text of a caller is query syntax", async () => {
      const { owner } = await open();
      const [quokka = "", numbat = ""] = await capturedAll(owner, [
        { content: "quokka burrow" },
        { content: "numbat burrow" },
      ]);
      const found = async (query: string) => (await recalledIds(owner, query)).sort();
      const both = [quokka, numbat].sort();
      expect(await found("quokka AND numbat")).toEqual(both);
      expect(await found("burrow NOT numbat")).toEqual(both);
      expect(await found("quok*")).toEqual([]);
      expect(await found("body:quokka")).toEqual([quokka]);
      expect(await found('"quokka burrow')).toEqual(both);
      expect(await found("quokka) OR (numbat")).toEqual(both);
      expect(await found("^quokka + -numbat")).toEqual(both);
    });

    it("[ANA-6] first line, body and tags are searched", async () => {
      const { owner } = await open();
      const id = await captured(owner, "Quokka title\n\nbody about numbats", {
        tags: ["release-notes"],
      });
      for (const query of ["quokka", "numbats", "release-notes", "notes"]) {
        expect(await recalledIds(owner, query)).toEqual([id]);
      }
    });

    it("[ANA-6] a new tag is found at once, and a removed one no more", async () => {
      const { owner } = await open();
      const id = await captured(owner, "lantern", { tags: ["wick"] });
      await owner.update(id, null, { tags: ["glass"] });
      expect(await recalledIds(owner, "glass")).toEqual([id]);
      expect(await recalledIds(owner, "wick")).toEqual([]);
    });

    it("[ANA-6] a word anywhere in the largest legal entry is found and shown", async () => {
      const { owner } = await open();
      const filler = times(60_000, (n) => `w${n % 9_000}`).join(" ");
      const content = `${filler.slice(0, 250_000)} quokka ${filler.slice(0, 249_970)} numbat`;
      expect(new TextEncoder().encode(content).byteLength).toBeGreaterThan(499_900);
      const id = await captured(owner, content.slice(0, 500_000));
      for (const word of ["quokka", "numbat"]) {
        expect((await hitOf(owner, id, word)).content).toContain(word);
      }
    });

    it("[ANA-6] a 2-character word is found at the end of 160,000 characters of Chinese", async () => {
      const { owner } = await open();
      const id = await captured(owner, `${"我们决定使用存储".repeat(20_000)}。东京`);
      expect((await hitOf(owner, id, "东京")).content).toContain("东京");
    });

    it("[ANA-1] a folded query word that is a folded tag lifts", async () => {
      const { owner } = await open();
      const id = await captured(owner, "besuch in łódź", { tags: ["łódź"] });
      expect((await factorsOf(owner, id, "LODZ")).tagOverlap).toBeGreaterThan(1);
    });
  });
}
