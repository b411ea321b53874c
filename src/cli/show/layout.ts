/** Lines of at most `width` characters, each behind `indent`; a word longer than a line stands alone. */
export function wrap(text: string, width: number, indent = ""): string {
  return printable(text)
    .split("\n")
    .flatMap((line) => wrapLine(line, Math.max(20, width - indent.length)))
    .map((line) => (indent + line).trimEnd())
    .join("\n");
}

function wrapLine(line: string, width: number): string[] {
  const lines = [""];
  for (const word of line.split(/(?<=\s)(?=\S)/)) {
    const current = lines.at(-1) ?? "";
    if (current !== "" && (current + word.trimEnd()).length > width) lines.push(word);
    else lines[lines.length - 1] = current + word;
  }
  return lines;
}

/** Two columns, the first as wide as its longest cell. */
export function columns(
  rows: readonly (readonly [string, string | number])[],
  indent = "",
): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${indent}${name.padEnd(width)}  ${value}`).join("\n");
}

/**
 * Text without control characters other than tab and newline: what a memory holds was written by others and
 * must not drive the reader's terminal.
 */
export function printable(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(/[^\P{Cc}\t\n]/gu, "\uFFFD");
}

/** A day, UTC. */
export function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

export function bytes(n: number): string {
  if (n < 1024) return `${n} B`;
  return n < 1024 ** 2 ? `${(n / 1024).toFixed(0)} KB` : `${(n / 1024 ** 2).toFixed(1)} MB`;
}
