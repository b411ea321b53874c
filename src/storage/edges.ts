import type { Edge, EdgeType, Provenance, Status } from "../../contracts/index.ts";
import { CLOSURE_LIMIT, effectiveStatus } from "./entry-row.ts";
import type { Sql } from "./sql.ts";

interface EdgeRow extends Omit<Edge, "createdAt" | "updatedAt" | "metadata"> {
  metadata: string | null;
  created_at: number;
  updated_at: number;
}

function toEdge({ created_at, updated_at, metadata, ...row }: EdgeRow): Edge {
  return {
    ...row,
    metadata: metadata === null ? null : (JSON.parse(metadata) as Record<string, unknown>),
    createdAt: created_at,
    updatedAt: updated_at,
  };
}

/** One edge as seen from the entry it was looked up for. */
export interface IncidentEdge {
  from: string;
  to: string;
  direction: "out" | "in";
  type: EdgeType;
  weight: number;
}

/** A `supersedes` edge with what decides whether it counts ([SUP-1], [SUP-2]). */
export interface SupersedesEdge {
  src: string;
  dst: string;
  srcOccurredAt: number;
  srcStatus: Status;
  /** Some `supersedes` edge enters src too; when none is in the list, the look upward ended before it. */
  srcContested: boolean;
  dstStatus: Status;
}

/** A place in the edges of one entry: weight descending, then other end, type, direction. */
export interface EdgePlace {
  weight: number;
  other: string;
  type: string;
  direction: string;
}

/** Superseded grounds looked at for one list of entries. */
const GROUNDS_LIMIT = 500;

