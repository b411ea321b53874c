/** The closed sets of the contract, section 2. Each value is a word of the public surface. */

export const KINDS = ["episodic", "semantic", "instruction"] as const;
export type Kind = (typeof KINDS)[number];

export const STATUSES = ["canonical", "draft", "deprecated"] as const;
export type Status = (typeof STATUSES)[number];

export const VOLATILITIES = ["durable", "state", "volatile"] as const;
export type Volatility = (typeof VOLATILITIES)[number];

export const CLAIM_TAGS = ["VERIFIED", "INFERRED", "UNKNOWN"] as const;
export type ClaimTag = (typeof CLAIM_TAGS)[number];

/** Strongest first: linking the same edge again keeps the stronger one ([LNK-3]). */
export const PROVENANCES = ["explicit", "inferred", "system"] as const;
export type Provenance = (typeof PROVENANCES)[number];

export const EDGE_TYPES = [
  "relates_to",
  "supersedes",
  "caused_by",
  "decided",
  "about_person",
  "part_of_project",
  "follows",
  "document_of",
] as const;
export type EdgeType = (typeof EDGE_TYPES)[number];

/** Which kinds may stand at each end of an edge ([EDG-2]). `same` means: the kind of the other end. */
export interface EdgeRule {
  readonly symmetric: boolean;
  readonly src: readonly Kind[];
  readonly dst: readonly Kind[] | "same";
}

export const EDGE_RULES: Readonly<Record<EdgeType, EdgeRule>> = {
  relates_to: { symmetric: true, src: KINDS, dst: KINDS },
  supersedes: { symmetric: false, src: KINDS, dst: "same" },
  caused_by: { symmetric: false, src: KINDS, dst: KINDS },
  decided: { symmetric: false, src: ["episodic"], dst: KINDS },
  about_person: { symmetric: false, src: KINDS, dst: ["semantic"] },
  part_of_project: { symmetric: false, src: KINDS, dst: ["semantic"] },
  follows: { symmetric: false, src: ["episodic"], dst: ["episodic"] },
  document_of: { symmetric: false, src: ["semantic"], dst: KINDS },
};

export const DIRECTIONS = ["out", "in", "both"] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** Why a recall came back empty ([REC-14]). */
export const EMPTY_REASONS = ["empty_workspace", "no_terms", "no_match", "all_filtered"] as const;
export type EmptyReason = (typeof EMPTY_REASONS)[number];

/** What an agent may hold. A capability is the permission; its role fixes which methods exist on it. */
export const ROLES = ["reader", "contributor", "curator", "maintainer", "owner"] as const;
export type Role = (typeof ROLES)[number];
