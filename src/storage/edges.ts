import type { ClaimTag, Edge, EdgeType, Provenance, Status } from "../../contracts/index.ts";
import { EDGE_TYPES } from "../../contracts/index.ts";
import { countLists, edgeEnds, edgeLists } from "./edge-lists.ts";
import type { EdgeList, End } from "./edge-lists.ts";
import { CLOSURE_LIMIT, effectiveStatus } from "./entry-row.ts";
import { EACH_VALUE } from "./sql.ts";
import type { Sql } from "./sql.ts";
import type { TallyStore } from "./tallies.ts";

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

/** What an entry rests on, with what decides how much it bears ([EVD-2]). */
export interface Ground {
  id: string;
  ground: string;
  /** 1 when a path of `caused_by` and `document_of` alone leads to it. */
  derived: number;
  claimTag: ClaimTag;
  status: Status;
  expiresAt: number | null;
  /** 1 when some `supersedes` edge enters the ground. */
  contested: number;
}

/** Grounds looked at for one list of entries ([EVD-5]). */
const GROUNDS_LIMIT = 500;

/** Edges that a page of one type looks at, when the type is found by reading past others ([LST-4]). */
const LOOKED_AT = 1_000;
const LOOKED_AT_ONCE = 100;

/** The edges table. Ends are public ids; `relates_to` is stored with the smaller id as src. */
export class EdgeStore {
  readonly #sql: Sql;
  readonly #tallies: TallyStore;

