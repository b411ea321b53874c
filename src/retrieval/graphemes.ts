const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });

/** UTF-16 units looked at before a cut. A grapheme longer than this is cut between code points. */
const REACH = 1_024;

/**
 * The last grapheme boundary at or before `index`, 0 and the end of the text included. Looks only at the
 * neighbourhood of the cut, whatever the length of the text.
 */
export function graphemeBoundary(text: string, index: number): number {
  if (index <= 0) return 0;
  if (index >= text.length) return text.length;

  const floor = Math.max(0, index - REACH);
  let base = index;
  while (base > floor && !isPlainBoundary(text, base)) base -= 1;
  if (base === index) return index;

  // Where the look back ended at its limit, `base` itself may be inside a grapheme.
  let boundary = base === 0 || base > floor ? base : -1;
  // Whether `index` is a boundary depends on what stands before it and on the one code point behind it.
  for (const segment of segmenter.segment(text.slice(base, index + 2))) {
    const at = base + segment.index;
    if (at > index) break;
    if (segment.index > 0) boundary = at;
  }
  return boundary >= 0 ? boundary : codePointBoundary(text, index);
}

/**
 * Characters that, side by side, are always two graphemes (UAX 29): printable ASCII and line feed, Latin,
 * Greek and Cyrillic letters, kana, ideographs, Hangul syllables, full-width forms; no marks, no emoji, no jamo.
 */
const PLAIN =
  /[\n\t -~\u00a1-\u02ff\u0370-\u0482\u048a-\u052f\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]/;

function isPlainBoundary(text: string, at: number): boolean {
  return PLAIN.test(text.charAt(at - 1)) && PLAIN.test(text.charAt(at));
}

function codePointBoundary(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff ? index - 1 : index;
}
