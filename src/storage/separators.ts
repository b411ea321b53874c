import type { Sql } from "./sql.ts";

/** A beginning of a word of at most this many bytes does not tell the word. */
const TELLING_BYTES = 4;

/**
 * Whether a block separator of the index is the beginning of one of the tokens and of no word that is still
 * in it. FTS5 keeps separators in its `_idx` table, one a block; everything here compares them in hex,
 * because they may end inside a character.
 */
export function leavesSeparator(sql: Sql, tokens: readonly string[]): boolean {
  const inOrder = tokens.map(toHex).sort();
  return sql
    .all<{ separator: string }>(
      // The first byte of a term names the index that it belongs to.
      `SELECT DISTINCT hex(substr(CAST(term AS BLOB), 2)) AS separator FROM entries_fts_idx
       WHERE length(CAST(term AS BLOB)) > ?`,
      TELLING_BYTES,
    )
    .map((row) => row.separator)
    .filter((separator) => firstAtOrAfter(inOrder, separator)?.startsWith(separator))
    .some((separator) => !someWordBegins(sql, separator));
}

function someWordBegins(sql: Sql, hex: string): boolean {
  return (
    sql.maybeOne(
      `SELECT 1 AS found FROM entries_vocab
       WHERE term >= CAST(unhex(?1) AS TEXT) AND term < CAST(unhex(?1 || 'FF') AS TEXT) LIMIT 1`,
      hex,
    ) !== undefined
  );
}

function toHex(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .toUpperCase();
}

function firstAtOrAfter(inOrder: readonly string[], wanted: string): string | undefined {
  let low = 0;
  let high = inOrder.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((inOrder[middle] ?? "") < wanted) low = middle + 1;
    else high = middle;
  }
  return inOrder[low];
}
