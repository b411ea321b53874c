import { byteLength } from "../../contracts/inputs.ts";
import { LIMITS } from "../../contracts/limits.ts";
import { cut } from "../lib/text.ts";
import type { CaptureItem, Plan, PlannedEdge, PlannedEntry } from "./plan.ts";

/** A file as it was read: `path` relative to what is imported, with forward slashes. */
export interface SourceFile {
  path: string;
  text: string;
}

export interface ImportOptions {
  /** What the source says becomes canonical; without it, a draft unless the source itself settles it. */
  assert: boolean;
}

/** Something that could not be mapped as it stands: where, and in words. `line` counts from 1. */
export interface Problem {
  path: string;
  line: number | null;
  problem: string;
}

/** Entries in the order of the source under stable keys, edges between these, and what was wrong. */
export interface Imported extends Plan {
  problems: Problem[];
}

/** Pure: equal files give equal records, which is why importing twice adds nothing. Never throws. */
export type Importer = (files: readonly SourceFile[], options: ImportOptions) => Imported;

/** Room for the heading that says which part it is. */
const PART_BYTES = LIMITS.contentBytes - 2_000;
const TITLE_CHARS = 300;

/** What the contract accepts: NUL and lone surrogates become U+FFFD, line ends are LF, no byte order mark. */
export function legalText(text: string): string {
  return text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .replaceAll("\0", "\uFFFD")
    .toWellFormed();
}

/** A short field such as `source`. */
export function note(text: string): string {
  return cut(legalText(text), LIMITS.noteChars).content || "-";
}

/** Words of the source as tags; those that no tag can be are left out, and so is a 65th. */
export function tagsFrom(words: readonly string[]): string[] {
  const legal = words
    .map((word) => legalText(word).replace(/^#/, "").normalize("NFC").toLowerCase().trim())
    .filter((tag) => tag !== "" && tag.length <= LIMITS.tagChars);
  return [...new Set(legal)].slice(0, LIMITS.tagsPerEntry);
}

/**
 * The entry of a text, or several when it is longer than an entry may be: each further part, under the key
 * with `~2` and so on, documents the first. Nothing for a text without words.
 */
export function entriesOf(
  key: string,
  title: string,
  body: string,
  rest: Omit<CaptureItem, "content">,
): Plan {
  const heading = legalText(title).trim();
  const text = [heading, legalText(body).trim()].filter((each) => each !== "").join("\n\n");
  const [content = "", ...more] = parts(text);
  if (content === "") return { entries: [], edges: [] };
  const entries: PlannedEntry[] = [{ key, item: { content, ...rest } }];
  const edges: PlannedEdge[] = [];
  for (const [n, part] of more.entries()) {
    const of = `${cut(heading, TITLE_CHARS).content} (part ${n + 2} of ${more.length + 1})`;
    entries.push({ key: `${key}~${n + 2}`, item: { content: `${of}\n\n${part}`, ...rest } });
    edges.push({
      src: `${key}~${n + 2}`,
      dst: key,
      type: rest.kind === "semantic" ? "document_of" : "relates_to",
    });
  }
  return { entries, edges };
}

function parts(text: string): string[] {
  const found: string[] = [];
  let rest = text;
  while (byteLength(rest) > PART_BYTES) {
    const most = cut(rest, Math.floor(PART_BYTES / 3)).content;
    const end = most.lastIndexOf("\n") > 0 ? most.lastIndexOf("\n") + 1 : most.length;
    found.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...found, rest];
}

/** Milliseconds of what a source gives as a time; null for what is none. */
export function timeOf(value: unknown): number | null {
  if (value instanceof Date) return inRange(value.getTime());
  if (typeof value === "number") return inRange(value);
  if (typeof value !== "string" || !/^\s*\d{4}-\d{2}-\d{2}/.test(value)) return null;
  // A time without a zone is read as UTC, so that a file means the same on every machine.
  const iso = value.trim().replace(/^(\S+) (\d)/, "$1T$2");
  const zoned = /T.*(Z|[+-]\d{2}:?\d{2})$/.test(iso) || !iso.includes("T") ? iso : `${iso}Z`;
  return inRange(Date.parse(zoned));
}

const inRange = (ms: number) =>
  Number.isInteger(ms) && ms >= 0 && ms <= LIMITS.timeMs ? ms : null;
