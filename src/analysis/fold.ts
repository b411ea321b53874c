/**
 * A text in the form that is compared, case kept (identifiers are split by it), with the way back to the source.
 * Offsets are UTF-16 units.
 */
export interface Folded {
  text: string;
  /** Source offset where the character behind folded unit `unit` starts. */
  sourceStart(unit: number): number;
  /** Source offset behind the character that ends at folded offset `end` (exclusive, at least 1). */
  sourceEnd(end: number): number;
}

/**
 * NFKC with diacritics off. Marks that are diacritics go (Latin, Greek, Cyrillic; Hebrew points; Arabic and
 * Syriac vowel marks); marks that spell stay (vowel signs of Indic scripts, Thai, Khmer, Burmese; kana voicing).
 * Letters without a decomposition are spelled out (ł → l, ß → ss), typographic apostrophes and hyphens become
 * ASCII, format characters and skin tones vanish.
 */
export function fold(text: string): Folded {
  if (isAscii(text)) {
    return { text, sourceStart: (unit) => unit, sourceEnd: (end) => end };
  }
  const starts: number[] = [];
  const ends: number[] = [];
  const forms = new Map<string, string>();
  const folded: string[] = [];
  for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
    if (isAscii(cluster)) {
      for (let at = index; at < index + cluster.length; at++) {
        starts.push(at);
        ends.push(at + 1);
      }
      folded.push(cluster);
      continue;
    }
    const form = forms.get(cluster) ?? foldCluster(cluster);
    forms.set(cluster, form);
    for (let unit = 0; unit < form.length; unit++) {
      starts.push(index);
      ends.push(index + cluster.length);
    }
    folded.push(form);
  }
  return {
    text: folded.join(""),
    sourceStart: (unit) => starts[unit] ?? text.length,
    sourceEnd: (end) => ends[end - 1] ?? text.length,
  };
}

export function isAscii(text: string): boolean {
  return ASCII_ONLY.test(text);
}

/** Case goes last. Σ lower-cases to ς or σ by its neighbours, which a token must not depend on. */
export function lower(folded: string): string {
  const lowered = folded.toLowerCase();
  return lowered.includes("ς") ? lowered.replaceAll("ς", "σ") : lowered;
}

function foldCluster(cluster: string): string {
  const bare = cluster
    .normalize("NFKD")
    .replace(cluster.includes(ZWJ) && PICTOGRAPH.test(cluster) ? DROPPED_BUT_ZWJ : DROPPED, "");
  return bare.replace(SPELLED, (letter) => SPELLING[letter] ?? letter).normalize("NFC");
}

// oxlint-disable-next-line no-control-regex -- NUL is ASCII too
const ASCII_ONLY = /^[\0-\x7f]*$/;
const ZWJ = "\u200d";
const PICTOGRAPH = /\p{Extended_Pictographic}/u;

/*
 * What may melt into the character before it: marks, format characters, skin tones, conjoining jamo, half-width
 * kana voicing, one letter of Kirat Rai. Composed and decomposed text fold alike because a cluster is folded as
 * one. ZERO WIDTH SPACE is left out, since it separates words. More than 30 in a row start anew (the bound of
 * Unicode's stream-safe text): sorting an endless run of marks takes quadratic time.
 */
const MELTING = String.raw`[[\p{M}\p{Cf}\p{Emoji_Modifier}\u1160-\u11ff\uff9e\uff9f\u{16d67}]--\u200b]`;
const CLUSTER = new RegExp(
  String.raw`[\0-\x7f]+(?!${MELTING})|[^${MELTING}]${MELTING}{0,30}|${MELTING}{1,30}`,
  "gv",
);

/** Diacritics, format characters (ZWSP is one, and separates words), skin tones, the Arabic tatweel. */
const DIACRITIC = String.raw`[[[\p{Mn}\p{Me}]&&[\p{sc=Zinh}\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Cyrl}]]--[\u3099\u309a]]`;
const FORMAT = String.raw`[\p{Cf}--[\u200b]]`;
const DROPPED = new RegExp(String.raw`[${DIACRITIC}${FORMAT}\p{Emoji_Modifier}\u0640]`, "gv");
const DROPPED_BUT_ZWJ = new RegExp(
  String.raw`[[${DIACRITIC}${FORMAT}\p{Emoji_Modifier}]--\u200d]`,
  "gv",
);

const SPELLING: Readonly<Record<string, string>> = {
  ł: "l",
  Ł: "L",
  ø: "o",
  Ø: "O",
  đ: "d",
  Đ: "D",
  ð: "d",
  Ð: "D",
  ħ: "h",
  Ħ: "H",
  ŧ: "t",
  Ŧ: "T",
  ŋ: "n",
  Ŋ: "N",
  ı: "i",
  ĸ: "k",
  ß: "ss",
  ẞ: "Ss",
  æ: "ae",
  Æ: "Ae",
  œ: "oe",
  Œ: "Oe",
  þ: "th",
  Þ: "Th",
  "’": "'",
  "‘": "'",
  "‛": "'",
  ʼ: "'",
  ʻ: "'",
  "׳": "'",
  "״": "'",
  "‐": "-",
};
const SPELLED = new RegExp(`[${Object.keys(SPELLING).join("")}]`, "gu");
