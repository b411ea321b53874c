import type { Postings } from "./postings.ts";
import type { Sql } from "./sql.ts";

/** The tags table: stored normalised ([TAG-1]); counts per tag are tallies kept by triggers. */
export class TagStore {
  readonly #sql: Sql;
  readonly #postings: Postings;

  constructor(sql: Sql, postings: Postings) {
    this.#sql = sql;
    this.#postings = postings;
  }

  of(rid: number): string[] {
    return this.#sql
      .all<{ tag: string }>("SELECT tag FROM tags WHERE rid = ? ORDER BY tag", rid)
      .map((row) => row.tag);
  }

  /** Sorted, by rid; entries without tags are left out. */
  ofEach(rids: readonly number[]): Map<number, string[]> {
    if (rids.length === 0) return new Map();
    const rows = this.#sql.all<{ rid: number; tag: string }>(
      `SELECT t.rid, t.tag FROM json_each(?) AS j CROSS JOIN tags AS t ON t.rid = j.value
       ORDER BY t.rid, t.tag`,
      JSON.stringify(rids),
    );
    const byRid = Map.groupBy(rows, (row) => row.rid);
    return new Map([...byRid].map(([rid, all]) => [rid, all.map((row) => row.tag)]));
  }

  add(rid: number, tags: readonly string[]): void {
    if (tags.length === 0) return;
    this.#sql.run(
      "INSERT INTO tags (tag, rid) SELECT value, ?1 FROM json_each(?2) WHERE true ON CONFLICT DO NOTHING",
      rid,
      JSON.stringify(tags),
    );
    for (const tag of tags) this.#postings.tagAdded(rid, tag);
  }

  remove(rid: number, tags: readonly string[]): void {
    if (tags.length === 0) return;
    this.#sql.run(
      "DELETE FROM tags WHERE rid = ?1 AND tag IN (SELECT value FROM json_each(?2))",
      rid,
      JSON.stringify(tags),
    );
    for (const tag of tags) this.#postings.tagRemoved(tag);
  }
}
