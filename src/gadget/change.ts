import type { Changed, ChangeOptions, Kind, Status } from "../../contracts/index.ts";
import {
  EDGE_RULES,
  LIMITS,
  byteLength,
  conflict,
  invalidInput,
  limitExceeded,
} from "../../contracts/index.ts";
import { analyseEntry } from "../analysis/analyzer.ts";
import { staleTimes } from "../staleness/staleness.ts";
import type { StoredEntry } from "../storage/entry-row.ts";
import { assertTagCount, contentHashes } from "./capture.ts";
import type { Context } from "./context.ts";
import { audit, stamped } from "./context.ts";
import { requireEntry, statusNow } from "./entry.ts";
import { assertBorne } from "./grounds.ts";
import { mergeOrigin, splitOrigin } from "./hygiene.ts";
import { auditSuperseded } from "./link.ts";
import { assertMayAppend, assertMayAssert, assertMayReclassify } from "./policy.ts";

export function append(
  ctx: Context,
  id: string,
  addition: string,
  options: ChangeOptions = {},
): Changed {
  assertMayAssert(ctx.grant, options.status);
  const entry = requireEntry(ctx, id);
  assertMayAppend(ctx.grant, { id, status: statusNow(ctx, entry) });
  assertMayReclassify(ctx.grant, entry, options);
  const content = `${entry.content}\n\n${addition}`;
  if (byteLength(content) > LIMITS.contentBytes) {
    throw limitExceeded(
      `Entry ${id} would be over ${LIMITS.contentBytes} bytes; capture the addition as an entry of its own and link it.`,
      { id, bytes: byteLength(content) },
    );
  }
  return change(ctx, entry, content, options, "add");
}

export function update(
  ctx: Context,
  id: string,
  content: string | null,
  options: ChangeOptions = {},
): Changed {
  const entry = requireEntry(ctx, id);
  return change(ctx, entry, content ?? entry.content, options, "replace");
}

/** One change of an entry: decide what the entry becomes, then write it, its index row and its revision. */
function change(
  ctx: Context,
  entry: StoredEntry,
  content: string,
  options: ChangeOptions,
  tagMode: "add" | "replace",
): Changed {
  assertRevision(entry, options.ifRevision);
  const textChanged = content !== entry.content;
  const tagsBefore = ctx.stores.tags.of(entry.rid);
  const { tags, origin } = nextTags(
    entry,
    tagsBefore,
    options.tags && stamped(ctx, options.tags),
    tagMode,
  );
  assertTagCount(entry.id, tags);
  const wanted = applyOptions(entry, options, textChanged);
  const next: StoredEntry = { ...wanted, content, origin };
  assertKindFitsEdges(ctx, entry, next.kind);
  if (options.claimTag !== undefined) assertBorne(ctx, next);
  assertNotExpired(ctx, next, options.status);

  const changes = differences({ ...entry, tags: tagsBefore }, { ...next, tags });
  if (!textChanged && Object.keys(changes).length === 0) {
    return { id: entry.id, revision: entry.revision };
  }
  if (textChanged) assertNotTaken(ctx, entry.id, content);
  return writeChange(ctx, entry, next, { tagsBefore, tags, changes, textChanged });
}

function writeChange(
  ctx: Context,
  entry: StoredEntry,
  next: StoredEntry,
  what: {
    tagsBefore: string[];
    tags: string[];
    changes: Record<string, [unknown, unknown]>;
    textChanged: boolean;
  },
): Changed {
  const { stores, now } = ctx;
  const revision = entry.revision + 1;
  const affirmed = entry.status !== "canonical" && next.status === "canonical";
  const timed = {
    ...next,
    textAt: what.textChanged ? now : entry.textAt,
    affirmedAt: affirmed ? now : entry.affirmedAt,
  };
  const reindex = what.textChanged || "tags" in what.changes;
  const analysed = reindex ? analyseEntry(next.content, what.tags) : null;
  if (analysed) stores.index.replace(entry.rid, analysed);
  if (what.textChanged) {
    stores.entries.saveText(entry.rid, next.content, hashOf(ctx, next.content));
    stores.vectors.outdate(entry.rid);
  }
  stores.tags.remove(
    entry.rid,
    what.tagsBefore.filter((tag) => !what.tags.includes(tag)),
  );
  stores.tags.add(
    entry,
    what.tags.filter((tag) => !what.tagsBefore.includes(tag)),
  );
  stores.entries.save(entry, {
    ...timed,
    ...staleTimes(timed, now),
    revision,
    updatedAt: now,
    tokenCount: analysed?.tokenCount ?? entry.tokenCount,
  });
  stores.revisions.add({
    rid: entry.rid,
    revision,
    changes: what.changes,
    content: what.textChanged ? entry.content : null,
    reason: null,
    actor: ctx.grant.actor,
    at: now,
  });
  const action = entry.status !== "deprecated" && next.status === "deprecated";
  audit(ctx, action ? "deprecated" : "updated", entry.id, {
    fields: [...(what.textChanged ? ["content"] : []), ...Object.keys(what.changes)],
  });
  auditSuperseded(ctx, entry, next);
  return { id: entry.id, revision };
}

