import type { Postings } from "./postings.ts";
import { EACH_VALUE } from "./sql.ts";
import type { Sql } from "./sql.ts";
import type { TallyStore } from "./tallies.ts";

/** The entry that tags are put on; its id and time stand in each row, and never move. */
export interface Tagged {
  rid: number;
  id: string;
  createdAt: number;
}

/** The tags table: stored normalised ([TAG-1]). */
export class TagStore {
  readonly #sql: Sql;
  readonly #tallies: TallyStore;
  readonly #postings: Postings;

  constructor(sql: Sql, tallies: TallyStore, postings: Postings) {
    this.#sql = sql;
    this.#tallies = tallies;
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
    const rows = this.#sql.allOf<{ rid: number; tag: string }>(
      `${EACH_VALUE} SELECT t.rid, t.tag FROM each CROSS JOIN tags AS t ON t.rid = each.value
       ORDER BY t.rid, t.tag`,
      rids,
    );
    const byRid = Map.groupBy(rows, (row) => row.rid);
    return new Map([...byRid].map(([rid, all]) => [rid, all.map((row) => row.tag)]));
  }

  /** Tags that the entry does not have. */
  add({ rid, id, createdAt }: Tagged, tags: readonly string[]): void {
    // One by one: a statement of many rows opens a savepoint, at which FTS5 writes out all that it holds.
    for (const tag of tags) {
      this.#sql.run(
        "INSERT INTO tags (tag, created_at, id, rid) VALUES (?, ?, ?, ?)",
        tag,
        createdAt,
        id,
        rid,
      );
    }
    this.#tallies.addTags(tags, 1);
    for (const tag of tags) this.#postings.tagAdded(rid, tag);
  }

  /** Tags that the entry has. */
  remove(rid: number, tags: readonly string[]): void {
    if (tags.length === 0) return;
    this.#sql.run(
      "DELETE FROM tags WHERE rid = ?1 AND tag IN (SELECT value FROM json_each(?2))",
      rid,
      JSON.stringify(tags),
    );
    this.#tallies.addTags(tags, -1);
    for (const tag of tags) this.#postings.tagRemoved(tag);
  }

  /** Entries with the tag that were captured at or after `since`, counted up to `limit`. */
  countSince(tag: string, since: number, limit: number): number {
    return this.#sql.one<{ n: number }>(
      "SELECT count(*) AS n FROM (SELECT 1 FROM tags WHERE tag = ? AND created_at >= ? LIMIT ?)",
      tag,
      since,
      limit,
    ).n;
  }
}
