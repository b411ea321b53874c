/*
 * A scope as SQL: what a statement reads of the workspace is shadowed by what a scope holds of it ([ACC-10]), so
 * no statement, of now or later, can read past it by the tables' own names. Writes go to the tables themselves.
 */

const visible = (id: string) => `EXISTS (SELECT 1 FROM entries AS v WHERE v.id = ${id})`;

/** Tables under their own names; `main.` is the workspace. `scope` is a parameter: the tags as a JSON array. */
const shadows = (scope: string) => `
  entries AS NOT MATERIALIZED (SELECT e.* FROM main.entries AS e WHERE NOT EXISTS (
    SELECT 1 FROM json_each(${scope}) AS s WHERE NOT EXISTS (
      SELECT 1 FROM main.tags AS t WHERE t.rid = e.rid AND t.tag = s.value))),
  tags AS NOT MATERIALIZED (SELECT t.* FROM main.tags AS t
    WHERE EXISTS (SELECT 1 FROM entries AS v WHERE v.rid = t.rid)),
  edges AS NOT MATERIALIZED (SELECT x.* FROM main.edges AS x
    WHERE ${visible("x.src")} AND ${visible("x.dst")}),
  events AS NOT MATERIALIZED (SELECT n.* FROM main.events AS n WHERE ${visible("n.entry")}
    AND (n.action <> 'superseded' OR ${visible("n.changes ->> 'by'")})
    AND (n.action NOT IN ('linked', 'unlinked') OR n.changes ->> 'dst' IS NULL
      OR ${visible("n.changes ->> 'dst'")})),
  runs AS NOT MATERIALIZED (SELECT * FROM main.runs WHERE 0),
  tag_counts AS NOT MATERIALIZED (SELECT tag, count(*) AS n FROM tags GROUP BY tag),
  totals AS NOT MATERIALIZED (SELECT 1 AS one, json_object(
    'entries', json((SELECT json_group_object(key, json_array(n, tokens)) FROM (
      SELECT kind || '|' || status || '|' || volatility || '|' || claim_tag AS key, count(*) AS n,
        sum(token_count) AS tokens FROM entries GROUP BY 1))),
    'edges', json((SELECT json_group_object(type, n) FROM (
      SELECT type, count(*) AS n FROM edges GROUP BY type))),
    'tags', (SELECT count(*) FROM tag_counts)) AS counts)`;

/** By query and number of bindings: the same text each time, which the platform caches by. */
const rewritten = new Map<string, string>();

/** The statement within a scope, which is bound as one more parameter after `bindings`. */
export function withinScope(query: string, bindings: number): string {
  const verb = /^\s*(WITH RECURSIVE|WITH|SELECT)\b/.exec(query)?.[1];
  if (verb === undefined) return query;
  const key = `${bindings} ${query}`;
  const known = rewritten.get(key);
  if (known !== undefined) return known;
  let place = 0;
  // Numbered, because the scope's parameter comes first in the text and last among the bindings.
  const numbered = query.replaceAll(/\?(?!\d)/g, () => `?${++place}`).trimStart();
  const own = shadows(`?${bindings + 1}`);
  const scoped =
    verb === "SELECT"
      ? `WITH ${own} ${numbered}`
      : `${verb} ${own}, ${numbered.slice(verb.length)}`;
  rewritten.set(key, scoped);
  return scoped;
}
