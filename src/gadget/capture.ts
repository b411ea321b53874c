import type { Captured, CaptureItem, CaptureOptions } from "../../contracts/index.ts";
import { LIMITS, MiniSphereError, limitExceeded } from "../../contracts/index.ts";
import { analyseEntry } from "../analysis/analyzer.ts";
import { hexOf, sha256Bytes } from "../lib/hash.ts";
import { staleTimes } from "../staleness/staleness.ts";
import type { StoredEntry } from "../storage/entry-row.ts";
import { Supersession } from "../storage/supersession.ts";
import type { Context } from "./context.ts";
import { audit, stamped } from "./context.ts";
import { requireEntry, statusNow } from "./entry.ts";
import { isExhaust, mergeOrigin, splitOrigin } from "./hygiene.ts";
import { connectAll } from "./link.ts";
import { assertMayAssert, mayTag } from "./policy.ts";

export function capture(ctx: Context, content: string, options: CaptureOptions = {}): Captured {
  return captureOne(ctx, content, options, new Intake(ctx, [content]));
}

/** One transaction, as every call: an item that is refused takes all with it ([CPM-2]). */
export function captureMany(ctx: Context, items: readonly CaptureItem[]): { results: Captured[] } {
  const intake = new Intake(
    ctx,
    items.map((item) => item.content),
  );
  const results = items.map(({ content, ...options }, index) => {
    try {
      return captureOne(ctx, content, options, intake);
    } catch (error) {
      if (!(error instanceof MiniSphereError)) throw error;
      throw new MiniSphereError(error.code, `Item ${index}: ${error.message}`, {
        ...error.details,
        index,
      });
    }
  });
  return { results };
}

function captureOne(
  ctx: Context,
  content: string,
  options: CaptureOptions,
  intake: Intake,
): Captured {
  assertMayAssert(ctx.grant, options.status);
  const hash = intake.next();
  const existingId = intake.idOf(hash);
  if (existingId !== undefined) {
    return captureAgain(ctx, requireEntry(ctx, existingId), options);
  }
  const captured = captureNew(ctx, content, hash, options, intake.unusedId());
  intake.add(hash, captured.id);
  return captured;
}

/**
 * Equal bytes are one entry where both can be seen. Where the entry with these bytes stands outside the scope, the
 * scope has a hash of its own for them, and one that nothing else has when that is taken outside too ([ACC-11]).
 */
export function contentHashes(ctx: Context, contents: readonly string[]): Uint8Array[] {
  const { tags } = ctx.grant;
  const plain = contents.map(sha256Bytes);
  if (tags === undefined) return plain;
  const own = contents.map((content) => sha256Bytes(`${JSON.stringify(tags)}\0${content}`));
  const all = [...plain, ...own];
  const [seen, taken] = [ctx.stores.entries.idsByHash(all), ctx.whole.entries.idsByHash(all)];
  return plain.map((hash, at) => {
    const choices = [hash, own[at] ?? hash];
    const usable =
      choices.find((each) => seen.has(hexOf(each))) ??
      choices.find((each) => !taken.has(hexOf(each)));
    return usable ?? sha256Bytes(`${crypto.randomUUID()}\0${contents[at]}`);
  });
}

/** What the captures of one call ask of the database before they write, asked once for all of them. */
class Intake {
  readonly #ctx: Context;
  readonly #hashes: Uint8Array[];
  readonly #ids: Map<string, string>;
  #at = 0;
  #unused: string[] = [];

  constructor(ctx: Context, contents: readonly string[]) {
    this.#ctx = ctx;
    this.#hashes = contentHashes(ctx, contents);
    this.#ids = ctx.stores.entries.idsByHash(this.#hashes);
  }

  /** The hash of the content whose turn it is. */
  next(): Uint8Array {
    const hash = this.#hashes[this.#at++];
    if (hash === undefined) throw new Error("More captures than contents.");
    return hash;
  }

  /** The entry with these bytes, also when this call has made it. */
  idOf(hash: Uint8Array): string | undefined {
    return this.#ids.get(hexOf(hash));
  }

  add(hash: Uint8Array, id: string): void {
    this.#ids.set(hexOf(hash), id);
  }

  unusedId(): string {
    for (;;) {
      const id = this.#unused.pop();
      if (id !== undefined) return id;
      this.#unused = this.#drawIds(this.#hashes.length - this.#at + 1);
    }
  }

