import type { Sql } from "./sql.ts";

/** The tags table: stored normalised ([TAG-1]); counts per tag are tallies kept by triggers. */
export class TagStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  of(rid: number): string[] {
    return this.#sql
      .all<{ tag: string }>("SELECT tag FROM tags WHERE rid = ? ORDER BY tag", rid)
      .map((row) => row.tag);
  }

  add(rid: number, tags: readonly string[]): void {
    if (tags.length === 0) return;
    this.#sql.run(
      "INSERT INTO tags (tag, rid) SELECT value, ?1 FROM json_each(?2) WHERE true ON CONFLICT DO NOTHING",
      rid,
      JSON.stringify(tags),
    );
  }

  remove(rid: number, tags: readonly string[]): void {
    if (tags.length === 0) return;
    this.#sql.run(
      "DELETE FROM tags WHERE rid = ?1 AND tag IN (SELECT value FROM json_each(?2))",
      rid,
      JSON.stringify(tags),
    );
  }
}
