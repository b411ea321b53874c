import * as fc from "fast-check";

const piece = fc.constantFrom(
  "deploy",
  "Łódź",
  "e\u0301",
  "o\u0308\u0323\u0302",
  "\u0301",
  "👨‍👩‍👧‍👦",
  "👍🏽",
  "❤️‍🔥",
  "1️⃣",
  "🇵🇱",
  "🇩",
  "🏴\u{e0067}\u{e0062}\u{e007f}",
  "\u200d",
  "部署",
  "𠮷野",
  "か\u3099",
  "한글",
  "\u1112\u1161\u11ab",
  "क्षि",
  "น้ำ",
  "\u0600१",
  "سلام",
  " ",
  "\n",
  "\r\n",
  "#",
  "-",
);

/** Well-formed text in which a careless cut does harm: clusters of every sort, marks without a base, all mixed. */
export const trickyText = fc.oneof(
  fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join("")),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
);