  /** At most `n`, no two alike, none in use. */
  #drawIds(n: number): string[] {
    const drawn = new Set(Array.from({ length: n }, () => this.#ctx.newId()));
    for (const id of this.#ctx.whole.entries.existing([...drawn])) drawn.delete(id);
    return [...drawn].toReversed();
  }
}

function captureNew(
  ctx: Context,
  content: string,
  hash: Uint8Array,
  options: CaptureOptions,
  id: string,
): Captured {
  const { stores, now } = ctx;
  const { tags, origin, moved } = splitOrigin(stamped(ctx, options.tags ?? []));
  assertTagCount(id, tags);
  const analysed = analyseEntry(content, tags);
  const facts = {
    id,
    content,
    source: options.source ?? null,
    kind: options.kind ?? "episodic",
    status: options.status ?? "draft",
    volatility: options.volatility ?? "state",
    claimTag: options.claimTag ?? "UNKNOWN",
    evidenceRef: options.evidenceRef ?? null,
    importance: options.importance ?? 0,
    exhaust: isExhaust(content, tags, options.source),
    origin,
    actor: ctx.grant.actor,
    occurredAt: options.occurredAt ?? now,
    createdAt: now,
    updatedAt: now,
    textAt: null,
    affirmedAt: null,
    expiresAt: options.expiresAt ?? null,
    revision: 1,
    tokenCount: analysed.tokenCount,
  } as const;
  const rid = stores.entries.insert({
    ...facts,
    ...staleTimes({ ...facts, staleSince: null }, now),
    hash,
  });
  stores.index.insert(rid, analysed);
  stores.tags.add({ rid, id: facts.id, createdAt: now }, tags);
  const links = connectAll(ctx, facts.id, options);
  audit(ctx, "captured", facts.id, links.changed.length > 0 ? { links: links.changed } : undefined);
  links.auditReplaced();
  return { id: facts.id, created: true, warnings: originWarning(moved) };
}

/** Equal bytes: tags and links are added, and what else was asked for is ignored and named ([CAP-8]). */
function captureAgain(ctx: Context, entry: StoredEntry, options: CaptureOptions): Captured {
  const { tags, origin, moved } = splitOrigin(stamped(ctx, options.tags ?? []));
  const warnings = [...ignoredOptions(entry, options), ...standing(ctx, entry)];
  if (mayTag(ctx.grant, { status: statusNow(ctx, entry) })) {
    addTags(ctx, entry, tags, origin);
    warnings.push(...originWarning(moved), ...fullOrigin(entry.origin, origin));
  } else {
    warnings.push(...refusedTags(ctx, entry, tags, origin));
  }
  const links = connectAll(ctx, entry.id, options);
  if (links.changed.length > 0) audit(ctx, "linked", entry.id, { links: links.changed });
  links.auditReplaced();
  return { id: entry.id, created: false, warnings };
}

/** A revision like any change of the entry; the text, and so its age, stays. */
function addTags(
  ctx: Context,
  entry: StoredEntry,
  tags: readonly string[],
  origin: Record<string, string[]>,
): void {
  const { stores, now } = ctx;
  const before = stores.tags.of(entry.rid);
  const after = [...new Set([...before, ...tags])].sort();
  const mergedOrigin = mergeOrigin(entry.origin, origin);
  const originChanged = !sameOrigin(mergedOrigin, entry.origin);
  if (after.length === before.length && !originChanged) return;
  assertTagCount(entry.id, after);

  const revision = entry.revision + 1;
  const changes: Record<string, [unknown, unknown]> = {};
  const added = after.filter((tag) => !before.includes(tag));
  if (added.length > 0) {
    stores.tags.add(entry, added);
    stores.index.replace(entry.rid, analyseEntry(entry.content, after));
    changes["tags"] = [before, after];
  }
  if (originChanged) changes["origin"] = [entry.origin, mergedOrigin];
  stores.entries.save(entry, { ...entry, origin: mergedOrigin, revision, updatedAt: now });
  stores.revisions.add({
    rid: entry.rid,
    revision,
    changes,
    content: null,
    reason: null,
    actor: ctx.grant.actor,
    at: now,
  });
  audit(ctx, "updated", entry.id, { fields: Object.keys(changes) });
}

export function assertTagCount(id: string, tags: readonly string[]): void {
  if (tags.length <= LIMITS.tagsPerEntry) return;
  throw limitExceeded(
    `Entry ${id} would have ${tags.length} tags and ${LIMITS.tagsPerEntry} is the most; replace them with update.`,
    { id, tags: tags.length },
  );
}

function refusedTags(
  ctx: Context,
  entry: StoredEntry,
  tags: readonly string[],
  origin: Record<string, string[]>,
): string[] {
  const has = new Set(ctx.stores.tags.of(entry.rid));
  const hasOrigin = sameOrigin(mergeOrigin(entry.origin, origin), entry.origin);
  if (hasOrigin && tags.every((tag) => has.has(tag))) return [];
  return [
    `tags: not added, because a contributor tags drafts only and the entry is ${statusNow(ctx, entry)}`,
  ];
}

const sameOrigin = (a: Record<string, string[]>, b: Record<string, string[]>) =>
  JSON.stringify(a) === JSON.stringify(b);

function ignoredOptions(entry: StoredEntry, options: CaptureOptions): string[] {
  const names = [
    "source",
    "volatility",
    "kind",
    "status",
    "importance",
    "claimTag",
    "evidenceRef",
    "occurredAt",
    "expiresAt",
  ] as const;
  return names
    .filter((name) => options[name] !== undefined && options[name] !== entry[name])
    .map((name) => `${name}: ignored, the existing entry has ${JSON.stringify(entry[name])}`);
}

function standing(ctx: Context, entry: StoredEntry): string[] {
  const warnings: string[] = [];
  if (statusNow(ctx, entry) === "deprecated") {
    warnings.push("status: the existing entry is deprecated, so recall leaves it out");
  }
  const heads = new Supersession(ctx.stores.edges.above([entry.id], ctx.now)).headsOf(entry.id);
  if (heads.length > 0) {
    warnings.push(`superseded: the existing entry is superseded by ${heads.join(", ")}`);
  }
  return warnings;
}

function originWarning(moved: readonly string[]): string[] {
  return moved.length === 0
    ? []
    : [`tags: ${moved.map((tag) => JSON.stringify(tag)).join(", ")} moved to origin`];
}

function fullOrigin(before: StoredEntry["origin"], asked: StoredEntry["origin"]): string[] {
  const merged = mergeOrigin(before, asked);
  const missing = Object.entries(asked).flatMap(([prefix, values]) =>
    values.filter((value) => !merged[prefix]?.includes(value)),
  );
  return missing.length === 0
    ? []
    : [`tags: origin keeps ${LIMITS.tagsPerEntry} values, so ${missing.length} more are left out`];
}
