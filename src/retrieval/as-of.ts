import type { TimeWindow } from "../../contracts/index.ts";

/**
 * The time as of which a query asks ([RWR-6]): the end of its window when 'as of' introduces it, or when the
 * question is what some rule was and the window ends. Any other window is a preference, and this is null.
 *
 * @param lead the words that introduce the time phrase, lower case
 */
export function asOfWording(text: string, lead: string, window: TimeWindow): number | null {
  const asked = isAsOf(lead) || (window.since !== null && ASKS_RULE.test(text));
  return asked ? window.until : null;
}

/** The time is then a condition and no content: the phrase leaves the text, dates included ([RWR-1]). */
export function isAsOf(lead: string): boolean {
  return lead === "as of";
}

/**
 * 'what was the retention policy', 'which rules applied': the rule itself, and neither something about it ('the
 * reason for the rule', 'the rule change') nor what was decided, which people also write down later.
 */
const RULE = "(?:rules?|polic(?:y|ies)|standards?|conventions?|guidelines?|procedures?)";
const QUALIFIERS = String.raw`(?:(?!(?:of|for|to|in|on|about|with|from|by|behind|after|before|and|or|that)\s)[\p{L}\p{N}_'’-]+\s+){0,5}?`;
const ASKS_RULE = new RegExp(
  String.raw`\b(?:what|which)\s+(?:(?:was|were)\s+${QUALIFIERS}${RULE}(?=\s*(?:$|[?.,;:!)])|\s+(?:for|about|of|regarding|concerning|in|on|between|during|throughout|around|at|back|last|this|then|there|under|when|to|\d))|${QUALIFIERS}${RULE}\s+(?:(?:was|were)\s+(?:in\s+force|in\s+effect|valid|current)|applied|held)\b)`,
  "iu",
);
