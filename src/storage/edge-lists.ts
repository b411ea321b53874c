import { EDGE_TYPES } from "../../contracts/index.ts";
import type { Edge, EdgeType } from "../../contracts/index.ts";
import { EACH_VALUE, VALUES_AT_ONCE } from "./sql.ts";
import type { Sql } from "./sql.ts";

/*
 * The edges of many entries in one statement. Each entry has nine lists: what leaves it, and what enters it by
 * type; each comes out of an index heaviest first, so that the first of a hub cost what those of a leaf cost.
 */

/** One list of an entry, heaviest first, equal weights by the other end; `cut` when it may go on. */
export interface EdgeList {
  from: string;
  edges: Edge[];
  cut: boolean;
}

type Columns = [
  src: string,
  dst: string,
  type: EdgeType,
  weight: number,
  provenance: Edge["provenance"],
  metadata: string | null,
  createdAt: number,
  updatedAt: number,
];
const COLUMNS = "src, dst, type, weight, provenance, metadata, created_at, updated_at";

const FAN_OUT = `?${VALUES_AT_ONCE + 1}`;
const SKIPPED = `?${VALUES_AT_ONCE + 2}`;
const TYPES = `(VALUES ${EDGE_TYPES.map((type) => `('${type}')`).join(", ")}) AS t`;

const leaving = (columns: string) => `(SELECT json_group_array(json_array(${columns})) FROM (
  SELECT ${columns} FROM edges WHERE src = each.value AND type <> ${SKIPPED}
  ORDER BY weight DESC, dst, type LIMIT ${FAN_OUT}))`;

const entering = (columns: string) => `(SELECT json_group_array(json((
    SELECT json_group_array(json_array(${columns})) FROM (
      SELECT ${columns} FROM edges WHERE dst = each.value AND type = t.column1
      ORDER BY weight DESC, src LIMIT ${FAN_OUT}))))
  FROM ${TYPES} WHERE t.column1 <> ${SKIPPED})`;

const lists = (leavingList: string, enteringLists: string) =>
  `${EACH_VALUE} SELECT value AS id, ${leavingList} AS leaving, ${enteringLists} AS entering
   FROM each WHERE value IS NOT NULL`;

const LISTS = lists(leaving(COLUMNS), entering(COLUMNS));
const LEAVING = lists(leaving(COLUMNS), "'[]'");
const ENDS = lists(leaving("dst, type, weight"), entering("src, type, weight"));

const COUNT = `${EACH_VALUE} SELECT coalesce(sum(
    EXISTS (SELECT 1 FROM edges WHERE src = each.value)
    + (SELECT count(*) FROM ${TYPES} WHERE EXISTS (
        SELECT 1 FROM edges WHERE dst = each.value AND type = t.column1))), 0) AS n
  FROM each WHERE value IS NOT NULL`;

interface ListRow {
  id: string;
  leaving: string;
  entering: string;
}

/** How many lists of the entries are not empty; reads a row each. */
export function countLists(sql: Sql, ids: readonly string[]): number {
  return sql.allOf<{ n: number }>(COUNT, ids).reduce((sum, { n }) => sum + n, 0);
}

/** The first `fanOut` edges of each list that is not empty; those that enter only with `both`. */
export function edgeLists(
  sql: Sql,
  ids: readonly string[],
  fanOut: number,
  both: boolean,
): EdgeList[] {
  const query = both ? LISTS : LEAVING;
  return sql.allOf<ListRow>(query, ids, fanOut, "").flatMap((row) => {
    const found = [parse<Columns>(row.leaving), ...parse<Columns[]>(row.entering)];
    return found
      .filter((list) => list.length > 0)
      .map((list) => ({ from: row.id, edges: list.map(toEdge), cut: list.length === fanOut }));
  });
}

/** An end of an edge as the lists have it. */
export type End = [other: string, type: EdgeType, weight: number];

/** The first `fanOut` of each list without edges of type `skip`, as ends only. */
export function edgeEnds(
  sql: Sql,
  ids: readonly string[],
  fanOut: number,
  skip: EdgeType | "",
): { id: string; leaving: End[]; entering: End[] }[] {
  return sql.allOf<ListRow>(ENDS, ids, fanOut, skip).map((row) => ({
    id: row.id,
    leaving: parse<End>(row.leaving),
    entering: parse<End[]>(row.entering).flat(),
  }));
}

const parse = <T>(list: string) => JSON.parse(list) as T[];

function toEdge([
  src,
  dst,
  type,
  weight,
  provenance,
  metadata,
  createdAt,
  updatedAt,
]: Columns): Edge {
  return {
    src,
    dst,
    type,
    weight,
    provenance,
    metadata: metadata === null ? null : (JSON.parse(metadata) as Record<string, unknown>),
    createdAt,
    updatedAt,
  };
}
