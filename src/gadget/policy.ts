import type { EdgeType, Grant, Method, Status } from "../../contracts/index.ts";
import { METHODS_BY_ROLE, forbidden, forbiddenMethod } from "../../contracts/index.ts";

/*
 * What a role may do beyond having the method ([ACC-5] to [ACC-7]). The capability classes leave out what a
 * role lacks; the object checks again, because a grant is only data by the time it arrives here.
 */

/** Typed as a string on purpose: the method of a call is not known to exist yet. */
export function assertMayCall(grant: Grant, method: string): asserts method is Method {
  const allowed: readonly string[] | undefined = METHODS_BY_ROLE[grant.role];
  if (!allowed?.includes(method)) throw forbiddenMethod(method);
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

/** Replacing something is a proposal as long as what replaces it is a draft ([ACC-6]). */
export function assertMayLink(
  grant: Grant,
  type: EdgeType,
  src: { id: string; status: Status },
): void {
  if (proposesOnly(grant) && type === "supersedes" && src.status !== "draft") {
    throw forbidden(
      `A contributor may link supersedes from a draft only; entry ${src.id} is ${src.status}.`,
      { id: src.id, status: src.status },
    );
  }
}

/** Equal bytes of a contributor tag a draft only ([ACC-6]). */
export const mayTag = (grant: Grant, entry: { status: Status }) =>
  !proposesOnly(grant) || entry.status === "draft";

/** Reading must not be a way to influence ranking ([ACC-7]). */
export const observes = (grant: Grant) => grant.role === "reader";
