import { describe, expect, it } from "vitest";
import { LIMITS, byteLength } from "../../contracts/index.ts";
import { inSphere } from "../support/sphere.ts";
import { interceptingSql } from "../support/storage-proxy.ts";

/** Bytes. The platform refuses a row or value of 2 MB, and the tests' own runtime does not ([STO-5]). */
const MOST = 1_900_000;

const TEXTS: [script: string, piece: (index: number) => string, last: string][] = [
  ["ASCII", (n) => `get${n.toString(36)}Relating/ab-${n} describing `, "zymurgist"],
  ["Chinese", (n) => String.fromCodePoint(0x4e00 + (scatter(n) % 20_000)), " 魑魅"],
  ["emoji", (n) => String.fromCodePoint(0x1f400 + (scatter(n) % 200)), " 🦤🪼"],
];

describe("the largest legal entry", () => {
  it.each(TEXTS)(
    "[STO-5] in %s keeps every bound value and row under 1.9 MB",
    async (_script, piece, last) => {
      let largest = 0;
      await inSphere(
        (bench) => {
          const { owner, storage } = bench;
          const text = textOf(piece, last, LIMITS.contentBytes);
          const { id } = owner.capture(text);
          expect(byteLength(text)).toBe(LIMITS.contentBytes);
          expect(owner.recall(last).hits[0]!.id).toBe(id);

          const shorter = textOf((n) => piece(n + 1), "", 300_000);
          owner.update(id, shorter);
          expect(owner.recall(last).hits).toEqual([]);
          const rest = LIMITS.contentBytes - byteLength(shorter) - "\n\n".length;
          owner.append(
            id,
            textOf((n) => piece(n + 2), last, rest),
          );
          expect(byteLength(owner.getEntry(id).content)).toBe(LIMITS.contentBytes);
          expect(owner.recall(last, { full: true }).hits[0]!.id).toBe(id);

          expect(largest).toBeGreaterThanOrEqual(LIMITS.contentBytes);
          expect(largest).toBeLessThan(MOST);
          expect(largestRow(storage)).toBeGreaterThan(LIMITS.contentBytes);
          expect(largestRow(storage)).toBeLessThan(MOST);
        },
        {
          wrap: (storage) =>
            interceptingSql(storage, (exec, query, bindings) => {
              largest = Math.max(largest, ...bindings.map(bytesOf));
              return exec(query, ...bindings);
            }),
        },
      );
    },
  );

  it("[STO-5] of ligatures, each of which folds to many times its bytes, stays under 1.9 MB too", async () => {
    // Words of a ligature of two words and six of one: no two alike, and three times their bytes when folded.
    const ligatures = [..."\ufdf2\ufdf3\ufdf4\ufdf5\ufdf6\ufdf7\ufdf8\ufdfc"];
    const six = (n: number) =>
      Array.from({ length: 6 }, (_, at) => ligatures[(scatter(n) >>> (4 * at)) & 7]).join("");
    const text =
      textOf(() => "\ufdfa ", "", 86_000) + textOf((n) => `\ufdfb${six(n)}`, "", 414_000);
    const tags = Array.from(
      { length: LIMITS.tagsPerEntry },
      (_, n) => `${six(n)}${"\ufdfa".repeat(LIMITS.tagChars - 6)}`,
    );
    await inSphere(({ owner, storage }) => {
      owner.capture(text, { tags });
      expect(owner.getTags()).toHaveLength(LIMITS.tagsPerEntry);
      expect(largestRow(storage)).toBeGreaterThan(1_500_000);
      expect(largestRow(storage)).toBeLessThan(MOST);
    });
  });
});

/** Pieces and then `last`, of exactly so many bytes. */
function textOf(piece: (index: number) => string, last: string, bytes: number): string {
  let left = bytes - byteLength(last);
  const pieces: string[] = [];
  for (let index = 0; ; index++) {
    const next = piece(index);
    left -= byteLength(next);
    if (left < 0) return pieces.join("") + " ".repeat(left + byteLength(next)) + last;
    pieces.push(next);
  }
}

/** Neighbouring numbers far apart, the same on every run. */
const scatter = (n: number) => Math.imul(n + 1, 2_654_435_761) >>> 0;

function bytesOf(value: unknown): number {
  if (typeof value === "string") return byteLength(value);
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? value.byteLength : 8;
}

/** Bytes of the largest row of any table, the shadow tables of the index included. */
function largestRow(storage: DurableObjectStorage): number {
  const tables = storage.sql
    .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
    .toArray()
    .filter(({ name }) => !name.startsWith("_cf_") && name !== "entries_postings");
  const sizes = tables.flatMap(({ name }) =>
    storage.sql
      .exec(`SELECT * FROM "${name}"`)
      .toArray()
      .map((row) => Object.values(row).reduce<number>((sum, value) => sum + bytesOf(value), 0)),
  );
  return Math.max(...sizes);
}
