import { invalidInput } from "../../contracts/index.ts";

/*
 * Cursors are opaque to callers: base64 of the list's name and the place after which the next page starts.
 * A place is a value of the list's order, so pages stay right while entries are added or removed ([LST-3]).
 */

export type Place = readonly (string | number)[];

export function encodeCursor(list: string, place: Place): string {
  return btoa(JSON.stringify([list, ...place]));
}

/** The place, checked against the types of a sample; null without a cursor. */
export function decodeCursor<P extends Place>(
  list: string,
  cursor: string | undefined,
  sample: P,
): P | null {
  if (cursor === undefined) return null;
  const parts = parse(cursor);
  const fits =
    parts.length === sample.length + 1 &&
    parts[0] === list &&
    sample.every((each, index) => typeof parts[index + 1] === typeof each);
  if (!fits) {
    throw invalidInput(`The cursor is not one that ${list} gave; start again without it.`, {
      path: "options.cursor",
    });
  }
  return parts.slice(1) as unknown as P;
}

function parse(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(atob(cursor));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
