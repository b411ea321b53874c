import { EdgeStore } from "./edges.ts";
import { EntryStore } from "./entries.ts";
import { EventStore } from "./events.ts";
import { RecallStore } from "./recalls.ts";
import { RevisionStore } from "./revisions.ts";
import { RunStore } from "./runs.ts";
import { SearchIndex } from "./search-index.ts";
import type { Sql } from "./sql.ts";
import { TagStore } from "./tags.ts";
import { TallyStore } from "./tallies.ts";

/** One store a table; together they hold every SQL statement of the workspace's database. */
export interface Stores {
  entries: EntryStore;
  tags: TagStore;
  edges: EdgeStore;
  revisions: RevisionStore;
  recalls: RecallStore;
  events: EventStore;
  runs: RunStore;
  tallies: TallyStore;
  index: SearchIndex;
}

export function openStores(sql: Sql): Stores {
  return {
    entries: new EntryStore(sql),
    tags: new TagStore(sql),
    edges: new EdgeStore(sql),
    revisions: new RevisionStore(sql),
    recalls: new RecallStore(sql),
    events: new EventStore(sql),
    runs: new RunStore(sql),
    tallies: new TallyStore(sql),
    index: new SearchIndex(sql),
  };
}
