import type { DatabaseSync } from "node:sqlite";

/** As much of a Durable Object's storage as reading a database takes, over a file that no object has open. */
export function asStorage(database: DatabaseSync): object {
  const sql = {
    exec(query: string, ...bindings: (string | number | null)[]) {
      const rows = database.prepare(query).all(...bindings);
      return { toArray: () => rows.map((row) => ({ ...row })), rowsRead: 0, rowsWritten: 0 };
    },
  };
  return { sql };
}
