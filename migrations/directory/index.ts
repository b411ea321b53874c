import type { Migration } from "../index.ts";
import dueWorkspaces from "./0001_due_workspaces.sql";
import claimsAndTicks from "./0002_claims_and_ticks.sql";

/** Of `WorkspaceDirectory`; append-only, as those of the workspace's database. */
export const DIRECTORY_MIGRATIONS: readonly Migration[] = [
  { id: 1, name: "0001_due_workspaces", sql: dueWorkspaces },
  { id: 2, name: "0002_claims_and_ticks", sql: claimsAndTicks },
];
