import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { plainMatch } from "../../support/plain-words.ts";
import type { Engine } from "./engine.ts";

/** The plain query of the bench's object, in Node's own SQLite, over a file. */
export function nodeSqlite(): Engine {
  const directory = mkdtempSync(path.join(tmpdir(), "mini-sphere-speed-"));
  const database = new DatabaseSync(path.join(directory, "plain.sqlite"));
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("CREATE VIRTUAL TABLE plain USING fts5 (text, id UNINDEXED)");
  const insert = database.prepare("INSERT INTO plain (text, id) VALUES (?, ?)");
  const select = database.prepare("SELECT id FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT ?");
  return {
    add(documents) {
      database.exec("BEGIN");
      for (const { id, content } of documents) insert.run(content, id);
      database.exec("COMMIT");
    },
    search(query, limit) {
      const match = plainMatch(query);
      return match === null ? [] : select.all(match, limit).map((row) => Number(row["id"]));
    },
    close() {
      database.close();
      rmSync(directory, { recursive: true });
    },
  };
}
