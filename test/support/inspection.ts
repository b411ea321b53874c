/** A change of an entry, as it is stored. */
export interface StoredRevision {
  id: string;
  revision: number;
  /** JSON: field → [before, after]. */
  changes: string;
  /** The text before the change; null when it did not change. */
  content: string | null;
}

/** What the back door of `inspected-worker.ts` tells of a workspace's database. */
export interface Inspection {
  /** The parts of the invariant ([ANA-7]) that do not hold. */
  broken: string[];
  entries: { id: string; revision: number; status: string; content: string }[];
  /** By entry, then by revision. */
  revisions: StoredRevision[];
  edges: { src: string; dst: string; type: string }[];
}
