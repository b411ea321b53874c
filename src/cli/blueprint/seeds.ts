import { z } from "zod";
import type { Entry } from "../../../contracts/entities.ts";
import { byteLength, INPUTS } from "../../../contracts/inputs.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { CliError, EXIT } from "../exit.ts";

/*
 * Seeds: what a new workspace is told first. One JSON object a line, `{ key, content, …options }`, with the
 * options of `update`. In the memory a seed is an entry like any other; its `source` is its stamp.
 */

/** Every seed carries it, so that the seeds of a large workspace are listed without the rest. */
export const SEED_TAG = "blueprint";

export type Seed = Pick<
  Entry,
  | "content"
  | "kind"
  | "status"
  | "volatility"
  | "claimTag"
  | "evidenceRef"
  | "importance"
  | "tags"
  | "expiresAt"
> & { key: string };

/** The stamp: `blueprint:NAME#KEY@HASH`. The hash is of the seed as it was applied. */
export const stampOf = (blueprint: string, seed: Seed) =>
  `blueprint:${blueprint}#${seed.key}@${seedHash(seed)}`;

/** The key and hash of a stamp of this blueprint; null for any other source. */
export function readStamp(
  blueprint: string,
  source: string | null,
): { key: string; hash: string } | null {
  const [, name, key, hash] = /^blueprint:(.+)#(.+)@([0-9a-f]{16})$/.exec(source ?? "") ?? [];
  return name === blueprint && key !== undefined && hash !== undefined ? { key, hash } : null;
}

/** Of all that a seed says, and so of all that a person can change in its entry. Edges are not part of it. */
export function seedHash(seed: Omit<Seed, "key">): string {
  const { content, kind, status, volatility, claimTag, evidenceRef, importance, expiresAt } = seed;
  const classification = [kind, status, volatility, claimTag, evidenceRef, importance, expiresAt];
  const said = JSON.stringify([content, ...classification, [...seed.tags].sort()]);
  return sha256Hex(said).slice(0, 16);
}

/**
 * All seeds of a file, or an error that names the first line that cannot be one; so that nothing of a bad
 * file is applied.
 */
export function parseSeeds(text: string, file: string): Seed[] {
  const seeds = new Map<string, Seed>();
  const lineOfContent = new Map<string, number>();
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const number = index + 1;
    const refuse = (problem: string) => refusal(`${file}, line ${number}: ${problem}`);
    const seed = parseSeed(line, refuse);
    if (seeds.has(seed.key)) throw refuse(`the key "${seed.key}" stands in an earlier line.`);
    const equal = lineOfContent.get(seed.content);
    if (equal !== undefined) throw refuse(`its content is that of line ${equal}.`);
    seeds.set(seed.key, seed);
    lineOfContent.set(seed.content, number);
  }
  if (seeds.size === 0) throw refusal(`${file} has no seeds: write one JSON object a line.`);
  return [...seeds.values()];
}

const keySchema = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/);
/** Options of a capture that a seed cannot have: `source` is its stamp, the others cannot be updated. */
const NOT_OF_A_SEED = ["source", "occurredAt", "links"];
/** What a capture moves out of the tags ([CAP-11]), after which an entry is not what its seed says. */
const MOVED_ASIDE = /^(?:(?:session|id|role|model):|session_).|^type:turn$/s;

type Refuse = (problem: string) => CliError;

function parseSeed(line: string, refuse: Refuse): Seed {
  const { key: givenKey, content: givenContent, ...options } = parseObject(line, refuse);
  const { tags: givenTags = [] } = options;
  const key = keySchema.safeParse(givenKey);
  if (!key.success) {
    throw refuse(
      "key: must be 1 to 64 characters of a-z 0-9 . _ - and start with a letter or digit.",
    );
  }
  const stray = NOT_OF_A_SEED.find((name) => name in options);
  if (stray !== undefined) throw refuse(`${stray}: a seed cannot have it.`);
  const withTag = Array.isArray(givenTags) ? [...givenTags, SEED_TAG] : givenTags;
  const parsed = INPUTS.capture.safeParse([givenContent, { ...options, tags: withTag }]);
  if (!parsed.success) throw refuse(firstIssue(parsed.error));
  const [content, given = {}] = parsed.data;
  const { tags = [] } = given;
  const moved = tags.find((tag) => MOVED_ASIDE.test(tag));
  if (moved !== undefined) throw refuse(`tags: "${moved}" names a session, turn, role or model.`);
  return {
    key: key.data,
    content,
    kind: given.kind ?? "episodic",
    status: given.status ?? "draft",
    volatility: given.volatility ?? "state",
    claimTag: given.claimTag ?? "UNKNOWN",
    evidenceRef: given.evidenceRef ?? null,
    importance: given.importance ?? 0,
    tags: tags.toSorted(),
    expiresAt: given.expiresAt ?? null,
  };
}

function parseObject(line: string, refuse: Refuse): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw refuse(`it is not JSON (${(error as Error).message}).`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw refuse('it is not a JSON object such as { "key": …, "content": … }.');
  }
  return value as Record<string, unknown>;
}

function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  const [argument, ...rest] = issue?.path ?? [];
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const path = [...(argument === 0 ? ["content"] : []), ...rest, ...unknown].join(".");
  return `${path}: ${issue?.message}.`;
}

const refusal = (sentence: string) => new CliError(EXIT.usage, sentence);

/** Seeds in calls of `captureMany` that stay within its bounds. */
export function* inBatches(
  seeds: readonly Seed[],
  { items, bytes }: { items: number; bytes: number },
): Generator<Seed[]> {
  let batch: Seed[] = [];
  let size = 0;
  for (const seed of seeds) {
    const length = byteLength(seed.content);
    if (batch.length === items || (batch.length > 0 && size + length > bytes)) {
      yield batch;
      [batch, size] = [[], 0];
    }
    batch.push(seed);
    size += length;
  }
  if (batch.length > 0) yield batch;
}
