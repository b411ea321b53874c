import { z } from "zod";
import { LIMITS } from "./limits.ts";
import {
  CLAIM_TAGS,
  DIRECTIONS,
  EDGE_TYPES,
  KINDS,
  PROVENANCES,
  STATUSES,
  VOLATILITIES,
} from "./vocabulary.ts";

/*
 * One strict schema a method, as a tuple of its arguments. A method parses on its first line and trusts
 * afterwards; what these schemas refuse is `invalid_input` with the path of the field ([INP-1]).
 */

// Workers forbid `new Function`, so zod's compiled path exists in tests only; one path everywhere.
z.config({ jitless: true });

const utf8 = new TextEncoder();

/** UTF-8 bytes of a string. */
export function byteLength(text: string): number {
  return utf8.encode(text).byteLength;
}

// NUL cuts SQL strings short and a lone surrogate is stored as U+FFFD: both would change what was said.
const text = z
  .string()
  .refine((value) => !value.includes("\0"), {
    error: "must not contain a NUL character",
    abort: true,
  })
  .refine((value) => value.isWellFormed(), { error: "must not contain a lone surrogate" });

const fitsBytes = (limit: number) => (value: string) =>
  value.length * 3 <= limit || (value.length <= limit && byteLength(value) <= limit);

const content = text.min(1, { error: "must not be empty" }).refine(fitsBytes(LIMITS.contentBytes), {
  error: `must be at most ${LIMITS.contentBytes} bytes of UTF-8`,
});

const note = text.min(1).max(LIMITS.noteChars);
const time = z.int().min(0).max(LIMITS.timeMs);
const query = text.max(LIMITS.queryChars);
const cursor = text.min(1).max(LIMITS.cursorChars);
const n = z.int().min(1).max(LIMITS.page.max);

/** Any short string is a well-formed id; one that names nothing is `not_found`, never `invalid_input`. */
const id = text.min(1).max(LIMITS.idChars);

/** Tags are stored trimmed, NFC and lower-cased ([TAG-1]); everything else about them is literal. */
export function normaliseTag(tag: string): string {
  return tag.normalize("NFC").toLowerCase().normalize("NFC").trim();
}

const tag = text
  .max(4 * LIMITS.tagChars)
  .transform(normaliseTag)
  .refine((value) => value.length >= 1 && value.length <= LIMITS.tagChars, {
    error: `must be 1 to ${LIMITS.tagChars} characters`,
  });

/** Tags that say where a text came from; captures move them to `origin` ([CAP-11]). */
export const ORIGIN_TAG = /^(session|id|role|model):(.+)$|^(session)_(.+)$|^(type):(turn)$/s;

const tags = z
  .array(tag)
  .max(LIMITS.tagsPerEntry)
  .transform((list) => [...new Set(list)]);

/** The tags of a scope ([ACC-10]): as of an entry, at least one, and none that captures move out of the tags. */
export const scopeTags = tags
  .refine((list) => list.length > 0, { error: "must name at least one tag" })
  .refine((list) => !list.some((each) => ORIGIN_TAG.test(each)), {
    error: "must not name a session, turn, role or model: entries do not keep those as tags",
  });

/** The part of a name that a sub-actor adds ([ACC-13]). */
export const subActor = z.string().regex(/^(?! )[^\p{C}\p{Zl}\p{Zp}/]+(?<! )$/u, {
  error: "must be printable characters without a slash, and without a space at either end",
});

export const untilTime = time;

type Json = z.core.util.JSONType;

const isText = (value: string) => !value.includes("\0") && value.isWellFormed();

