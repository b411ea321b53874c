import { CLAIM_TAGS, type ClaimTag } from "../../contracts/vocabulary.ts";

/** What an entry rests on within 2 hops, as it stands at the time of the call ([SUP-6], [EVD-2]). */
export interface Grounding {
  /** Superseded grounds, in ascending order. */
  superseded: string[];
  /** What each entry that it derives from bears, in ascending order of ids. */
  bears: { ground: string; claimTag: ClaimTag }[];
}

/** `CLAIM_TAGS` is strongest first. */
export const claimsMore = (a: ClaimTag, b: ClaimTag) =>
  CLAIM_TAGS.indexOf(a) < CLAIM_TAGS.indexOf(b);

/** What a claim is worth where its grounds bear less ([EVD-2]); nothing where they bear it. */
export function heldBack(
  claimTag: ClaimTag,
  { bears }: Pick<Grounding, "bears">,
): { effectiveClaim?: ClaimTag; restsOnWeaker?: string[] } {
  const weaker = bears.filter((each) => claimsMore(claimTag, each.claimTag));
  if (weaker.length === 0) return {};
  const effectiveClaim = weaker
    .map((each) => each.claimTag)
    .reduce((a, b) => (claimsMore(a, b) ? b : a));
  return { effectiveClaim, restsOnWeaker: weaker.map((each) => each.ground) };
}