  constructor(sql: Sql, tallies: TallyStore) {
    this.#sql = sql;
    this.#tallies = tallies;
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
    this.#tallies.addEdges(edge.type, 1);
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

  /** An edge that is there. */
  delete(src: string, dst: string, type: EdgeType): void {
    this.#sql.run("DELETE FROM edges WHERE src = ? AND type = ? AND dst = ?", src, type, dst);
    this.#tallies.addEdges(type, -1);
  }

  /** How many edges an entry has. */
  countAt(id: string): number {
    return this.#typesOf(id).reduce((sum, { n }) => sum + n, 0);
  }

  /** Every edge of an entry; returns how many. */
  deleteAt(id: string): number {
    const types = this.#typesOf(id);
    for (const { type, n } of types) this.#tallies.addEdges(type, -n);
    this.#sql.run("DELETE FROM edges WHERE src = ?", id);
    this.#sql.run("DELETE FROM edges WHERE dst = ?", id);
    return types.reduce((sum, { n }) => sum + n, 0);
  }

  #typesOf(id: string): { type: EdgeType; n: number }[] {
    return this.#sql.all<{ type: EdgeType; n: number }>(
      `SELECT type, count(*) AS n FROM (
         SELECT type FROM edges WHERE src = ?1 UNION ALL SELECT type FROM edges WHERE dst = ?1)
       GROUP BY type`,
      id,
    );
  }

  /** Which types of edges leave and enter an entry. */
  typesAt(id: string): { type: EdgeType; direction: "out" | "in" }[] {
    return this.#sql.all(
      `SELECT t.column1 AS type, 'out' AS direction FROM ${TYPES}
       WHERE EXISTS (SELECT 1 FROM edges WHERE src = ?1 AND type = t.column1)
       UNION ALL
       SELECT t.column1, 'in' FROM ${TYPES}
       WHERE EXISTS (SELECT 1 FROM edges WHERE dst = ?1 AND type = t.column1)`,
      id,
    );
  }

  /** Some edge of a type that leaves or enters an entry. */
  someAt(id: string, type: EdgeType, direction: "out" | "in"): Edge | undefined {
    const row = this.#sql.maybeOne<EdgeRow>(
      direction === "out"
        ? "SELECT * FROM edges WHERE src = ? AND type = ? ORDER BY dst LIMIT 1"
        : "SELECT * FROM edges WHERE dst = ? AND type = ? ORDER BY weight DESC, src LIMIT 1",
      id,
      type,
    );
    return row && toEdge(row);
  }

  /**
   * A page of an entry's edges: heaviest first, then by the other end's id, type and direction. Reads rows by
   * the page. What leaves has no order by type, so that a page of one type may end before it has `n`: then
   * `stoppedAt` is where the next one starts.
   */
  incident(
    id: string,
    filter: { type: EdgeType | null; out: boolean; in: boolean },
    n: number,
    after: EdgePlace | null,
  ): { edges: Edge[]; stoppedAt: EdgePlace | null } {
    const start = after ?? EDGES_START;
    const types = filter.type === null ? EDGE_TYPES : [filter.type];
    const { edges: leaving, stoppedAt } = filter.out
      ? this.#leavingOf(id, filter.type, n, start)
      : { edges: [], stoppedAt: null };
    const entering = filter.in ? types.flatMap((type) => this.#entering(id, type, n, start)) : [];
    const edges = [...leaving, ...entering]
      .map((edge) => ({ edge, place: placeOf(id, edge) }))
      .filter(({ place }) => stoppedAt === null || comparePlaces(place, stoppedAt) <= 0)
      .sort((a, b) => comparePlaces(a.place, b.place))
      .map(({ edge }) => edge);
    return { edges: edges.slice(0, n), stoppedAt };
  }

  #entering(id: string, type: EdgeType, n: number, after: EdgePlace): Edge[] {
    return this.#sql
      .all<EdgeRow>(
        `SELECT * FROM (SELECT * FROM edges WHERE dst = ?1 AND type = ?2 AND weight = ?3
           AND src >= ?4 AND (src > ?4 OR type > ?5)
           ORDER BY src LIMIT ?6)
         UNION ALL
         SELECT * FROM (SELECT * FROM edges WHERE dst = ?1 AND type = ?2 AND weight < ?3
           ORDER BY weight DESC, src LIMIT ?6)
         LIMIT ?6`,
        id,
        type,
        after.weight,
        after.other,
        after.type,
        n,
      )
      .map(toEdge);
  }

  #leaving(id: string, n: number, after: EdgePlace): Edge[] {
    return this.#sql
      .all<EdgeRow>(
        `SELECT * FROM (SELECT * FROM edges WHERE src = ?1 AND weight = ?2
           AND (dst, type) >= (?3, ?4) AND (dst, type, 'out') > (?3, ?4, ?5)
           ORDER BY dst, type LIMIT ?6)
         UNION ALL
         SELECT * FROM (SELECT * FROM edges WHERE src = ?1 AND weight < ?2
           ORDER BY weight DESC, dst, type LIMIT ?6)
         LIMIT ?6`,
        id,
        after.weight,
        after.other,
        after.type,
        after.direction,
        n,
      )
      .map(toEdge);
  }

  #leavingOf(id: string, type: EdgeType | null, n: number, start: EdgePlace) {
    if (type === null) return { edges: this.#leaving(id, n, start), stoppedAt: null };
    const edges: Edge[] = [];
    const once = Math.max(n, LOOKED_AT_ONCE);
    let after = start;
    for (let looked = 0; looked < LOOKED_AT; looked += once) {
      const next = this.#leaving(id, once, after);
      edges.push(...next.filter((edge) => edge.type === type));
      const last = next.at(-1);
      if (edges.length >= n || last === undefined || next.length < once) {
        return { edges, stoppedAt: null };
      }
      after = placeOf(id, last);
    }
    return { edges, stoppedAt: after };
  }

  /**
   * The heaviest edges of each entry, at most `fanOut` a direction, ties by id. Reads at most fanOut rows of a
   * covering index an entry, direction and type, so a hub costs what any entry costs ([STO-7]). Ordered by
   * `from`, then weight descending, `to`, type, direction.
   */
  neighbours(ids: readonly string[], fanOut: number, skip: EdgeType | "" = ""): IncidentEdge[] {
    return edgeEnds(this.#sql, [...new Set(ids)].sort(), fanOut, skip).flatMap(
      ({ id, leaving, entering }) => {
        const heaviest = entering.sort(byWeight).slice(0, fanOut);
        return [
          ...leaving.map((end) => incidentEdge(id, "out", end)),
          ...heaviest.map((end) => incidentEdge(id, "in", end)),
        ].sort(
          (a, b) =>
            b.weight - a.weight ||
            compare(a.to, b.to) ||
            compare(a.type, b.type) ||
            compare(a.direction, b.direction),
        );
      },
    );
  }

  /** How many lists of edges the entries have: what leaves, and what enters by type. Reads a row each. */
  countLists(ids: readonly string[]): number {
    return countLists(this.#sql, ids);
  }

  /** The first `fanOut` edges of each list of the entries, of what leaves only unless `both`. */
  lists(ids: readonly string[], fanOut: number, both: boolean): EdgeList[] {
    return edgeLists(this.#sql, ids, fanOut, both);
  }

  /** Any edges, in the order of the table. */
  any(limit: number): Edge[] {
    return this.#sql
      .all<EdgeRow>("SELECT * FROM edges ORDER BY dst, type, weight DESC, src LIMIT ?", limit)
      .map(toEdge);
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
         WHERE e.type = 'supersedes'
         LIMIT ?2)
       SELECT e.src, e.dst, s.occurred_at AS at, s.status AS s, s.expires_at AS se, d.status AS d,
         d.expires_at AS de, EXISTS (SELECT 1 FROM edges AS x WHERE x.dst = e.src
           AND x.type = 'supersedes') AS contested
       FROM up CROSS JOIN edges AS e ON e.dst = up.id
         JOIN entries AS s ON s.id = e.src JOIN entries AS d ON d.id = e.dst
       WHERE e.type = 'supersedes'`,
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
           WHERE e.type = 'supersedes')
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
       WHERE dst = ?1 AND type = 'supersedes'
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
   * it; nearer grounds first when there are too many. Whether they are superseded is the resolver's word.
   */
  grounds(ids: readonly string[]): Ground[] {
    const rows = this.#sql.allOf<Ground>(
      `${EACH_VALUE}, rests (id, ground, hop, derived) AS (
         SELECT value, value, 0, 1 FROM each WHERE value IS NOT NULL
         UNION
         SELECT r.id, e.dst, r.hop + 1, r.derived FROM rests AS r JOIN edges AS e ON e.src = r.ground
         WHERE r.hop < 2 AND e.type IN ('caused_by', 'document_of')
         UNION
         SELECT r.id, e.src, r.hop + 1, 0 FROM rests AS r JOIN edges AS e ON e.dst = r.ground
         WHERE r.hop < 2 AND e.type = 'decided'
         LIMIT ?)
       SELECT r.id, r.ground, r.derived, g.claim_tag AS claimTag, g.status,
         g.expires_at AS expiresAt, EXISTS (SELECT 1 FROM edges AS e WHERE e.dst = r.ground
           AND e.type = 'supersedes') AS contested
       FROM rests AS r CROSS JOIN entries AS g ON g.id = r.ground
       WHERE r.hop > 0 AND r.id <> r.ground`,
      ids,
      GROUNDS_LIMIT,
    );
    return distinct(rows);
  }
}

/** Each ground of an entry once, in order: made here, because SQLite bills the rows of a grouping too. */
function distinct(rows: readonly Ground[]): Ground[] {
  const grounds = new Map<string, Ground>();
  for (const row of rows) {
    const key = `${row.id} ${row.ground}`;
    const derived = Math.max(row.derived, grounds.get(key)?.derived ?? 0);
    grounds.set(key, { ...row, derived });
  }
  return [...grounds.values()].sort((a, b) => compare(a.id, b.id) || compare(a.ground, b.ground));
}

const TYPES = `(VALUES ${EDGE_TYPES.map((type) => `('${type}')`).join(", ")}) AS t`;

/** Before every place. */
const EDGES_START: EdgePlace = { weight: 2, other: "", type: "", direction: "" };

function placeOf(id: string, edge: Edge): EdgePlace {
  const out = edge.src === id;
  return {
    weight: edge.weight,
    other: out ? edge.dst : edge.src,
    type: edge.type,
    direction: out ? "out" : "in",
  };
}

function comparePlaces(a: EdgePlace, b: EdgePlace): number {
  return (
    b.weight - a.weight ||
    compare(a.other, b.other) ||
    compare(a.type, b.type) ||
    compare(a.direction, b.direction)
  );
}

const byWeight = (a: End, b: End) => b[2] - a[2] || compare(a[0], b[0]) || compare(a[1], b[1]);

function incidentEdge(
  from: string,
  direction: "out" | "in",
  [to, type, weight]: End,
): IncidentEdge {
  return { from, to, direction, type, weight };
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
