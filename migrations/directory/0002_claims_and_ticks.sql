CREATE TABLE workspaces (
  workspace TEXT PRIMARY KEY,
  due_at INTEGER NOT NULL,
  -- From when it may be claimed: the due time, or the end of a lease or of the wait after a failure.
  ready_at INTEGER NOT NULL,
  -- Who runs its pass, and the earliest time that was noted since then.
  claim TEXT,
  noted_at INTEGER,
  -- Passes that failed since the last one that did not, and the code of the last failure.
  failures INTEGER NOT NULL DEFAULT 0,
  error TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX workspaces_ready ON workspaces (ready_at, workspace);
CREATE INDEX workspaces_failing ON workspaces (failures DESC, workspace) WHERE failures > 0;

INSERT INTO workspaces (workspace, due_at, ready_at)
  SELECT workspace, due_at, due_at FROM due_workspaces;
DROP TABLE due_workspaces;

-- The newest ticks; in the first shard only.
CREATE TABLE ticks (
  seq INTEGER PRIMARY KEY,
  tick INTEGER NOT NULL,
  visited INTEGER NOT NULL,
  flagged INTEGER NOT NULL,
  expired INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  left_over INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  ms INTEGER NOT NULL,
  unreachable INTEGER NOT NULL,
  failed_calls INTEGER NOT NULL
) STRICT;
