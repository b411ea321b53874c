import type { Method } from "../../contracts/index.ts";
import { OPERATIONS } from "../../src/gadget/operations.ts";
import { DEFAULT_PARAMS } from "../../src/retrieval/params.ts";
import type { PostingsLimits } from "../../src/storage/postings.ts";
import { Sql } from "../../src/storage/sql.ts";
import { openStores } from "../../src/storage/stores.ts";
import type { Stores } from "../../src/storage/stores.ts";
import type { Calls } from "./sphere.ts";

export interface AwakeStores {
  sql: Sql;
  stores: Stores;
  /** The surface as an owner, each call one transaction; arguments are taken as they would be parsed. */
  calls: Calls;
}

/** An object just woken over the database, with its stores open to the test. */
export function wakeStores(
  storage: DurableObjectStorage,
  clock: { now: number },
  limits?: Partial<PostingsLimits>,
): AwakeStores {
  const sql = new Sql(storage);
  const stores = openStores(sql, limits);
  let ids = 0;
  // Counted from 0 at each waking, as one that is taken is skipped: a failing sequence can be repeated.
  const newId = () => (ids++).toString(16).padStart(8, "0");
  const perform = (method: Method, args: readonly unknown[]) =>
    sql.transaction(() => {
      const { now } = clock;
      const grant = { role: "owner", actor: "test" } as const;
      const params = DEFAULT_PARAMS;
      const ctx = {
        stores,
        whole: stores,
        sql,
        grant,
        method,
        now,
        params,
        newId,
        usage: new Map(),
      };
      return OPERATIONS[method](ctx, ...args) as never;
    });
  const calls = new Proxy({} as Calls, {
    get:
      (_target, method) =>
      (...args: unknown[]) =>
        perform(method as Method, args),
  });
  return { sql, stores, calls };
}

/** Runs the work and takes back all that it wrote. */
export function undone(storage: DurableObjectStorage, work: () => void): void {
  const done = new Error("done");
  try {
    storage.transactionSync(() => {
      work();
      throw done;
    });
  } catch (error) {
    if (error !== done) throw error;
  }
}
