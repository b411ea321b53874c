import init from "./0001_init.sql";
import docValues from "./0002_doc_values.sql";
import fewerRows from "./0003_fewer_rows.sql";
import vectors from "./0004_vectors.sql";

export interface Migration {
  /** 1, 2, 3 … without gaps; the number in the file's name. */
  id: number;
  name: string;
  sql: string;
}

/** Append-only: an applied migration is never edited ([STO-4]). */
export const MIGRATIONS: readonly Migration[] = [
  { id: 1, name: "0001_init", sql: init },
  { id: 2, name: "0002_doc_values", sql: docValues },
  { id: 3, name: "0003_fewer_rows", sql: fewerRows },
  { id: 4, name: "0004_vectors", sql: vectors },
];
