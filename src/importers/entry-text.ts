import { cut } from "../lib/text.ts";

const ENTRY_CHARS = 8_000;

/** Paragraphs as the content of an entry: empty ones left out, NUL and lone surrogates replaced, bounded. */
export function textForEntry(paragraphs: readonly string[]): string {
  const text = paragraphs
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "")
    .join("\n\n");
  const { content, truncated } = cut(text.replaceAll("\0", "\uFFFD").toWellFormed(), ENTRY_CHARS);
  return truncated ? `${content.trimEnd()} …` : content;
}
