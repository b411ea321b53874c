-- Fewer rows a write, and rows read by what is shown: the table of costs in ARCHITECTURE.md says what each buys.

-- Counts by trigger wrote a row an entry and an edge. Now the stores add up what a transaction changes, and
-- write it once at its end (src/storage/tallies.ts).
DROP TRIGGER entries_tally_insert;
DROP TRIGGER entries_tally_delete;
DROP TRIGGER entries_tally_update;
DROP TRIGGER edges_tally_insert;
DROP TRIGGER edges_tally_delete;
DROP TRIGGER tags_tally_insert;
DROP TRIGGER tags_tally_delete;

-- One row of JSON: entries (kind|status|volatility|claim_tag -> [entries, tokens]), edges (type -> edges), and
-- tags (how many are in use).
CREATE TABLE totals (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  counts TEXT NOT NULL
) STRICT;
INSERT INTO totals (one, counts)
SELECT 1, json_object(
  'entries', json((SELECT json_group_object(key, json_array(n, tokens)) FROM tallies WHERE what = 'entry')),
  'edges', json((SELECT json_group_object(key, n) FROM tallies WHERE what = 'edge')),
  'tags', (SELECT count(*) FROM tallies WHERE what = 'tag'));

CREATE TABLE tag_counts (
  tag TEXT PRIMARY KEY,
  n INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO tag_counts (tag, n) SELECT key, n FROM tallies WHERE what = 'tag';
DROP TABLE tallies;

-- By status too: every status of a kind in turn gives the kind.
DROP INDEX entries_by_kind;
DROP INDEX entries_by_status;
CREATE INDEX entries_by_kind ON entries (kind, status, created_at DESC, id);

-- What was captured is counted from entries; of the other lines only these are counted.
DROP INDEX events_by_action;
CREATE INDEX events_by_action ON events (action, at)
  WHERE action IN ('updated', 'superseded', 'deprecated', 'forgotten');

-- With when its entry was captured, which never moves: the newest entries of a tag without reading the others.
CREATE TABLE new_tags (
  tag TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  id TEXT NOT NULL,
  rid INTEGER NOT NULL REFERENCES entries (rid) ON DELETE CASCADE,
  PRIMARY KEY (tag, created_at DESC, id)
) STRICT, WITHOUT ROWID;
INSERT INTO new_tags (tag, created_at, id, rid)
SELECT t.tag, e.created_at, e.id, t.rid FROM tags AS t JOIN entries AS e ON e.rid = t.rid;
DROP TABLE tags;
ALTER TABLE new_tags RENAME TO tags;
CREATE INDEX tags_by_entry ON tags (rid, tag);

-- In order of the edges that enter an entry, by type and then heaviest first: a hub is read as one piece.
-- Ends are public ids, so that the order by weight and then id comes out of an index and relates_to has one
-- canonical order.
CREATE TABLE new_edges (
  src TEXT NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
  dst TEXT NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
  type TEXT NOT NULL CHECK (type IN ('relates_to', 'supersedes', 'caused_by', 'decided',
    'about_person', 'part_of_project', 'follows', 'document_of')),
  weight REAL NOT NULL CHECK (weight BETWEEN 0 AND 1),
  provenance TEXT NOT NULL CHECK (provenance IN ('explicit', 'inferred', 'system')),
  metadata TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (dst, type, weight DESC, src),
  CHECK (src <> dst),
  CHECK (type <> 'relates_to' OR src < dst)
) STRICT, WITHOUT ROWID;
INSERT INTO new_edges (src, dst, type, weight, provenance, metadata, created_at, updated_at)
SELECT src, dst, type, weight, provenance, metadata, created_at, updated_at FROM edges;
DROP TABLE edges;
ALTER TABLE new_edges RENAME TO edges;
-- An edge by its ends, and those of a type that leave an entry.
CREATE UNIQUE INDEX edges_by_ends ON edges (src, type, dst);
CREATE INDEX edges_out ON edges (src, weight DESC, dst, type);
