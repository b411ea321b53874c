import { plainMatch } from "./plain-words.ts";

const TABLES = {
  exact: "CREATE VIRTUAL TABLE IF NOT EXISTS plain_exact USING fts5 (text, id UNINDEXED)",
  porter: `CREATE VIRTUAL TABLE IF NOT EXISTS plain_porter USING fts5 (text, id UNINDEXED,
    tokenize = 'porter unicode61')`,
} as const;

const INSERTS = {
  exact: "INSERT INTO plain_exact (text, id) VALUES (?, ?)",
  porter: "INSERT INTO plain_porter (text, id) VALUES (?, ?)",
} as const;

const SEARCHES = {
  exact: "SELECT id FROM plain_exact WHERE plain_exact MATCH ? ORDER BY rank LIMIT ?",
  porter: "SELECT id FROM plain_porter WHERE plain_porter MATCH ? ORDER BY rank LIMIT ?",
} as const;

type PlainEngine = "exact" | "porter";

/** The two baselines of data/README: one FTS5 table each, OR of quoted words, stop words out, by rank. */
export class PlainFts {
  readonly #sql: SqlStorage;
  readonly #engines: readonly PlainEngine[];

  constructor(
    storage: DurableObjectStorage,
    engines: readonly PlainEngine[] = ["exact", "porter"],
  ) {
    this.#sql = storage.sql;
    this.#engines = engines;
    for (const engine of engines) this.#sql.exec(TABLES[engine]);
  }

  add(id: string, text: string): void {
    for (const engine of this.#engines) this.#sql.exec(INSERTS[engine], text, id);
  }

  search(engine: PlainEngine, query: string, limit: number): string[] {
    const match = plainMatch(query);
    if (match === null) return [];
    const rows = this.#sql.exec(SEARCHES[engine], match, limit);
    return rows.toArray().map((row) => String(row["id"]));
  }
}
