-- The directory as it was before its migrations were numbered: it may be there already.
CREATE TABLE IF NOT EXISTS due_workspaces (
  workspace TEXT PRIMARY KEY,
  due_at INTEGER NOT NULL,
  later_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS due_workspaces_due ON due_workspaces (due_at, workspace);
