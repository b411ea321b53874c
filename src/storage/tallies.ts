import { EDGE_TYPES } from "../../contracts/index.ts";
import type { ClaimTag, EdgeType, Kind, Status, Volatility } from "../../contracts/index.ts";
import type { Sql } from "./sql.ts";

export interface EntryTally {
  kind: Kind;
  status: Status;
  volatility: Volatility;
  claimTag: ClaimTag;
  n: number;
  /** Sum of their token counts. */
  tokens: number;
}

/** Counts that triggers keep (see the migration): reading them costs rows by answer, not by entries. */
export class TallyStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** At most 81 rows: one for each combination in use. */
  entries(): EntryTally[] {
    return this.#sql
      .all<{ key: string; n: number; tokens: number }>(
        "SELECT key, n, tokens FROM tallies WHERE what = 'entry' ORDER BY key",
      )
      .map(({ key, n, tokens }) => {
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
    const { n, tokens } = this.#sql.one<{ n: number; tokens: number }>(
      "SELECT coalesce(sum(n), 0) AS n, coalesce(sum(tokens), 0) AS tokens FROM tallies WHERE what = 'entry'",
    );
    return { entryCount: n, averageTokens: n === 0 ? 0 : tokens / n };
  }

  /** Most used first; equal counts by tag. */
  tags(): { tag: string; count: number }[] {
    return this.#sql.all(
      "SELECT key AS tag, n AS count FROM tallies WHERE what = 'tag' ORDER BY n DESC, key",
    );
  }

  tagCount(): number {
    return this.#sql.one<{ n: number }>("SELECT count(*) AS n FROM tallies WHERE what = 'tag'").n;
  }

  edges(): Record<EdgeType, number> {
    const rows = this.#sql.all<{ key: EdgeType; n: number }>(
      "SELECT key, n FROM tallies WHERE what = 'edge'",
    );
    const count = new Map(rows.map((row) => [row.key, row.n]));
    return Object.fromEntries(EDGE_TYPES.map((type) => [type, count.get(type) ?? 0])) as Record<
      EdgeType,
      number
    >;
  }
}
