/**
 * How often each column of an analysed text holds a token, one byte a column, the first lowest; more than 255
 * count as 255.
 */
export type PackedCounts = number;

/** The columns of the index, in the order of their bytes. */
export const COLUMNS = ["title", "body", "stems", "tags"] as const;
export const BODY = 1;

/** The entries that hold a term, ascending by internal number (rid), and how often each column does. */
export interface PostingList {
  readonly length: number;
  /** Valid up to `length`. */
  readonly docs: Uint32Array;
  /** Packed; 0 is no posting. */
  readonly counts: Uint32Array;
}

const MOST = 255;

export function plusOne(counts: PackedCounts, column: number): PackedCounts {
  const shift = 8 * column;
  return ((counts >>> shift) & MOST) === MOST ? counts : (counts + (1 << shift)) >>> 0;
}

export function pack(title: number, body: number): PackedCounts {
  return Math.min(title, MOST) | (Math.min(body, MOST) << 8);
}

export function weighted(
  counts: PackedCounts,
  weights: { title: number; body: number; stems: number; tags: number },
): number {
  return (
    weights.title * (counts & MOST) +
    weights.body * ((counts >>> 8) & MOST) +
    weights.stems * ((counts >>> 16) & MOST) +
    weights.tags * (counts >>> 24)
  );
}
