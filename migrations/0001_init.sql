-- The database of one workspace (contract sections 4, 6). Times are milliseconds since the epoch.
-- rid is internal; id is the public id. Ids are never reused; a rid may be, after its entry was forgotten.

CREATE TABLE entries (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  -- SHA-256 of the raw bytes of content: equal bytes are the same entry.
  hash BLOB NOT NULL UNIQUE,
  content TEXT NOT NULL,
  source TEXT,
  kind TEXT NOT NULL CHECK (kind IN ('episodic', 'semantic', 'instruction')),
  status TEXT NOT NULL CHECK (status IN ('canonical', 'draft', 'deprecated')),
  volatility TEXT NOT NULL CHECK (volatility IN ('durable', 'state', 'volatile')),
  claim_tag TEXT NOT NULL CHECK (claim_tag IN ('VERIFIED', 'INFERRED', 'UNKNOWN')),
  evidence_ref TEXT,
  importance INTEGER NOT NULL CHECK (importance BETWEEN 0 AND 5),
  -- 1: tool traffic or machine-made; set at first capture only.
  exhaust INTEGER NOT NULL CHECK (exhaust IN (0, 1)),
  -- JSON object prefix -> values: session, turn, role and model tags.
  origin TEXT NOT NULL,
  actor TEXT NOT NULL,
  occurred_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- When the text last changed after capture, and when the entry was last affirmed as canonical.
  text_at INTEGER,
  affirmed_at INTEGER,
  expires_at INTEGER,
  -- When it becomes stale; null when it never does, or once a pass has moved it to stale_since.
  due_at INTEGER,
  stale_since INTEGER,
  revision INTEGER NOT NULL,
  -- Length in BM25: tokens of title and body.
  token_count INTEGER NOT NULL,
  CHECK (claim_tag <> 'VERIFIED' OR evidence_ref IS NOT NULL)
) STRICT;

CREATE INDEX entries_by_created ON entries (created_at DESC, id);
CREATE INDEX entries_by_occurred ON entries (occurred_at DESC, id);
CREATE INDEX entries_by_kind ON entries (kind, created_at DESC, id);
-- With kind, so that standing instructions are found among many canonical entries.
CREATE INDEX entries_by_status ON entries (status, kind, created_at DESC, id);
CREATE INDEX entries_due ON entries (volatility, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX entries_stale ON entries (volatility, stale_since) WHERE stale_since IS NOT NULL;
CREATE INDEX entries_expiring ON entries (expires_at)
  WHERE expires_at IS NOT NULL AND status <> 'deprecated';

CREATE TABLE tags (
  tag TEXT NOT NULL,
  rid INTEGER NOT NULL REFERENCES entries (rid) ON DELETE CASCADE,
  PRIMARY KEY (tag, rid)
) STRICT, WITHOUT ROWID;
CREATE INDEX tags_by_entry ON tags (rid, tag);

-- Ends are public ids, so that the order by weight and then id comes out of an index and
-- relates_to has one canonical order.
CREATE TABLE edges (
  src TEXT NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
  dst TEXT NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
  type TEXT NOT NULL CHECK (type IN ('relates_to', 'supersedes', 'caused_by', 'decided',
    'about_person', 'part_of_project', 'follows', 'document_of')),
  weight REAL NOT NULL CHECK (weight BETWEEN 0 AND 1),
  provenance TEXT NOT NULL CHECK (provenance IN ('explicit', 'inferred', 'system')),
  metadata TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (src, type, dst),
  CHECK (src <> dst),
  CHECK (type <> 'relates_to' OR src < dst)
) STRICT, WITHOUT ROWID;
CREATE INDEX edges_out ON edges (src, weight DESC, dst, type);
CREATE INDEX edges_in ON edges (dst, weight DESC, src, type);
-- Where a graph without seeds starts; an edge of the default weight pays nothing for it.
CREATE INDEX edges_strong ON edges (weight DESC, src, type, dst) WHERE weight > 0.5;
-- Supersession and what rests on it must not scan the other edges of a hub.
CREATE INDEX edges_grounds ON edges (dst, type, src) WHERE type IN ('supersedes', 'decided');

CREATE TABLE revisions (
  rid INTEGER NOT NULL REFERENCES entries (rid) ON DELETE CASCADE,
  -- The revision that the change produced.
  revision INTEGER NOT NULL,
  -- JSON object field -> [before, after].
  changes TEXT NOT NULL,
  -- The text before the change; null when it did not change.
  content TEXT,
  reason TEXT,
  actor TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (rid, revision)
) STRICT, WITHOUT ROWID;

-- Apart from entries, so that counting a recall writes one row and touches no index.
CREATE TABLE recalls (
  rid INTEGER PRIMARY KEY REFERENCES entries (rid) ON DELETE CASCADE,
  count INTEGER NOT NULL
) STRICT;

-- The audit log: append-only, never content. entry is a public id that may be forgotten by now.
CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  method TEXT NOT NULL,
  action TEXT NOT NULL,
  entry TEXT NOT NULL,
  changes TEXT
) STRICT;
CREATE INDEX events_by_action ON events (action, at);

