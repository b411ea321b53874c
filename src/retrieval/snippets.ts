import { graphemeBoundary } from "./graphemes.ts";
import { wordFinder } from "./occurrences.ts";
import type { Occurrence, WordFinder } from "./occurrences.ts";
import type { RankingParams } from "./params.ts";

export interface Snippet {
  /** A part of the entry in one piece; characters are UTF-16 units. */
  content: string;
  truncated: boolean;
}

/**
 * Stage 9: what each hit may show ([REC-13]). `contents` are in the order of the hits; the lengths of all
 * snippets together never exceed the budget less `reservedChars`. A hit that meets the end of the budget gets
 * what is left of it, and every later one empty content with `truncated: true`.
 *
 * @param words the query's words as the analyzer folds them, and their stems.
 */
export function budgetSnippets(
  contents: readonly string[],
  words: ReadonlySet<string>,
  budget: { full: boolean; reservedChars: number },
  params: RankingParams,
): Snippet[] {
  const { fullHits, fullChars, restChars, totalChars } = params.snippets;
  const finder = wordFinder(words);
  let left = Math.max(0, (budget.full ? params.fullTotalChars : totalChars) - budget.reservedChars);
  return contents.map((content, index) => {
    const own = budget.full ? left : index < fullHits ? fullChars : restChars;
    const snippet = windowOf(content, finder, Math.min(own, left));
    const spent = snippet.truncated && own >= left;
    left = spent ? 0 : left - snippet.content.length;
    return snippet;
  });
}

/** The best window of a text on its own; see `windowOf`. */
export function bestWindow(content: string, words: ReadonlySet<string>, maxChars: number): Snippet {
  return windowOf(content, wordFinder(words), maxChars);
}

/**
 * The `maxChars` of a text that hold the most of the words, whole words counting most; the earliest of equal
 * ones, the beginning when none occurs. Cut at grapheme boundaries: where not even one grapheme fits, empty.
 */
function windowOf(content: string, finder: WordFinder, maxChars: number): Snippet {
  if (content.length <= maxChars) return { content, truncated: false };
  if (maxChars === 0) return { content: "", truncated: true };

  const span = densestSpan(finder.find(content), finder.words, maxChars);
  const start = graphemeBoundary(content, startFor(content, span, maxChars));
  const end = graphemeBoundary(content, start + maxChars);
  return { content: content.slice(start, end), truncated: true };
}

interface Span {
  start: number;
  end: number;
}

/** The first span of at most `maxChars` in which the best fits of its distinct words sum highest. */
function densestSpan(found: readonly Occurrence[], words: number, maxChars: number): Span {
  let best: Span = { start: 0, end: 0 };
  let bestSum = 0;
  let sum = 0;
  // How many occurrences in the window fit a word this well or better; sum counts those that are not 0.
  const fits = new Uint32Array(words * 3);
  const count = ({ word, fit }: Occurrence, change: 1 | -1) => {
    for (let each = word * 3; each < word * 3 + fit; each++) {
      const before = fits[each] ?? 0;
      fits[each] = before + change;
      if (before === (change === 1 ? 0 : 1)) sum += change;
    }
  };

  const window: Occurrence[] = [];
  let first = 0;
  let reach = 0;
  for (const occurrence of found) {
    if (occurrence.end - occurrence.start > maxChars) continue;
    window.push(occurrence);
    count(occurrence, 1);
    reach = Math.max(reach, occurrence.end);
    for (
      let left = window[first];
      left && occurrence.end - left.start > maxChars;
      left = window[first]
    ) {
      count(left, -1);
      first += 1;
    }
    if (sum > bestSum) {
      bestSum = sum;
      best = { start: window[first]?.start ?? 0, end: reach };
    }
  }
  return best;
}

/** Leaves a quarter of the free room before the span, and begins there at a line, else at a word. */
function startFor(content: string, span: Span, maxChars: number): number {
  const free = maxChars - (span.end - span.start);
  const start = Math.min(span.start - Math.floor(free / 4), content.length - maxChars);
  if (start <= 0) return 0;
  const lead = content.slice(start - 1, span.start);
  const line = lead.indexOf("\n");
  const space = line >= 0 ? line : lead.search(/\s/);
  return start + Math.max(0, space);
}
