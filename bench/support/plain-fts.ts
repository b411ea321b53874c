/** The two baselines of data/README: one FTS5 table each, OR of quoted words, stop words out, by rank. */
const STOP_WORDS = new Set(
  `a about above after again against all am an and any are as at be because been before being below between
  both but by can could did do does doing down during each few for from further had has have having he her
  here hers herself him himself his how i if in into is it its itself just me more most my myself no nor not
  now of off on once only or other our ours ourselves out over own same she should so some such than that the
  their theirs them themselves then there these they this those through to too under until up very was we were
  what when where which while who whom why will with would you your yours yourself yourselves`.split(
    /\s+/,
  ),
);

export class PlainFts {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(
      `CREATE VIRTUAL TABLE IF NOT EXISTS plain_exact USING fts5 (text, id UNINDEXED)`,
    );
    this.#sql.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS plain_porter USING fts5 (text, id UNINDEXED,
      tokenize = 'porter unicode61')`);
  }

  add(id: string, text: string): void {
    this.#sql.exec("INSERT INTO plain_exact (text, id) VALUES (?, ?)", text, id);
    this.#sql.exec("INSERT INTO plain_porter (text, id) VALUES (?, ?)", text, id);
  }

  search(engine: "exact" | "porter", query: string, limit: number): string[] {
    const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    const kept = words.filter((word) => !STOP_WORDS.has(word));
    const used = [...new Set(kept.length > 0 ? kept : words)];
    if (used.length === 0) return [];
    const match = used.map((word) => `"${word}"`).join(" OR ");
    const rows =
      engine === "exact"
        ? this.#sql.exec(
            "SELECT id FROM plain_exact WHERE plain_exact MATCH ? ORDER BY rank LIMIT ?",
            match,
            limit,
          )
        : this.#sql.exec(
            "SELECT id FROM plain_porter WHERE plain_porter MATCH ? ORDER BY rank LIMIT ?",
            match,
            limit,
          );
    return rows.toArray().map((row) => String(row["id"]));
  }
}
