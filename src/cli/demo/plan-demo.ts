import type { Documents } from "./documents.ts";
import type { Commit } from "../../importers/git-history.ts";
import type { Plan } from "../../importers/plan.ts";
import { planCommits } from "../../importers/plan-commits.ts";
import { planDocuments } from "./plan-documents.ts";

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
