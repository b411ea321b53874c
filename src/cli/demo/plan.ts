import type { Arguments } from "../../../contracts/inputs.ts";
import type { EdgeType } from "../../../contracts/vocabulary.ts";
import type { Documents } from "./documents.ts";
import type { Commit } from "./git-history.ts";
import { planCommits } from "./plan-commits.ts";
import { planDocuments } from "./plan-documents.ts";

export type CaptureItem = Arguments<"captureMany">[0][number];

/** An entry to capture, under a name that the edges of the plan use until it has an id. */
export interface PlannedEntry {
  key: string;
  item: CaptureItem;
}

export interface PlannedEdge {
  src: string;
  dst: string;
  type: EdgeType;
}

export interface Plan {
  entries: PlannedEntry[];
  edges: PlannedEdge[];
}

export const PROJECT = "project";

/**
 * What the demo workspace holds: a project, its commits and its documents, as entries and edges. Pure: the
 * same input gives the same plan, byte for byte, which is why filling twice adds nothing.
 */
export function planDemo(commits: readonly Commit[], documents: Documents): Plan {
  const parts = [planDocuments(documents, commits), planCommits(commits)];
  const entries = parts.flatMap((part) => part.entries);
  const known = new Set(entries.map((entry) => entry.key));
  const edges = parts
    .flatMap((part) => part.edges)
    .filter((edge) => edge.src !== edge.dst && known.has(edge.src) && known.has(edge.dst));
  return { entries, edges };
}
