import { PlainFts } from "../../support/plain-fts.ts";

/** The least that a store of searchable texts can do: a row, and its words in one FTS5 table. */
export class BareStore {
  readonly #storage: DurableObjectStorage;
  readonly #index: PlainFts;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#index = new PlainFts(storage, ["exact"]);
    storage.sql.exec(
      `CREATE TABLE IF NOT EXISTS bare_entries (n INTEGER PRIMARY KEY, id TEXT NOT NULL, content TEXT NOT NULL)`,
    );
  }

  addMany(entries: readonly { id: string; content: string }[]): void {
    this.#storage.transactionSync(() => {
      for (const { id, content } of entries) {
        this.#storage.sql.exec("INSERT INTO bare_entries (id, content) VALUES (?, ?)", id, content);
        this.#index.add(id, content);
      }
    });
  }

  search(query: string, limit: number): string[] {
    return this.#index.search("exact", query, limit);
  }
}
