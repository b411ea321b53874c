/* The words that the plain baselines search for. */

const STOP_WORDS = new Set(
  `a about above after again against all am an and any are as at be because been before being below between
  both but by can could did do does doing down during each few for from further had has have having he her
  here hers herself him himself his how i if in into is it its itself just me more most my myself no nor not
  now of off on once only or other our ours ourselves out over own same she should so some such than that the
  their theirs them themselves then there these they this those through to too under until up very was we were
  what when where which while who whom why will with would you your yours yourself yourselves`.split(
    /\s+/,
  ),
);

/** The words of a text in lower case; without stop words, unless nothing else is there. Each once. */
export function plainWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const kept = words.filter((word) => !STOP_WORDS.has(word));
  return [...new Set(kept.length > 0 ? kept : words)];
}

/** A MATCH expression: any of the words. Null where there is none. */
export function plainMatch(query: string): string | null {
  const words = plainWords(query);
  return words.length === 0 ? null : words.map((word) => `"${word}"`).join(" OR ");
}
