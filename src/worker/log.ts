import { describe, type FailureReport } from "../access/wire-errors.ts";
import { sha256Hex } from "../lib/hash.ts";

/*
 * The log of the main Worker: one line of JSON for each thing that failed. Who reads logs need not know whose
 * memory they are about, so that a workspace stands there as a hash, and content never does ([ERR-4]).
 */

/** 16 hex digits by which lines about one workspace can be found. */
export function workspaceHash(workspace: string): string {
  return sha256Hex(workspace).slice(0, 16);
}

export function report(failure: FailureReport): void {
  console.error(JSON.stringify(failure));
}

/** For what failed behind an answer. */
export function logError(event: string, workspace: string, error: unknown): void {
  console.error(
    JSON.stringify({ event, workspace: workspaceHash(workspace), error: describe(error) }),
  );
}