/** The edges table. Ends are public ids; `relates_to` is stored with the smaller id as src. */
export class EdgeStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  find(src: string, dst: string, type: EdgeType): Edge | undefined {
    const row = this.#sql.maybeOne<EdgeRow>(
      "SELECT * FROM edges WHERE src = ? AND type = ? AND dst = ?",
      src,
      type,
      dst,
    );
    return row && toEdge(row);
  }

  insert(edge: Edge): void {
    this.#sql.run(
      `INSERT INTO edges (src, dst, type, weight, provenance, metadata, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      edge.src,
      edge.dst,
      edge.type,
      edge.weight,
      edge.provenance,
      edge.metadata === null ? null : JSON.stringify(edge.metadata),
      edge.createdAt,
      edge.updatedAt,
    );
  }

  save(edge: Edge): void {
    this.#sql.run(
      `UPDATE edges SET weight = ?, provenance = ?, metadata = ?, updated_at = ?
       WHERE src = ? AND type = ? AND dst = ?`,
      edge.weight,
      edge.provenance as Provenance,
      edge.metadata === null ? null : JSON.stringify(edge.metadata),
      edge.updatedAt,
      edge.src,
      edge.type,
      edge.dst,
    );
  }

  delete(src: string, dst: string, type: EdgeType): void {
    this.#sql.run("DELETE FROM edges WHERE src = ? AND type = ? AND dst = ?", src, type, dst);
  }

  count(id: string): number {
    return this.#sql.one<{ n: number }>(
      `SELECT (SELECT count(*) FROM edges WHERE src = ?1) + (SELECT count(*) FROM edges WHERE dst = ?1) AS n`,
      id,
    ).n;
  }

  /** Which types of edges leave and enter an entry. */
  typesAt(id: string): { type: EdgeType; direction: "out" | "in" }[] {
    return this.#sql.all(
      `SELECT DISTINCT type, 'out' AS direction FROM edges WHERE src = ?1
       UNION ALL SELECT DISTINCT type, 'in' FROM edges WHERE dst = ?1`,
      id,
    );
  }

  /** A page of an entry's edges: heaviest first, then by the other end's id, type and direction. */
  incident(
    id: string,
    filter: { type: EdgeType | null; out: boolean; in: boolean },
    n: number,
    after: EdgePlace | null,
  ): Edge[] {
    return this.#sql
      .all<EdgeRow & { other: string; direction: string }>(
        `SELECT src, dst, type, weight, provenance, metadata, created_at, updated_at FROM (
           SELECT * FROM (SELECT *, dst AS other, 'out' AS direction FROM edges
             WHERE ?3 AND src = ?1 AND (?2 IS NULL OR type = ?2) AND weight <= coalesce(?5, 1)
               AND (?5 IS NULL OR weight < ?5 OR (dst, type, 'out') > (?6, ?7, ?8))
             ORDER BY weight DESC, dst, type LIMIT ?9)
           UNION ALL
           SELECT * FROM (SELECT *, src AS other, 'in' AS direction FROM edges
             WHERE ?4 AND dst = ?1 AND (?2 IS NULL OR type = ?2) AND weight <= coalesce(?5, 1)
               AND (?5 IS NULL OR weight < ?5 OR (src, type, 'in') > (?6, ?7, ?8))
             ORDER BY weight DESC, src, type LIMIT ?9))
         ORDER BY weight DESC, other, type, direction LIMIT ?9`,
        id,
        filter.type,
        filter.out ? 1 : 0,
        filter.in ? 1 : 0,
        after?.weight ?? null,
        after?.other ?? null,
        after?.type ?? null,
        after?.direction ?? null,
        n,
      )
      .map(({ other: _other, direction: _direction, ...row }) => toEdge(row));
  }

  /**
   * The heaviest edges of each entry, at most `fanOut` a direction, ties by id. Reads fanOut rows of a
   * covering index an entry and direction, so a hub costs what any entry costs ([STO-7]). Ordered by
   * `from`, then weight descending, `to`, type, direction.
   */
  neighbours(ids: readonly string[], fanOut: number, skip: EdgeType | "" = ""): IncidentEdge[] {
    return this.#sql.all<IncidentEdge>(
      `SELECT e.src AS "from", e.dst AS "to", 'out' AS direction, e.type, e.weight
       FROM json_each(?1) AS j CROSS JOIN edges AS e
       WHERE (e.src, e.type, e.dst) IN
         (SELECT src, type, dst FROM edges WHERE src = j.value AND type <> ?3
          ORDER BY weight DESC, dst, type LIMIT ?2)
       UNION ALL
       SELECT e.dst, e.src, 'in', e.type, e.weight
       FROM json_each(?1) AS j CROSS JOIN edges AS e
       WHERE (e.src, e.type, e.dst) IN
         (SELECT src, type, dst FROM edges WHERE dst = j.value AND type <> ?3
          ORDER BY weight DESC, src, type LIMIT ?2)
       ORDER BY 1, 5 DESC, 2, 4, 3`,
      JSON.stringify(ids),
      fanOut,
      skip,
    );
  }

  /**
   * Edges whose both ends are among the ids, as far as one end has them among its `fanOut` heaviest of a
   * direction: the edge of a hub to a leaf is there whatever the hub has.
   */
  among(ids: readonly string[], fanOut: number): Edge[] {
    return this.#sql
      .all<EdgeRow>(
        `SELECT e.* FROM json_each(?1) AS j CROSS JOIN edges AS e
         WHERE (e.src, e.type, e.dst) IN
           (SELECT src, type, dst FROM edges WHERE src = j.value ORDER BY weight DESC, dst, type LIMIT ?2)
           AND e.dst IN (SELECT value FROM json_each(?1))
         UNION
         SELECT e.* FROM json_each(?1) AS j CROSS JOIN edges AS e
         WHERE (e.src, e.type, e.dst) IN
           (SELECT src, type, dst FROM edges WHERE dst = j.value ORDER BY weight DESC, src, type LIMIT ?2)
           AND e.src IN (SELECT value FROM json_each(?1))
         ORDER BY 1, 3, 2`,
        JSON.stringify(ids),
        fanOut,
      )
      .map(toEdge);
  }

  /**
   * The heaviest edges of the workspace, ties by their ends: those above the default weight, then those of it,
   * then the lighter ones, among which the ends decide because no index orders them.
   */
  strongest(limit: number): { src: string; dst: string }[] {
    return this.#sql.all(
      `SELECT * FROM (SELECT src, dst FROM edges WHERE weight > 0.5
         ORDER BY weight DESC, src, type, dst LIMIT ?1)
       UNION ALL
       SELECT * FROM (SELECT src, dst FROM edges WHERE weight = 0.5 ORDER BY src, type, dst LIMIT ?1)
       UNION ALL
       SELECT * FROM (SELECT src, dst FROM edges WHERE weight < 0.5 ORDER BY src, type, dst LIMIT ?1)
       LIMIT ?1`,
      limit,
    );
  }

  /** Every `supersedes` edge into the ids and, upward to the heads, into what stands above them. */
  above(ids: readonly string[], now: number): SupersedesEdge[] {
    const rows = this.#sql.all<{
      src: string;
      dst: string;
      at: number;
      s: Status;
      se: number | null;
      d: Status;
      de: number | null;
      contested: number;
    }>(
      `WITH RECURSIVE up(id) AS (
         SELECT value FROM json_each(?1)
         UNION
         SELECT e.src FROM up JOIN edges AS e ON e.dst = up.id
         WHERE e.type = 'supersedes' AND e.type IN ('supersedes', 'decided')
         LIMIT ?2)
       SELECT e.src, e.dst, s.occurred_at AS at, s.status AS s, s.expires_at AS se, d.status AS d,
         d.expires_at AS de, EXISTS (SELECT 1 FROM edges AS x WHERE x.dst = e.src
           AND x.type = 'supersedes' AND x.type IN ('supersedes', 'decided')) AS contested
       FROM up CROSS JOIN edges AS e ON e.dst = up.id
         JOIN entries AS s ON s.id = e.src JOIN entries AS d ON d.id = e.dst
       WHERE e.type = 'supersedes' AND e.type IN ('supersedes', 'decided')`,
      JSON.stringify(ids),
      ids.length + CLOSURE_LIMIT,
    );
    return rows.map((row) => ({
      src: row.src,
      dst: row.dst,
      srcOccurredAt: row.at,
      srcContested: row.contested === 1,
      srcStatus: effectiveStatus(row.s, row.se, now),
      dstStatus: effectiveStatus(row.d, row.de, now),
    }));
  }

  /** Whether `ancestor` stands above `id` through any `supersedes` edges, counting or not. */
  isAbove(ancestor: string, id: string): boolean {
    return (
      this.#sql.maybeOne(
        `WITH RECURSIVE up(id) AS (
           SELECT ?1
           UNION
           SELECT e.src FROM up JOIN edges AS e ON e.dst = up.id
           WHERE e.type = 'supersedes' AND e.type IN ('supersedes', 'decided'))
         SELECT 1 AS found FROM up WHERE id = ?2`,
        id,
        ancestor,
      ) !== undefined
    );
  }

  /** Entries directly above and below one entry in its supersedes chains. */
  chainNeighbours(id: string): { above: string[]; below: string[] } {
    const rows = this.#sql.all<{ other: string; direction: string }>(
      `SELECT src AS other, 'above' AS direction FROM edges
       WHERE dst = ?1 AND type = 'supersedes' AND type IN ('supersedes', 'decided')
       UNION ALL
       SELECT dst, 'below' FROM edges WHERE src = ?1 AND type = 'supersedes'
       ORDER BY 1`,
      id,
    );
    const side = (direction: string) =>
      rows.filter((row) => row.direction === direction).map((row) => row.other);
    return { above: side("above"), below: side("below") };
  }

  /**
   * What each entry rests on within 2 hops: dst of its `caused_by` and `document_of`, src of `decided` into
   * it. Only grounds that some `supersedes` edge enters; whether they are superseded is the resolver's word.
   */
  grounds(ids: readonly string[]): { id: string; ground: string }[] {
    return this.#sql.all(
      `WITH RECURSIVE rests(id, ground, hop) AS (
         SELECT value, value, 0 FROM json_each(?1)
         UNION
         SELECT r.id, e.dst, r.hop + 1 FROM rests AS r JOIN edges AS e ON e.src = r.ground
         WHERE r.hop < 2 AND e.type IN ('caused_by', 'document_of')
         UNION
         SELECT r.id, e.src, r.hop + 1 FROM rests AS r JOIN edges AS e ON e.dst = r.ground
         WHERE r.hop < 2 AND e.type = 'decided' AND e.type IN ('supersedes', 'decided')
         LIMIT ?2)
       SELECT DISTINCT r.id, r.ground FROM rests AS r
       WHERE r.hop > 0 AND r.id <> r.ground AND EXISTS (
         SELECT 1 FROM edges AS e WHERE e.dst = r.ground
           AND e.type = 'supersedes' AND e.type IN ('supersedes', 'decided'))
       ORDER BY 1, 2`,
      JSON.stringify(ids),
      GROUNDS_LIMIT,
    );
  }
}
