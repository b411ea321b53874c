import type { Line, Lines } from "./measured.ts";

/** Lines of one size, beside what the baseline had: times as ratios, rows exactly. */
export function printLines(size: number, lines: Lines, before: Lines): void {
  console.log(`\n${size.toLocaleString("en")} entries; ms and rows a call`);
  console.log(
    "".padEnd(50),
    "   n     p50      p99  | rows read (most)  written | postings | since baseline",
  );
  for (const [name, line] of Object.entries(lines)) {
    console.log(name.padEnd(50), times(line), `| ${rows(line)} | ${since(line, before[name])}`);
  }
}

export function printTable(heading: string, table: readonly (readonly string[])[]): void {
  console.log(`\n${heading}`);
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of table) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
}

/** On the line that the terminal shows last, where there is a terminal. */
export function progress(text: string): void {
  if (process.stdout.isTTY) process.stdout.write(`\r\u001B[K${text}`);
}

export function step(text: string): void {
  progress("");
  console.log(`[${Math.round(performance.now() / 1_000)} s] ${text}`);
}

function times({ n, p50, p99 }: Line): string {
  return `${String(n).padStart(4)} ${ms(p50).padStart(8)} ${ms(p99).padStart(8)} `;
}

function rows({ rows: counted }: Line): string {
  const figure = (name: string) => counted[name]?.mean.toFixed(1) ?? "";
  const most = counted["rowsRead"] ? `(${counted["rowsRead"].max})` : "";
  return [
    `${figure("rowsRead").padStart(8)} ${most.padEnd(8)}`,
    figure("rowsWritten").padStart(7),
    `| ${figure("postingsRead").padStart(8)}`,
  ].join(" ");
}

function since(line: Line, before: Line | undefined): string {
  if (before === undefined) return "new";
  const ratio = (now: number, then: number) => (then === 0 ? "" : `×${(now / then).toFixed(2)}`);
  const moved = Object.entries(line.rows).flatMap(([name, { mean }]) => {
    const by = mean - (before.rows[name]?.mean ?? 0);
    return Math.abs(by) < 0.05 ? [] : [`${name} ${by > 0 ? "+" : ""}${by.toFixed(1)}`];
  });
  return [
    `p50 ${ratio(line.p50, before.p50)}`,
    `p99 ${ratio(line.p99, before.p99)}`,
    ...moved,
  ].join(", ");
}

export const ms = (value: number) => value.toFixed(value < 10 ? 2 : 1);