CREATE TABLE runs (
  run INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  "trigger" TEXT NOT NULL,
  scanned INTEGER NOT NULL,
  flagged INTEGER NOT NULL,
  expired INTEGER NOT NULL,
  remaining INTEGER NOT NULL,
  next_due_at INTEGER
) STRICT;

-- Single values about the database itself, such as the analyzer's version.
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The index. The store writes it from the analyzer, so a token is whatever stands between two spaces.
-- An ordinary table with secure-delete: a forgotten entry's words leave the index blocks at once, and the
-- stored analysed text is what BM25 and MMR read. The price is that text's space (ARCHITECTURE.md).
CREATE VIRTUAL TABLE entries_fts USING fts5 (
  title, body, stems, tags,
  tokenize = "ascii tokenchars '_-./#+@:&'"
);
INSERT INTO entries_fts (entries_fts, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE entries_vocab USING fts5vocab (entries_fts, 'row');

-- Counts that statistics, tags and BM25 read instead of counting rows; triggers keep them, so no path can
-- forget to. what: 'entry' (key kind|status|volatility|claim_tag), 'tag', 'edge' (key type).
CREATE TABLE tallies (
  what TEXT NOT NULL,
  key TEXT NOT NULL,
  n INTEGER NOT NULL,
  tokens INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (what, key)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER entries_tally_insert AFTER INSERT ON entries BEGIN
  INSERT INTO tallies (what, key, n, tokens)
  VALUES ('entry', new.kind || '|' || new.status || '|' || new.volatility || '|' || new.claim_tag,
    1, new.token_count)
  ON CONFLICT DO UPDATE SET n = n + 1, tokens = tokens + excluded.tokens;
END;
CREATE TRIGGER entries_tally_delete AFTER DELETE ON entries BEGIN
  UPDATE tallies SET n = n - 1, tokens = tokens - old.token_count
  WHERE what = 'entry'
    AND key = old.kind || '|' || old.status || '|' || old.volatility || '|' || old.claim_tag;
  DELETE FROM tallies WHERE what = 'entry' AND n = 0
    AND key = old.kind || '|' || old.status || '|' || old.volatility || '|' || old.claim_tag;
END;
CREATE TRIGGER entries_tally_update
AFTER UPDATE OF kind, status, volatility, claim_tag, token_count ON entries
WHEN old.kind <> new.kind OR old.status <> new.status OR old.volatility <> new.volatility
  OR old.claim_tag <> new.claim_tag OR old.token_count <> new.token_count
BEGIN
  UPDATE tallies SET n = n - 1, tokens = tokens - old.token_count
  WHERE what = 'entry'
    AND key = old.kind || '|' || old.status || '|' || old.volatility || '|' || old.claim_tag;
  INSERT INTO tallies (what, key, n, tokens)
  VALUES ('entry', new.kind || '|' || new.status || '|' || new.volatility || '|' || new.claim_tag,
    1, new.token_count)
  ON CONFLICT DO UPDATE SET n = n + 1, tokens = tokens + excluded.tokens;
  DELETE FROM tallies WHERE what = 'entry' AND n = 0
    AND key = old.kind || '|' || old.status || '|' || old.volatility || '|' || old.claim_tag;
END;

CREATE TRIGGER tags_tally_insert AFTER INSERT ON tags BEGIN
  INSERT INTO tallies (what, key, n) VALUES ('tag', new.tag, 1)
  ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER tags_tally_delete AFTER DELETE ON tags BEGIN
  UPDATE tallies SET n = n - 1 WHERE what = 'tag' AND key = old.tag;
  DELETE FROM tallies WHERE what = 'tag' AND key = old.tag AND n = 0;
END;

CREATE TRIGGER edges_tally_insert AFTER INSERT ON edges BEGIN
  INSERT INTO tallies (what, key, n) VALUES ('edge', new.type, 1)
  ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER edges_tally_delete AFTER DELETE ON edges BEGIN
  UPDATE tallies SET n = n - 1 WHERE what = 'edge' AND key = old.type;
  DELETE FROM tallies WHERE what = 'edge' AND key = old.type AND n = 0;
END;
