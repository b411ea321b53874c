import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import type { Arguments, Grant, Method, Results, Role } from "../../contracts/index.ts";
import { Sphere } from "../../src/gadget/sphere.ts";
import type { SphereOptions } from "../../src/gadget/sphere.ts";
import { Sql } from "../../src/storage/sql.ts";

export const DAY = 86_400_000;
/** 2026-09-05T12:00:00Z, a Saturday. */
export const NOW = Date.UTC(2026, 8, 5, 12);

export type Calls = { [M in Method]: (...args: Arguments<M>) => Results[M] };

export interface Bench {
  /** The surface as an owner, synchronous. */
  owner: Calls;
  /** The surface under another role. */
  as(role: Role, actor?: string): Calls;
  sphere: Sphere;
  sql: Sql;
  storage: DurableObjectStorage;
  clock: { now: number };
  /** A second sphere over the same database: the object just woken. */
  wake(options?: Partial<SphereOptions>): Calls;
  /** Rows of one call. */
  rowsOf(method: Method): { rowsRead: number; rowsWritten: number };
}

/**
 * Runs `test` inside a fresh Durable Object, over its real storage, with a clock of the test's own.
 * Everything in it is synchronous, like the gadget.
 */
export async function inSphere<T>(
  test: (bench: Bench) => T | Promise<T>,
  options: Partial<SphereOptions> & {
    wrap?: (storage: DurableObjectStorage) => DurableObjectStorage;
  } = {},
): Promise<T> {
  const stub = env.SPHERES.getByName(crypto.randomUUID());
  return runInDurableObject(stub, async (_instance, state) => {
    const clock = { now: NOW };
    const { wrap, ...rest } = options;
    const storage = wrap ? wrap(state.storage) : state.storage;
    const open = (more: Partial<SphereOptions> = {}) =>
      new Sphere({ storage, clock: () => clock.now, ...rest, ...more });
    const sphere = open();
    const owner = callsOf(sphere, { role: "owner", actor: "test" });
    return test({
      owner,
      as: (role, actor = `test-${role}`) => callsOf(sphere, { role, actor }),
      sphere,
      sql: new Sql(state.storage),
      storage: state.storage,
      clock,
      wake: (more) => callsOf(open(more), { role: "owner", actor: "test" }),
      rowsOf: (method) => {
        const usage = owner.getStats().usage[method];
        if (usage === undefined) throw new Error(`${method} was not called`);
        return usage;
      },
    });
  });
}

export function callsOf(sphere: Sphere, grant: Grant): Calls {
  return new Proxy({} as Calls, {
    get:
      (_target, method) =>
      (...args: unknown[]) =>
        sphere.perform(grant, method as Method, args),
  });
}

/** The error that `work` throws. */
export function errorOf(work: () => unknown): {
  code: string;
  message: string;
  details: Record<string, unknown>;
} {
  try {
    work();
  } catch (error) {
    return error as never;
  }
  throw new Error("Expected an error, and nothing was thrown.");
}
