import { isJoiner, scanCompound } from "./compound.ts";
import { isAscii } from "./fold.ts";
import type { Visit } from "./token.ts";
import { HANGUL, scanRun, UNSPACED } from "./unspaced.ts";

/** Finds every token of a folded text, in linear time. */
export function scan(text: string, visit: Visit): void {
  if (isAscii(text)) scanAscii(text, visit);
  else scanAny(text, visit);
}

/** What `scanAny` does where every run is of letters and digits: nineteen texts in twenty, four times as fast. */
function scanAscii(text: string, visit: Visit): void {
  let bounds: number[] = [];
  for (let start = 0; start < text.length; start++) {
    if (!isAsciiWord(text.charCodeAt(start))) continue;
    let end = start + 1;
    while (end < text.length && isAsciiWord(text.charCodeAt(end))) end++;
    if (bounds.length > 0 && !isJoiner(text, bounds[bounds.length - 1] ?? 0, start)) {
      scanCompound(text, bounds, visit);
      bounds = [];
    }
    bounds.push(start, end);
    start = end;
  }
  if (bounds.length > 0) scanCompound(text, bounds, visit);
}

function isAsciiWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
}

function scanAny(text: string, visit: Visit): void {
  let bounds: number[] = [];
  const flush = (): void => {
    if (bounds.length > 0) {
      scanCompound(text, bounds, visit);
      bounds = [];
    }
  };
  for (const { 0: run, index: start, groups } of text.matchAll(RUNS)) {
    const end = start + run.length;
    if (groups?.["word"] !== undefined) {
      const before = bounds.at(-1);
      if (before !== undefined && !isJoiner(text, before, start)) {
        flush();
      }
      bounds.push(start, end);
      continue;
    }
    flush();
    if (groups?.["emoji"] !== undefined) {
      visit(run, start, end, "word");
    } else {
      scanRun(text, start, end, groups?.["unspaced"] !== undefined, visit);
    }
  }
  flush();
}

const WORD = String.raw`[[\p{L}\p{N}\p{M}]--${UNSPACED}--${HANGUL}]`;
/** A ZWJ sequence, bounded so that an endless one is cut; a flag; one pictograph. */
const EMOJI = String.raw`\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic}){0,9}|\p{Regional_Indicator}{2}`;
const RUNS = new RegExp(
  `(?<word>${WORD}+)|(?<unspaced>${UNSPACED}+)|(?<hangul>${HANGUL}+)|(?<emoji>${EMOJI})`,
  "gv",
);
