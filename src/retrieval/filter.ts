import type { Kind, RecallOptions, Status } from "../../contracts/index.ts";
import type { DocFacts, Found, SupersessionView } from "./deps.ts";
import type { PostingList } from "../lib/packed-counts.ts";

/** What a caller wants to see ([REC-6], [REC-8]). `undefined` allows any; times are ms, both ends inclusive. */
export interface RecallFilter {
  tag?: string | undefined;
  kind?: Kind | undefined;
  status?: Status | undefined;
  since?: number | undefined;
  /** Never after `asOf`. */
  until?: number | undefined;
  /** Only what happened until then replaces ([REC-21]). */
  asOf?: number | undefined;
  /** Deprecated and superseded entries too. */
  includeInactive: boolean;
  includeExhaust: boolean;
}

export function toFilter(options: RecallOptions): RecallFilter {
  const { tag, kind, status, since, until, asOf } = options;
  return {
    tag,
    kind,
    status,
    since,
    until: asOf === undefined ? until : Math.min(asOf, until ?? asOf),
    asOf,
    includeInactive: options.includeInactive === true || status === "deprecated",
    includeExhaust: options.includeExhaust === true,
  };
}

/** An entry as a filter sees it. */
export type Filtered = Pick<Found, "doc" | "kind" | "status" | "exhaust" | "occurredAt"> & {
  id: string;
};

/** Which entries have a tag, by internal number. */
export type HasTag = (doc: number) => boolean;

export function hasTag(tagged: PostingList, size: number): HasTag {
  const has = new Uint8Array(size);
  for (let at = 0; at < tagged.length; at++) has[tagged.docs[at] ?? 0] = 1;
  return (doc) => has[doc] === 1;
}

/** Stage 6: what every arm asks before it lets an entry in. */
export function passes(
  facts: Filtered,
  filter: RecallFilter,
  supersession: SupersessionView,
  tagged: HasTag,
): boolean {
  return (
    (filter.includeInactive || isActive(facts, supersession)) &&
    (filter.includeExhaust || !facts.exhaust) &&
    (filter.tag === undefined || tagged(facts.doc)) &&
    (filter.kind === undefined || facts.kind === filter.kind) &&
    (filter.status === undefined || facts.status === filter.status) &&
    (filter.since === undefined || facts.occurredAt >= filter.since) &&
    (filter.until === undefined || facts.occurredAt <= filter.until)
  );
}

/** What is deprecated only since a later entry replaced it was current as of then ([REC-22]). */
function isActive({ id, status }: Filtered, supersession: SupersessionView): boolean {
  return (
    !supersession.isSuperseded(id) && (status !== "deprecated" || supersession.isReplacedLater(id))
  );
}

/**
 * What of a filter can be told from memory, posting by posting: lets in all that `passes` would, and of others
 * only what expired, was superseded, or counts otherwise as of a time.
 */
export function admission(
  facts: DocFacts,
  filter: RecallFilter,
  tagged: HasTag,
): (doc: number) => boolean {
  const { kind, since = 0, until = Number.MAX_SAFE_INTEGER } = filter;
  const admitsStatus = (doc: number) => {
    if (filter.asOf !== undefined || facts.mayExpire(doc)) return true;
    const status = facts.status(doc);
    return filter.status === undefined
      ? filter.includeInactive || status !== "deprecated"
      : status === filter.status;
  };
  return (doc) =>
    (filter.includeExhaust || !facts.exhaust(doc)) &&
    (filter.tag === undefined || tagged(doc)) &&
    (kind === undefined || facts.kind(doc) === kind) &&
    facts.occurredAt(doc) >= since &&
    facts.occurredAt(doc) <= until &&
    admitsStatus(doc);
}
