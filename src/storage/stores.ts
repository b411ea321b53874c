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
import { TallyStore } from "./tallies.ts";
import { VectorStore } from "./vectors.ts";

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
  tallies: TallyStore;
  index: SearchIndex;
  vectors: VectorStore;
}

export function openStores(sql: Sql, limits?: Partial<PostingsLimits>): Stores {
  const tallies = new TallyStore(sql);
  const docValues = new DocValues(sql);
  const index = new SearchIndex(sql, docValues, limits);
  return {
    docValues,
    entries: new EntryStore(sql, tallies, docValues),
    tags: new TagStore(sql, tallies, index.postings),
    edges: new EdgeStore(sql, tallies),
    revisions: new RevisionStore(sql),
    recalls: new RecallStore(sql),
    events: new EventStore(sql),
    exports: new ExportReader(sql),
    runs: new RunStore(sql),
    registration: new RegistrationStore(sql),
    tallies,
    index,
    vectors: new VectorStore(sql),
  };
}
