/** The first `max` UTF-16 units, one fewer where the cut would split a surrogate pair. */
export function cut(text: string, max: number): { content: string; truncated: boolean } {
  if (text.length <= max) return { content: text, truncated: false };
  const last = text.charCodeAt(max - 1);
  const splits = last >= 0xd800 && last <= 0xdbff;
  return { content: text.slice(0, splits ? max - 1 : max), truncated: true };
}

/** The first line that says something, for lists and graphs. */
export function titleOf(content: string, max = 120): string {
  const line = content.split("\n").find((each) => each.trim() !== "") ?? "";
  return cut(line.trim(), max).content;
}
