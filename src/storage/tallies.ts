import { EDGE_TYPES } from "../../contracts/index.ts";
import type { ClaimTag, EdgeType, Kind, Status, Volatility } from "../../contracts/index.ts";
import type { Sql } from "./sql.ts";

/** What an entry is counted by. */
export interface Counted {
  kind: Kind;
  status: Status;
  volatility: Volatility;
  claimTag: ClaimTag;
  tokenCount: number;
}

export interface EntryTally extends Omit<Counted, "tokenCount"> {
  n: number;
  /** Sum of their token counts. */
  tokens: number;
}

/** The stored row. Entries: kind|status|volatility|claim tag → entries and tokens, at most 81 of them. */
interface Totals {
  entries: Record<string, [n: number, tokens: number]>;
  edges: Partial<Record<EdgeType, number>>;
  /** Tags in use. */
  tags: number;
}

/** Reads of the counts; within a scope, of what stands in it. */
export class TallyReads {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** At most 81: one for each combination in use. */
  entries(): EntryTally[] {
    return Object.entries(this.totals().entries).map(([key, [n, tokens]]) => {
      const [kind, status, volatility, claimTag] = key.split("|") as [
        Kind,
        Status,
        Volatility,
        ClaimTag,
      ];
      return { kind, status, volatility, claimTag, n, tokens };
    });
  }

  /** Entries and the average of their token counts; what BM25 knows of the corpus. */
  corpus(): { entryCount: number; averageTokens: number } {
    let entryCount = 0;
    let sum = 0;
    for (const [n, tokens] of Object.values(this.totals().entries)) {
      entryCount += n;
      sum += tokens;
    }
    return { entryCount, averageTokens: entryCount === 0 ? 0 : sum / entryCount };
  }

  edges(): Record<EdgeType, number> {
    const { edges } = this.totals();
    return Object.fromEntries(EDGE_TYPES.map((type) => [type, edges[type] ?? 0])) as Record<
      EdgeType,
      number
    >;
  }

  /** Most used first; equal counts by tag. As written. */
  tags(): { tag: string; count: number }[] {
    return this.#sql.all("SELECT tag, n AS count FROM tag_counts ORDER BY n DESC, tag");
  }

  /** As written. */
  tagCount(): number {
    return this.totals().tags;
  }

  protected totals(): Totals {
    const row = this.#sql.one<{ counts: string }>("SELECT counts FROM totals WHERE one = 1");
    return JSON.parse(row.counts) as Totals;
  }
}

/**
 * Counts, so that nothing has to count rows. The stores of entries, tags and edges hand over what they change;
 * here it adds up in memory, and is written at the end of the transaction: one row for entries and edges however
 * many there were, and one a tag. Reads of entries and edges add what is not written yet.
 */
export class TallyStore extends TallyReads {
  readonly #sql: Sql;
  #entries = new Map<string, { n: number; tokens: number }>();
  #edges = new Map<EdgeType, number>();
  #tags = new Map<string, number>();

  constructor(sql: Sql) {
    super(sql);
    this.#sql = sql;
    sql.beforeCommit(() => this.#flush());
    sql.onRollback(() => this.#forget());
  }

  /** @param n 1 for an entry that is there now, −1 for one that no longer is (or no longer so) */
  addEntry(entry: Counted, n: 1 | -1): void {
    const key = `${entry.kind}|${entry.status}|${entry.volatility}|${entry.claimTag}`;
    const known = this.#entries.get(key) ?? { n: 0, tokens: 0 };
    this.#entries.set(key, { n: known.n + n, tokens: known.tokens + n * entry.tokenCount });
  }

  addEdges(type: EdgeType, n: number): void {
    this.#edges.set(type, (this.#edges.get(type) ?? 0) + n);
  }

  addTags(tags: readonly string[], n: 1 | -1): void {
    for (const tag of tags) this.#tags.set(tag, (this.#tags.get(tag) ?? 0) + n);
  }

  protected override totals(): Totals {
    const totals = super.totals();
    for (const [key, added] of this.#entries) {
      const [n, tokens] = totals.entries[key] ?? [0, 0];
      if (n + added.n === 0) delete totals.entries[key];
      else totals.entries[key] = [n + added.n, tokens + added.tokens];
    }
    for (const [type, added] of this.#edges) {
      const n = (totals.edges[type] ?? 0) + added;
      if (n === 0) delete totals.edges[type];
      else totals.edges[type] = n;
    }
    return totals;
  }

  #flush(): void {
    const begun = this.#flushTags();
    if (begun !== 0 || this.#moved()) {
      const { tags, ...rest } = this.totals();
      this.#sql.run(
        "UPDATE totals SET counts = ? WHERE one = 1",
        JSON.stringify({ ...rest, tags: tags + begun }),
      );
    }
    this.#forget();
  }

  #moved(): boolean {
    return (
      [...this.#entries.values()].some(({ n, tokens }) => n !== 0 || tokens !== 0) ||
      [...this.#edges.values()].some((n) => n !== 0)
    );
  }

  /** Returns how many tags more are in use than before. */
  #flushTags(): number {
    const added = [...this.#tags].filter(([, n]) => n !== 0);
    if (added.length === 0) return 0;
    const rows = this.#sql.all<{ tag: string; n: number }>(
      `INSERT INTO tag_counts (tag, n) SELECT value ->> 0, value ->> 1 FROM json_each(?) WHERE true
       ON CONFLICT DO UPDATE SET n = n + excluded.n RETURNING tag, n`,
      JSON.stringify(added),
    );
    const unused = rows.filter(({ n }) => n === 0).map(({ tag }) => tag);
    if (unused.length > 0) {
      this.#sql.run(
        "DELETE FROM tag_counts WHERE tag IN (SELECT value FROM json_each(?))",
        JSON.stringify(unused),
      );
    }
    const begun = rows.filter(({ tag, n }) => n === this.#tags.get(tag)).length;
    return begun - unused.length;
  }

  #forget(): void {
    this.#entries = new Map();
    this.#edges = new Map();
    this.#tags = new Map();
  }
}
