import type { Grant, Method, Usage } from "../../contracts/index.ts";
import type { RankingParams } from "../retrieval/params.ts";
import type { Action } from "../storage/events.ts";
import type { Aids } from "./aids.ts";
import type { Sql } from "../storage/sql.ts";
import type { Stores } from "../storage/stores.ts";

/** What one call works with. `now` is read once, so that everything a call writes carries one time. */
export interface Context {
  /** As far as the grant reaches: the workspace, or the entries of its scope ([ACC-10]). */
  stores: Stores;
  /** The workspace, for what must hold in all of it; nothing read here may be shown. */
  whole: Stores;
  sql: Sql;
  grant: Grant;
  method: Method;
  now: number;
  params: RankingParams;
  newId: () => string;
  /** What bindings gave; nothing when it is absent. */
  aids?: Aids;
  usage: ReadonlyMap<string, Usage>;
}

/** The tags of an entry that is written, with those that the grant stamps ([ACC-10]). */
export function stamped(ctx: Context, tags: readonly string[]): string[] {
  return [...new Set([...tags, ...(ctx.grant.tags ?? [])])];
}

/** Writes one line of the audit log in the current transaction ([STO-8]). `changes` never holds content. */
export function audit(
  ctx: Context,
  action: Action,
  entry: string,
  changes?: Record<string, unknown>,
): void {
  ctx.stores.events.add({
    at: ctx.now,
    actor: ctx.grant.actor,
    method: ctx.method,
    action,
    entry,
    ...(changes && { changes }),
  });
}