/** For callers that must not write over what they have not read ([UPD-3]). */
export function assertRevision(entry: StoredEntry, ifRevision: number | undefined): void {
  if (ifRevision === undefined || ifRevision === entry.revision) return;
  throw conflict(
    `Entry ${entry.id} is at revision ${entry.revision}, not ${ifRevision}; read it again and repeat the change.`,
    { id: entry.id, revision: entry.revision },
  );
}

/** An expired entry reads as deprecated; making it active again must move `expiresAt` too ([STA-4]). */
export function assertNotExpired(
  ctx: Context,
  { id, expiresAt }: { id: string; expiresAt: number | null },
  status: Status | undefined,
): void {
  if (status === undefined || statusNow(ctx, { status, expiresAt }) === status) return;
  throw conflict(
    `Entry ${id} expired; move or clear expiresAt with update before making it ${status}.`,
    { id, expiresAt },
  );
}

function nextTags(
  entry: StoredEntry,
  before: readonly string[],
  asked: readonly string[] | undefined,
  mode: "add" | "replace",
) {
  if (asked === undefined) return { tags: [...before], origin: entry.origin };
  const { tags, origin } = splitOrigin(asked);
  const after = new Set(mode === "add" ? [...before, ...tags] : tags);
  // The database orders by bytes and this by UTF-16 units: equal sets must not look like a change.
  const same = after.size === before.length && before.every((tag) => after.has(tag));
  return {
    tags: same ? [...before] : [...after].sort(),
    origin: mergeOrigin(entry.origin, origin),
  };
}

/** The options over the entry, with the evidence rules ([UPD-7], [UPD-8]). */
function applyOptions(
  entry: StoredEntry,
  options: ChangeOptions,
  textChanged: boolean,
): StoredEntry {
  const { ifRevision: _ifRevision, tags: _tags, ...fields } = options;
  const given = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  );
  const next: StoredEntry = { ...entry, ...given };
  const newEvidence = typeof options.evidenceRef === "string";
  if (options.claimTag === "VERIFIED" && textChanged && !newEvidence) {
    throw evidenceNeeded(
      "VERIFIED new text needs new evidence: give evidenceRef, or claim INFERRED.",
    );
  }
  if (
    textChanged &&
    !newEvidence &&
    options.claimTag === undefined &&
    entry.claimTag === "VERIFIED"
  ) {
    return { ...next, claimTag: "INFERRED" };
  }
  if (next.claimTag === "VERIFIED" && next.evidenceRef === null) {
    throw evidenceNeeded("A VERIFIED entry needs evidenceRef: give one, or another claimTag.");
  }
  return next;
}

const evidenceNeeded = (message: string) => invalidInput(message, { path: "options.evidenceRef" });

/** The kind gates hold at all times, not only when linking ([EDG-3]). */
function assertKindFitsEdges(ctx: Context, entry: StoredEntry, kind: Kind): void {
  if (kind === entry.kind) return;
  const broken = ctx.stores.edges.typesAt(entry.id).find(({ type, direction }) => {
    const rule = EDGE_RULES[type];
    if (rule.dst === "same") return true;
    return !(direction === "out" ? rule.src : rule.dst).includes(kind);
  });
  const edge = broken && ctx.stores.edges.someAt(entry.id, broken.type, broken.direction);
  if (edge === undefined) return;
  const { type, src, dst } = edge;
  throw conflict(
    `Entry ${entry.id} cannot become ${kind}: the ${type} edge from ${src} to ${dst} does not allow that; unlink it first.`,
    { id: entry.id, type, src, dst },
  );
}

const hashOf = (ctx: Context, content: string) => {
  const [hash] = contentHashes(ctx, [content]);
  if (hash === undefined) throw new Error("No hash for a content.");
  return hash;
};

/** Equal bytes are one entry, so a change must not make two of them ([UPD-4]). */
function assertNotTaken(ctx: Context, id: string, content: string): void {
  const taken = ctx.stores.entries.idByHash(hashOf(ctx, content));
  if (taken === undefined || taken === id) return;
  throw conflict(`Entry ${taken} already has exactly this text; update or link that one.`, {
    id: taken,
  });
}

/** Field → [before, after], of the fields that a caller can change; the text is the revision's own column. */
function differences(
  before: StoredEntry & { tags: string[] },
  after: StoredEntry & { tags: string[] },
): Record<string, [unknown, unknown]> {
  const fields = [
    "tags",
    "source",
    "kind",
    "status",
    "volatility",
    "claimTag",
    "evidenceRef",
    "importance",
    "expiresAt",
    "origin",
  ] as const;
  return Object.fromEntries(
    fields
      .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
      .map((field) => [field, [before[field], after[field]]]),
  );
}
