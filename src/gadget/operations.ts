import type { Method, Parsed, Results } from "../../contracts/index.ts";
import { LIMITS } from "../../contracts/index.ts";
import { runStalenessPass } from "../staleness/pass.ts";
import { getBrief } from "./brief.ts";
import { capture, captureMany } from "./capture.ts";
import { append, update } from "./change.ts";
import { changes } from "./changes.ts";
import type { Context } from "./context.ts";
import { getEntry, requireEntry } from "./entry.ts";
import { exportPage } from "./export-page.ts";
import { forget } from "./forget.ts";
import { graphView } from "./graph-view.ts";
import { link, unlink } from "./link.ts";
import { connections, history, listRecent } from "./lists.ts";
import { recall } from "./recall.ts";
import { changeStatus, setStatus } from "./set-status.ts";
import { getCount, getStats, getTags } from "./stats.ts";

type Operation<M extends Method> = (ctx: Context, ...args: Parsed<M>) => Results[M];

/** The whole surface: one function a method, each called inside one transaction. */
const operations: { [M in Method]: Operation<M> } = {
  recall,
  listRecent,
  getEntry,
  history,
  changes,
  connections,
  getTags,
  getCount,
  getStats,
  getBrief,
  graphView,
  capture,
  captureMany,
  append,
  update,
  setStatus,
  forget,
  link,
  unlink,
  batch: () => {
    throw new Error("A batch is its operations; the sphere runs them.");
  },
  exportPage,
  runStalenessPass: (ctx, options) =>
    runStalenessPass(
      {
        stores: ctx.stores,
        now: ctx.now,
        trigger: ctx.grant.actor,
        deprecate: (id, reason) => changeStatus(ctx, requireEntry(ctx, id), "deprecated", reason),
      },
      options?.limit ?? LIMITS.passRows.default,
    ),
};

/** Untyped by method, because the method of a call is known only when it arrives; `parse` has checked it. */
export const OPERATIONS = operations as unknown as Readonly<
  Record<Method, (ctx: Context, ...args: readonly unknown[]) => unknown>
>;
