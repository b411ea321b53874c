import type { ClaimTag, EdgeType } from "../../contracts/index.ts";
import { conflict } from "../../contracts/index.ts";
import { heldBack, type Grounding } from "../retrieval/claims.ts";
import { effectiveStatus } from "../storage/entry-row.ts";
import type { Context } from "./context.ts";
import { supersession } from "./supersession-at.ts";

const DERIVES: ReadonlySet<EdgeType> = new Set(["caused_by", "document_of"]);

/** Whether src of such an edge derives from dst, and so may not claim more ([EVD-1]). */
export const derives = (type: EdgeType) => DERIVES.has(type);

/**
 * What each entry rests on; ids that rest on nothing are left out. A ground that is no longer active bears
 * `UNKNOWN` ([EVD-2]).
 * @param asOf only entries that occurred until then replace
 */
export function groundsOf(
  ctx: Context,
  ids: readonly string[],
  asOf?: number,
): Map<string, Grounding> {
  const result = new Map<string, Grounding>();
  const grounds = ctx.stores.edges.grounds(ids);
  if (grounds.length === 0) return result;
  const contested = grounds.filter((each) => each.contested === 1).map((each) => each.ground);
  const standing = supersession(ctx, [...new Set(contested)], asOf);
  for (const { id, ground, ...row } of grounds) {
    const grounding = result.get(id) ?? { superseded: [], bears: [] };
    result.set(id, grounding);
    const superseded = standing.isSuperseded(ground);
    if (superseded) grounding.superseded.push(ground);
    if (row.derived === 0) continue;
    const active =
      !superseded && effectiveStatus(row.status, row.expiresAt, ctx.now) !== "deprecated";
    grounding.bears.push({ ground, claimTag: active ? row.claimTag : "UNKNOWN" });
  }
  return result;
}

/**
 * Refuses a claim that what the entry derives from does not bear ([EVD-1]).
 * @throws MiniSphereError `conflict`
 */
export function assertBorne(ctx: Context, { id, claimTag }: Claimant): void {
  if (claimTag === "UNKNOWN") return;
  const grounding = groundsOf(ctx, [id]).get(id);
  if (grounding === undefined) return;
  const { effectiveClaim, restsOnWeaker } = heldBack(claimTag, grounding);
  if (effectiveClaim === undefined || restsOnWeaker === undefined) return;
  const more = restsOnWeaker.length > 3 ? ` and ${restsOnWeaker.length - 3} more` : "";
  throw conflict(
    `Entry ${id} cannot claim ${claimTag}, because what it derives from bears ${effectiveClaim}: ` +
      `make ${restsOnWeaker.slice(0, 3).join(", ")}${more} current and ${claimTag} first, or claim ${effectiveClaim}.`,
    { id, claimTag: effectiveClaim, grounds: restsOnWeaker.slice(0, 10) },
  );
}

interface Claimant {
  id: string;
  claimTag: ClaimTag;
}
