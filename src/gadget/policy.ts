import type {
  ChangeOptions,
  Edge,
  EdgeType,
  Grant,
  LinkOptions,
  Method,
  Status,
} from "../../contracts/index.ts";
import {
  METHODS_BY_ROLE,
  SCOPED_METHODS,
  endedCapability,
  forbidden,
  forbiddenMethod,
} from "../../contracts/index.ts";

/*
 * What a role may do beyond having the method ([ACC-5] to [ACC-7]). The capability classes leave out what a
 * role lacks; the object checks again, because a grant is only data by the time it arrives here.
 */

/** Typed as a string on purpose: the method of a call is not known to exist yet. */
export function assertMayCall(grant: Grant, method: string, now: number): asserts method is Method {
  if (grant.until !== undefined && now >= grant.until) throw endedCapability(grant.until);
  const allowed: readonly string[] | undefined = METHODS_BY_ROLE[grant.role];
  const scoped: readonly string[] = SCOPED_METHODS;
  if (!allowed?.includes(method)) throw forbiddenMethod(method);
  if (grant.tags !== undefined && !scoped.includes(method)) throw forbiddenMethod(method);
}

const proposesOnly = (grant: Grant) => grant.role === "contributor";

/** A contributor's entries are drafts; asking for more is refused, never downgraded. */
export function assertMayAssert(grant: Grant, status: Status | undefined): void {
  if (proposesOnly(grant) && status !== undefined && status !== "draft") {
    throw forbidden(
      `A contributor proposes drafts; status "${status}" needs a curator, so leave status out to propose.`,
      { status },
    );
  }
}

export function assertMayAppend(grant: Grant, entry: { id: string; status: Status }): void {
  if (proposesOnly(grant) && entry.status !== "draft") {
    throw forbidden(
      `A contributor appends to drafts only; entry ${entry.id} is ${entry.status}, so capture a draft and link it.`,
      { id: entry.id, status: entry.status },
    );
  }
}

/** What another actor's draft is and claims is not a contributor's to change; its text may be added to. */
export function assertMayReclassify(
  grant: Grant,
  entry: { id: string; actor: string },
  options: ChangeOptions,
): void {
  if (!proposesOnly(grant) || entry.actor === grant.actor) return;
  const { tags: _tags, ifRevision: _ifRevision, ...rest } = options;
  const option = Object.entries(rest).find(([, value]) => value !== undefined)?.[0];
  if (option === undefined) return;
  throw forbidden(
    `A contributor adds text and tags to the draft of another actor, not ${option}; entry ${entry.id} is ${entry.actor}'s.`,
    { id: entry.id, option },
  );
}

interface LinkEnd {
  id: string;
  status: Status;
  actor: string;
}

/**
 * A contributor's draft proposes to replace what is canonical, and replaces drafts at once; so it may not take
 * another's draft away, nor make one propose what its actor did not ([ACC-6]).
 */
export function assertMayLink(grant: Grant, type: EdgeType, src: LinkEnd, dst: LinkEnd): void {
  if (!proposesOnly(grant) || type !== "supersedes") return;
  const foreign = ({ actor }: LinkEnd) => actor !== grant.actor;
  if (src.status !== "draft" || foreign(src)) {
    throw forbidden(
      `A contributor may link supersedes from its own drafts only; entry ${src.id} is ${src.status}, by ${src.actor}.`,
      { id: src.id, status: src.status },
    );
  }
  if (dst.status === "draft" && foreign(dst)) {
    throw forbidden(
      `A contributor does not supersede the draft of another actor; entry ${dst.id} is ${dst.actor}'s, so link relates_to.`,
      { id: dst.id, status: dst.status },
    );
  }
}

/** What an entry derives from bounds what it may claim: a contributor says so of its own drafts only ([EVD-4]). */
export function assertMayDerive(grant: Grant, src: LinkEnd): void {
  if (!proposesOnly(grant) || (src.status === "draft" && src.actor === grant.actor)) return;
  throw forbidden(
    `A contributor may say of its own drafts only what they derive from; entry ${src.id} is ${src.status}, by ${src.actor}, so link relates_to.`,
    { id: src.id, status: src.status },
  );
}

/** Metadata that somebody put on an edge is not a contributor's to replace ([ACC-6]). */
export function assertMayReplaceMetadata(grant: Grant, edge: Edge, options: LinkOptions): void {
  if (!proposesOnly(grant) || options.metadata === undefined || edge.metadata === null) return;
  if (JSON.stringify(edge.metadata) === JSON.stringify(options.metadata)) return;
  throw forbidden(
    `A contributor does not replace the metadata of an edge; link ${edge.src} to ${edge.dst} without metadata.`,
    { src: edge.src, dst: edge.dst, type: edge.type },
  );
}

/** Equal bytes of a contributor tag a draft only ([ACC-6]). */
export const mayTag = (grant: Grant, entry: { status: Status }) =>
  !proposesOnly(grant) || entry.status === "draft";

/** Reading must not be a way to influence ranking ([ACC-7]). */
export const observes = (grant: Grant) => grant.role === "reader";
