import { DurableObject } from "cloudflare:workers";
import { DirectoryStore, type DueWorkspace } from "../storage/directory.ts";
import { Sql } from "../storage/sql.ts";
import type { Env } from "./env.ts";

/**
 * Which workspaces are due, because a namespace cannot be listed at run time. One object, plain and
 * unsharded: it hears of a workspace when its due time moves forward, not at every write.
 */
export class WorkspaceDirectory extends DurableObject<Env> {
  readonly #store: DirectoryStore;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#store = new DirectoryStore(new Sql(ctx.storage));
  }

  /** The workspace is due at `dueAt` (milliseconds) at the latest. */
  note(workspace: string, dueAt: number): void {
    this.#store.note(workspace, dueAt);
  }

  /** At most `limit` workspaces that are due at `now`, longest due first. */
  listDue(now: number, limit: number): DueWorkspace[] {
    return this.#store.listDue(now, limit);
  }

  /** A pass that was run for `seenDueAt` says when the workspace is next due, null for never. */
  settle(workspace: string, seenDueAt: number, nextDueAt: number | null): void {
    this.#store.settle(workspace, seenDueAt, nextDueAt);
  }
}

export function directoryOf(env: Pick<Env, "DIRECTORY">) {
  return env.DIRECTORY.getByName("directory");
}
