import { tokenise } from "../analysis/analyzer.ts";
import { quotations } from "../analysis/phrases.ts";
import { isStopWord } from "../analysis/stop-words.ts";

/**
 * What is left of a query that wishes for the newest, null when it does not ([RWR-7]). The words of the wish say
 * nothing that entries say, and go; where they are the only words they stay. 'now' and 'still' are stop words and
 * need not go. What stands in quotes is no wish, and neither is a word of a long statement, which only describes.
 */
export function wishForNewest(text: string): string | null {
  if (!text.trimEnd().endsWith("?")) {
    const most = isQuestion(text) ? QUESTION_WORDS : SHORT_WORDS;
    if (text.split(/\s+/u, most + 1).length > most) return null;
  }
  const open = quotations(text).reduce(
    (masked, { start, end }) =>
      masked.slice(0, start) + '"'.repeat(end - start) + masked.slice(end),
    text,
  );
  const words = Array.from(open.matchAll(WISH), ({ 0: wish, index }) => ({ wish, index }));
  if (words.length === 0)
    return isQuestion(open) && (NOW.test(open) || STILL.test(open)) ? text : null;

  let rest = "";
  let from = 0;
  for (const { wish, index } of words) {
    rest += text.slice(from, index).trimEnd();
    from = index + wish.length;
  }
  rest = (rest + text.slice(from)).replace(/^[,;:\s]+/u, "").trimEnd();
  return tokenise(rest).every(({ token }) => isStopWord(token)) ? text : rest;
}

/*
 * 'current' and 'latest' are an adjective before what is sought, at the beginning or behind a word that leads
 * there: 'the current owner', not 'alternating current' or 'the image tagged latest'. The others have no second
 * meaning.
 */
const LEADS =
  "the|our|my|your|their|his|her|its|what|which|what's|what’s|whats|who's|who’s|is|are|show|find|get|give|me|all";
const ADJECTIVE = String.raw`(?<=^\W*|\b(?:${LEADS})\s+|['’]s\s+)(?<!\bat\s+the\s+)`;
const FOLLOWED = String.raw`(?=\s+(?!(?:in|of|through|and|or|is|are|was|flows?|draw)\b)[\p{L}\p{N}])`;
const WISH = new RegExp(
  [
    String.raw`\bmost\s+recent(?:ly)?\b`,
    String.raw`\bnewest\b`,
    String.raw`\bcurrently\b`,
    String.raw`\bnowadays\b`,
    String.raw`\bthese\s+days\b`,
    String.raw`\b(?:right\s+now|at\s+the\s+moment|as\s+of\s+(?:now|today))(?=\W*$)`,
    String.raw`${ADJECTIVE}latest\b(?![-_./:])`,
    String.raw`${ADJECTIVE}current\b${FOLLOWED}`,
  ].join("|"),
  "giu",
);

/** At the end: 'where does she live now?', not 'until now' and not 'the Now page'. */
const NOW = /(?<!\b(?:until|till|by|before|from|to|for|even|just|than)\s+)\bnow(?=\W*$)/iu;

/** Words at most of what people type into a search box, and of a question without its mark. */
const SHORT_WORDS = 8;
const QUESTION_WORDS = 20;

/** In the present tense: 'do we still use it', not 'was it still broken', 'a still life' or 'stand still'. */
const STILL =
  /\b(?:is|are|am|do|does|can|has|have|should|will|(?:is|are|do|does|ca|has|have)n['’]?t)\b(?:(?!\b(?:was|were|did|had|would|stand|sit|hold|keep)\b).)*\bstill\b(?!\s+(?:life|image|frame)\b)/isu;

function isQuestion(text: string): boolean {
  return QUESTION.test(text) || text.trimEnd().endsWith("?");
}

const QUESTION =
  /^\W*(?:show|tell|give|find|list|what|which|who|whom|whose|where|when|why|how|is|are|am|do|does|can|has|have|should|will|(?:is|are|do|does|ca|has|have)n['’]?t)\b/iu;
