-- What ranking asks of every entry it meets in a posting list, packed: 256 entries a row, so that a woken
-- object reads few rows. A row is written when its last entry is captured; what no row holds
-- yet is read from entries. Layout: src/storage/doc-values.ts.
CREATE TABLE doc_values (
  chunk INTEGER PRIMARY KEY,
  data BLOB NOT NULL
) STRICT;

-- Posting lists: one row for each place of a term.
CREATE VIRTUAL TABLE entries_postings USING fts5vocab (entries_fts, 'instance');
