import { describe, expect, it } from "vitest";
import { capturedAll, hitOf, recalledIds } from "./reads-support.ts";
import type { Open } from "./suite.ts";

/** Three entries of one script, and queries by the entry that must come first. */
interface Script {
  rule: string;
  name: string;
  /** What is written before and after a sentence to make it longer than a snippet. */
  filler: string;
  entries: readonly [string, string, string];
  queries: readonly (readonly [entry: 0 | 1 | 2, query: string, shown: string])[];
}

const SCRIPTS: readonly Script[] = [
  {
    rule: "[ANA-1]",
    name: "Polish, with diacritics",
    filler: "To zdanie mówi o czymś zupełnie innym. ",
    entries: [
      "Zespół płatności przenosi się do Łodzi w czwartek.",
      "Zespół wyszukiwarki zostaje w Gdańsku na stałe.",
      "Księgowość zamyka żółty rejestr przed świętami.",
    ],
    queries: [
      [0, "zespol platnosci", "Zespół płatności"],
      [1, "Gdańsku", "Gdańsku"],
      [2, "zolty rejestr", "żółty rejestr"],
    ],
  },
  {
    rule: "[ANA-1]",
    name: "Vietnamese, with diacritics",
    filler: "Câu này nói về một chuyện hoàn toàn khác. ",
    entries: [
      "Máy chủ dữ liệu được chuyển đến Đà Nẵng.",
      "Nhóm kiểm thử họp ở Hà Nội mỗi tuần.",
      "Khách hàng trả tiền bằng thẻ tín dụng.",
    ],
    queries: [
      [0, "đà nẵng", "Đà Nẵng"],
      [1, "ha noi", "Hà Nội"],
      [2, "tín dụng", "tín dụng"],
    ],
  },
  {
    rule: "[ANA-1]",
    name: "Cyrillic",
    filler: "Это предложение совсем о другом и ничего не значит. ",
    entries: [
      "Команда решила хранить журнал событий в отдельной базе.",
      "Сервер поиска перезапускают каждую пятницу вечером.",
      "Ёлку для офиса покупает бухгалтерия.",
    ],
    queries: [
      [0, "журнал событий", "журнал событий"],
      [1, "ПЯТНИЦУ", "пятницу"],
      [2, "елку", "Ёлку"],
    ],
  },
  {
    rule: "[ANA-1]",
    name: "Greek",
    filler: "Αυτή η πρόταση μιλά για κάτι εντελώς άλλο. ",
    entries: [
      "Η βάση δεδομένων μεταφέρθηκε στη Θεσσαλονίκη.",
      "Ο διακομιστής αναζήτησης κλείνει κάθε Παρασκευή.",
      "Το λογιστήριο πληρώνει τους λογαριασμούς.",
    ],
    queries: [
      [0, "ΒΑΣΗ ΔΕΔΟΜΕΝΩΝ", "βάση δεδομένων"],
      [1, "παρασκευη", "Παρασκευή"],
      [2, "λογαριασμούς", "λογαριασμούς"],
    ],
  },
  {
    rule: "[ANA-1]",
    name: "Arabic",
    filler: "هذه جملة تتحدث عن شيء آخر تماما ولا تهم أحدا. ",
    entries: [
      "قرر الفريق نقل قاعدة البيانات إلى القاهرة.",
      "يعاد تشغيل الخادم كل يوم جمعة مساء.",
      "يدفع قسم المحاسبة الفواتير في نهاية الشهر.",
    ],
    queries: [
      [0, "قاعدة البيانات", "قاعدة البيانات"],
      [1, "الخَادِم", "الخادم"],
      [2, "الفواتير", "الفواتير"],
    ],
  },
  {
    rule: "[ANA-1]",
    name: "Hebrew",
    filler: "המשפט הזה מדבר על משהו אחר לגמרי ואינו חשוב. ",
    entries: [
      "הצוות החליט להעביר את מסד הנתונים לחיפה.",
      "השרת מופעל מחדש בכל יום שישי בערב.",
      "הנהלת החשבונות משלמת בסוף החודש.",
    ],
    queries: [
      [0, "מסד הנתונים", "מסד הנתונים"],
      [1, "הַשָּׁרֵת", "השרת"],
      [2, "החשבונות", "החשבונות"],
    ],
  },
  {
    rule: "[ANA-1]",
    name: "Devanagari",
    filler: "यह वाक्य किसी बिलकुल दूसरी बात के बारे में है। ",
    entries: [
      "टीम ने डेटाबेस को मुंबई ले जाने का निर्णय लिया।",
      "सर्वर हर शुक्रवार शाम को फिर से चालू होता है।",
      "लेखा विभाग महीने के अंत में भुगतान करता है।",
    ],
    queries: [
      [0, "डेटाबेस निर्णय", "डेटाबेस"],
      [1, "शुक्रवार", "शुक्रवार"],
      [2, "भुगतान", "भुगतान"],
    ],
  },
  {
    rule: "[ANA-2]",
    name: "Thai",
    filler: "ประโยคนี้พูดถึงเรื่องอื่นที่ไม่สำคัญเลย ",
    entries: ["ทีมตัดสินใจย้ายฐานข้อมูลไปเชียงใหม่", "เซิร์ฟเวอร์เริ่มทำงานใหม่ทุกวันศุกร์", "ฝ่ายบัญชีจ่ายเงินตอนสิ้นเดือน"],
    queries: [
      [0, "ฐานข้อมูล เชียงใหม่", "ฐานข้อมูล"],
      [1, "วันศุกร์", "วันศุกร์"],
      [2, "บัญชี", "บัญชี"],
    ],
  },
  {
    rule: "[ANA-2]",
    name: "Chinese",
    filler: "这句话说的是完全不同的事情。",
    entries: [
      "团队决定把数据库迁移到上海机房。",
      "搜索服务器每周五晚上重新启动。",
      "财务部门在月底支付所有账单。",
    ],
    queries: [
      [0, "数据库 上海", "数据库迁移到上海"],
      [1, "服务器", "服务器"],
      [2, "支付账单", "支付所有账单"],
    ],
  },
  {
    rule: "[ANA-2]",
    name: "Japanese",
    filler: "この文はまったく別のことについて述べています。",
    entries: [
      "チームは来月データベースを大阪へ移行します。",
      "検索サーバーは毎週金曜日の夜に再起動する。",
      "経理部は月末に請求書を支払います。",
    ],
    queries: [
      [0, "データベース 移行", "データベース"],
      [1, "再起動", "再起動"],
      [2, "請求書", "請求書"],
    ],
  },
  {
    rule: "[ANA-2]",
    name: "Korean",
    filler: "이 문장은 전혀 다른 이야기를 하고 있다. ",
    entries: [
      "팀은 데이터베이스를 부산으로 옮기기로 결정했다.",
      "검색 서버는 금요일마다 다시 시작된다.",
      "회계팀은 월말에 청구서를 지불한다.",
    ],
    queries: [
      [0, "데이터베이스 부산", "데이터베이스를 부산"],
      [1, "금요일", "금요일"],
      [2, "청구서", "청구서"],
    ],
  },
  {
    rule: "[ANA-1]",
    name: "emoji",
    filler: "nothing of note happened on this day at all. ",
    entries: [
      "release went out 🚀 on time",
      "review was done by 👩‍💻 twice",
      "trip to 🇵🇱 was approved",
    ],
    queries: [
      [0, "🚀", "🚀"],
      [1, "👩🏽‍💻", "👩‍💻"],
      [2, "🇵🇱 trip", "🇵🇱"],
    ],
  },
  {
    rule: "[ANA-3]",
    name: "code",
    filler: "const unrelated = compute(everything, else); ",
    entries: [
      "await store.flushPending({ maxRetries: 3 });",
      "if (queue.length > MAX_QUEUE_SIZE) throw new QueueFullError();",
      'import { parse } from "./lib/date-parser.ts";',
    ],
    queries: [
      [0, "flushPending", "flushPending"],
      [1, "MAX_QUEUE_SIZE", "MAX_QUEUE_SIZE"],
      [2, "lib/date-parser.ts", "lib/date-parser.ts"],
      [0, "max retries", "maxRetries"],
    ],
  },
];

export function registerLanguageReads(open: Open): void {
  describe("scripts: the right entry of three comes first, and its snippet shows why", () => {
    for (const { rule, name, filler, entries, queries } of SCRIPTS) {
      it(`${rule} [REC-17] ${name}`, async () => {
        const { owner } = await open();
        const padding = filler.repeat(Math.ceil(6_000 / filler.length));
        const ids = await capturedAll(
          owner,
          entries.map((entry) => ({ content: `${padding}${entry}\n${padding}` })),
        );
        for (const [entry, query, shown] of queries) {
          const [first = ""] = await recalledIds(owner, query, { observe: true });
          expect([query, ids.indexOf(first)]).toEqual([query, entry]);
          const hit = await hitOf(owner, first, query, { observe: true });
          expect(hit.content).toContain(shown);
          expect(hit.truncated).toBe(true);
        }
      });
    }
  });
}