/** JSON data of at most so many levels, in texts that are legal elsewhere. Bounded: what comes may be a cycle. */
function isJson(value: unknown, levels: number): value is Json {
  if (typeof value === "string") return isText(value);
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value === "boolean" || value === null) return true;
  if (typeof value !== "object" || levels === 0) return false;
  if (Array.isArray(value)) return value.every((each) => isJson(each, levels - 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.entries(value).every(([key, each]) => isText(key) && isJson(each, levels - 1));
}

const metadata = z
  .custom<Record<string, Json>>(
    (value) =>
      !Array.isArray(value) && Object(value) === value && isJson(value, LIMITS.metadataLevels),
    { error: `must be an object of JSON data, at most ${LIMITS.metadataLevels} levels deep` },
  )
  .refine((value) => byteLength(JSON.stringify(value)) <= LIMITS.metadataBytes, {
    error: `must be at most ${LIMITS.metadataBytes} bytes of JSON`,
  });

const linkTarget = z.union(
  [
    z.strictObject({ type: z.enum(EDGE_TYPES), dst: id }),
    z.strictObject({ type: z.enum(EDGE_TYPES), src: id }),
  ],
  { error: "must be { type, dst } or { type, src }" },
);

const classification = {
  tags: tags.optional(),
  volatility: z.enum(VOLATILITIES).optional(),
  kind: z.enum(KINDS).optional(),
  status: z.enum(STATUSES).optional(),
  importance: z.int().min(0).max(LIMITS.importance).optional(),
  claimTag: z.enum(CLAIM_TAGS).optional(),
};

const captureFields = {
  ...classification,
  source: note.optional(),
  evidenceRef: note.optional(),
  expiresAt: time.optional(),
  occurredAt: time.optional(),
  links: z.array(linkTarget).max(LIMITS.linksPerCapture).optional(),
  derivedFrom: z.array(id).max(LIMITS.linksPerCapture).optional(),
};

const verifiedNeedsEvidence = {
  check: (value: { claimTag?: string | undefined; evidenceRef?: string | undefined }) =>
    value.claimTag !== "VERIFIED" || value.evidenceRef !== undefined,
  refusal: {
    path: ["evidenceRef"],
    error: "is required with claimTag VERIFIED: say where the evidence is, or claim INFERRED",
  },
};

const captureOptions = z
  .strictObject(captureFields)
  .refine(verifiedNeedsEvidence.check, verifiedNeedsEvidence.refusal);

const captureItem = z
  .strictObject({ content, ...captureFields })
  .refine(verifiedNeedsEvidence.check, verifiedNeedsEvidence.refusal);

/** `null` clears a field; a field left out stays as it is. */
const changeOptions = z.strictObject({
  ...classification,
  source: note.nullable().optional(),
  evidenceRef: note.nullable().optional(),
  expiresAt: time.nullable().optional(),
  ifRevision: z.int().min(1).optional(),
});

const recallOptions = z
  .strictObject({
    topK: z.int().min(1).max(LIMITS.topK.max).optional(),
    tag: tag.optional(),
    kind: z.enum(KINDS).optional(),
    status: z.enum(STATUSES).optional(),
    hops: z.int().min(0).max(LIMITS.hops.max).optional(),
    full: z.boolean().optional(),
    since: time.optional(),
    until: time.optional(),
    asOf: time.optional(),
    observe: z.boolean().optional(),
    includeInactive: z.boolean().optional(),
    includeExhaust: z.boolean().optional(),
    explain: z.boolean().optional(),
  })
  .refine((o) => o.since === undefined || o.until === undefined || o.since <= o.until, {
    path: ["until"],
    error: "must not be before since",
  });

/** What a batch may hold ([BAT-1]). */
export const BATCHED = [
  "capture",
  "append",
  "update",
  "setStatus",
  "forget",
  "link",
  "unlink",
] as const;
export type Batched = (typeof BATCHED)[number];

/** The arguments are parsed by the method's own schema, so that a refusal names the operation ([BAT-2]). */
const batchOperation = z
  .strictObject({
    method: z.enum(BATCHED),
    args: z.array(z.unknown()).max(4),
    as: z
      .string()
      .regex(/^\w{1,32}$/, { error: "must be 1 to 32 letters, digits or _, without the $" })
      .optional(),
  })
  .refine(({ method, as }) => as === undefined || method === "capture", {
    path: ["as"],
    error: "names a capture only",
  });

const namedOnce = (operations: readonly { as?: string | undefined }[]) => {
  const names = operations.flatMap(({ as }) => as ?? []);
  return new Set(names).size === names.length;
};

export const INPUTS = {
  recall: z.tuple([query, recallOptions.optional()]),
  listRecent: z.tuple([
    z
      .strictObject({
        n: n.optional(),
        tag: tag.optional(),
        kind: z.enum(KINDS).optional(),
        cursor: cursor.optional(),
      })
      .optional(),
  ]),
  getEntry: z.tuple([id, z.strictObject({ asOf: time.optional() }).optional()]),
  history: z.tuple([id, z.strictObject({ n: n.optional(), cursor: cursor.optional() }).optional()]),
  changes: z.tuple([
    z
      .strictObject({
        since: time.optional(),
        actor: note.optional(),
        tag: tag.optional(),
        limit: n.optional(),
        cursor: cursor.optional(),
      })
      .optional(),
  ]),
  connections: z.tuple([
    id,
    z
      .strictObject({
        type: z.enum(EDGE_TYPES).optional(),
        direction: z.enum(DIRECTIONS).optional(),
        n: n.optional(),
        cursor: cursor.optional(),
      })
      .optional(),
  ]),
  getTags: z.tuple([]),
  getCount: z.tuple([]),
  getStats: z.tuple([]),
  getBrief: z.tuple([
    z
      .strictObject({
        maxChars: z.int().min(LIMITS.briefChars.min).max(LIMITS.briefChars.max).optional(),
        since: time.optional(),
        tag: tag.optional(),
        objective: query.optional(),
      })
      .optional(),
  ]),
  graphView: z.tuple([
    z
      .strictObject({
        seedIds: z.array(id).min(1).max(LIMITS.seedIds).optional(),
        hops: z.int().min(0).max(LIMITS.hops.max).optional(),
        limit: z.int().min(1).max(LIMITS.graphNodes.max).optional(),
      })
      .optional(),
  ]),
  capture: z.tuple([content, captureOptions.optional()]),
  captureMany: z.tuple([
    z
      .array(captureItem)
      .min(1)
      .max(LIMITS.captureMany.items)
      .refine(
        (items) =>
          items.reduce((sum, item) => sum + byteLength(item.content), 0) <=
          LIMITS.captureMany.bytes,
        { error: `must hold at most ${LIMITS.captureMany.bytes} bytes of content in all` },
      ),
  ]),
  append: z.tuple([id, content, changeOptions.optional()]),
  update: z.tuple([id, content.nullable(), changeOptions.optional()]),
  setStatus: z.tuple([
    id,
    z.enum(STATUSES),
    z.strictObject({ reason: note.optional(), ifRevision: z.int().min(1).optional() }).optional(),
  ]),
  forget: z.tuple([id, z.strictObject({ ifRevision: z.int().min(1).optional() }).optional()]),
  link: z.tuple([
    id,
    id,
    z.enum(EDGE_TYPES),
    z
      .strictObject({
        provenance: z.enum(PROVENANCES).optional(),
        weight: z.number().min(0).max(1).optional(),
        metadata: metadata.optional(),
      })
      .optional(),
  ]),
  unlink: z.tuple([id, id, z.enum(EDGE_TYPES)]),
  batch: z.tuple([
    z
      .array(batchOperation)
      .min(1)
      .max(LIMITS.batch)
      .refine(namedOnce, { error: "must give each name (as) once" }),
  ]),
  runStalenessPass: z.tuple([
    z.strictObject({ limit: z.int().min(1).max(LIMITS.passRows.max).optional() }).optional(),
  ]),
  exportPage: z.tuple([z.strictObject({ cursor: cursor.optional() }).optional()]),
} as const;

/** Names of each method's arguments, for the path in a refusal. */
export const ARGUMENT_NAMES: Readonly<Record<Method, readonly string[]>> = {
  recall: ["query", "options"],
  listRecent: ["options"],
  getEntry: ["id", "options"],
  history: ["id", "options"],
  changes: ["options"],
  connections: ["id", "options"],
  getTags: [],
  getCount: [],
  getStats: [],
  getBrief: ["options"],
  graphView: ["options"],
  capture: ["content", "options"],
  captureMany: ["items"],
  append: ["id", "addition", "options"],
  update: ["id", "content", "options"],
  setStatus: ["id", "status", "options"],
  forget: ["id", "options"],
  link: ["src", "dst", "type", "options"],
  unlink: ["src", "dst", "type"],
  batch: ["operations"],
  runStalenessPass: ["options"],
  exportPage: ["options"],
};

export type Method = keyof typeof INPUTS;
export const METHODS = Object.keys(INPUTS) as readonly Method[];

/** The arguments of a method as a caller writes them. */
export type Arguments<M extends Method> = z.input<(typeof INPUTS)[M]>;
/** The arguments after parsing: tags normalised, everything checked. */
export type Parsed<M extends Method> = z.output<(typeof INPUTS)[M]>;

export type RecallOptions = NonNullable<Parsed<"recall">[1]>;
export type CaptureOptions = NonNullable<Parsed<"capture">[1]>;
export type CaptureItem = Parsed<"captureMany">[0][number];
export type ChangeOptions = NonNullable<Parsed<"update">[2]>;
export type LinkOptions = NonNullable<Parsed<"link">[3]>;
export type BatchOperation = Parsed<"batch">[0][number];
export type BriefOptions = NonNullable<Parsed<"getBrief">[0]>;
