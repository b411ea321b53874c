import { DocValues } from "./doc-values.ts";
import { EdgeStore } from "./edges.ts";
import { EntryStore } from "./entries.ts";
import { EventStore } from "./events.ts";
import { ExportReader } from "./export-reader.ts";
import type { PostingsLimits } from "./postings.ts";
import { RecallStore } from "./recalls.ts";
import { RegistrationStore } from "./registration.ts";
import { RevisionStore } from "./revisions.ts";
import { RunStore } from "./runs.ts";
import { SearchIndex } from "./search-index.ts";
import type { Sql } from "./sql.ts";
import { TagStore } from "./tags.ts";
import { VectorStore } from "./vectors.ts";
import { TallyReads, TallyStore } from "./tallies.ts";

/** One store a table; together they hold every SQL statement of the workspace's database. */
export interface Stores {
  docValues: DocValues;
  entries: EntryStore;
  tags: TagStore;
  edges: EdgeStore;
  revisions: RevisionStore;
  recalls: RecallStore;
  events: EventStore;
  exports: ExportReader;
  runs: RunStore;
  registration: RegistrationStore;
  tallies: TallyReads;
  index: SearchIndex;
  vectors: VectorStore;
}

/** The stores of the workspace, and of each scope of it: the entries with all of some tags ([ACC-10]). */
export interface OpenStores extends Stores {
  within(tags: readonly string[]): Stores;
}

export function openStores(sql: Sql, limits?: Partial<PostingsLimits>): OpenStores {
  const tallies = new TallyStore(sql);
  const docValues = new DocValues(sql);
  const index = new SearchIndex(sql, docValues, limits);
  const over = (view: Sql, seen: SearchIndex, counts: TallyReads): Stores => ({
    docValues,
    entries: new EntryStore(view, tallies, docValues),
    tags: new TagStore(view, tallies, index.postings),
    edges: new EdgeStore(view, tallies),
    revisions: new RevisionStore(view),
    recalls: new RecallStore(view),
    events: new EventStore(view),
    exports: new ExportReader(view),
    runs: new RunStore(view),
    registration: new RegistrationStore(view),
    tallies: counts,
    index: seen,
    vectors: new VectorStore(view),
  });
  return {
    ...over(sql, index, tallies),
    // What is written and what memory holds of the workspace is the same; what is read is not.
    within(tags) {
      const view = sql.within(tags);
      const seen = new SearchIndex(view, docValues, limits, { index, tags });
      return over(view, seen, new TallyReads(view));
    },
  };
}
