-- What an optional embedder makes of the texts: one int8 a dimension, empty where it makes nothing of a text. Model ''
-- is a vector whose text has changed since. How far a model has come is in meta, under 'embedded:' and its name.
CREATE TABLE vectors (
  rid INTEGER PRIMARY KEY REFERENCES entries (rid) ON DELETE CASCADE,
  model TEXT NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE INDEX vectors_outdated ON vectors (rid) WHERE model = '';
