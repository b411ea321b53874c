import { describe, expect, it } from "vitest";
import { settingsOf } from "../../src/gadget/settings.ts";
import type { Calls } from "../support/sphere.ts";
import { errorOf, inSphere } from "../support/sphere.ts";
import { interceptingSql } from "../support/storage-proxy.ts";

const FULL = {
  code: "limit_exceeded",
  message: expect.stringMatching(
    /^This workspace's database is full at \d+ bytes; forget entries that are no longer needed before writing more\.$/,
  ) as string,
};

/** Every call that would make the database grow. */
const growing = (calls: Calls, a: string, b: string) => [
  () => calls.capture("c"),
  () => calls.captureMany([{ content: "c" }]),
  () => calls.append(a, "more"),
  () => calls.update(a, "other"),
  () => calls.link(b, a, "follows"),
];

describe("a full database", () => {
  it("[LIM-2] [LIM-3] refuses what would make it grow, and nothing else", async () => {
    await inSphere(({ owner, wake, storage }) => {
      const a = owner.capture("a heron", { tags: ["bird"] }).id;
      const b = owner.capture("b").id;
      owner.link(a, b, "follows");
      const maxDatabaseBytes = storage.sql.databaseSize;
      const full = wake({ maxDatabaseBytes });
      for (const write of growing(full, a, b)) {
        expect(errorOf(write)).toMatchObject({
          ...FULL,
          details: { databaseSize: maxDatabaseBytes, maxDatabaseBytes },
        });
      }
      expect(full.recall("heron", { hops: 0 }).hits).toHaveLength(1);
      expect(full.setStatus(a, "canonical").revision).toBe(2);
      expect(full.unlink(a, b, "follows")).toEqual({ removed: true });
      expect(full.runStalenessPass().flagged).toBe(0);
      expect(full.forget(a).removed.tags).toBe(1);
      expect(full.getCount()).toBe(1);
    });
  });

  it("[LIM-3] takes writes again when enough was forgotten", async () => {
    await inSphere(({ owner, wake, storage }) => {
      const ids = Array.from(
        { length: 30 },
        (_, n) => owner.capture(`${n} ${"word ".repeat(2_000)}`).id,
      );
      const full = wake({ maxDatabaseBytes: storage.sql.databaseSize });
      expect(errorOf(() => full.capture("c"))).toMatchObject(FULL);
      for (const id of ids.slice(0, 10)) full.forget(id);
      expect(full.capture("c").created).toBe(true);
      expect(full.append(ids[10]!, "more").revision).toBe(2);
    });
  });

  it("[LIM-3] takes writes again when its limit is raised", async () => {
    await inSphere(({ owner, wake, storage }) => {
      owner.capture("a");
      const { databaseSize } = storage.sql;
      expect(errorOf(() => wake({ maxDatabaseBytes: databaseSize }).capture("b"))).toMatchObject(
        FULL,
      );
      expect(wake({ maxDatabaseBytes: databaseSize + 1 }).capture("b").created).toBe(true);
    });
  });

  it("[LIM-3] says the same when it is the platform that has no room", async () => {
    let room = true;
    const wrap = (storage: DurableObjectStorage) =>
      interceptingSql(storage, (exec, query, bindings) => {
        if (!room) throw new Error("database or disk is full: SQLITE_FULL");
        return exec(query, ...bindings);
      });
    await inSphere(
      ({ owner }) => {
        const [a, b] = [owner.capture("a").id, owner.capture("b").id];
        room = false;
        for (const write of growing(owner, a, b)) expect(errorOf(write)).toMatchObject(FULL);
        room = true;
        expect(owner.getCount()).toBe(2);
      },
      { wrap },
    );
  });
});

describe("the variable SPHERE_MAX_DATABASE_BYTES", () => {
  const settings = (value: unknown) => settingsOf({ SPHERE_MAX_DATABASE_BYTES: value });

  it.each([1_000_000, "1000000", 10_000_000_000])("[LIM-3] may be %j", (value) => {
    expect(settings(value)).toEqual({ maxDatabaseBytes: Number(value) });
  });

  it.each([{}, undefined, null])("[LIM-3] may be left out, of the environment %j", (env) => {
    expect(settingsOf(env)).toEqual({});
  });

  it.each([
    "",
    "lots",
    "9.5e9",
    "1 GB",
    " 2000000",
    "-1",
    -1,
    0,
    999_999,
    10_000_000_001,
    1e9 + 0.5,
    NaN,
    true,
    null,
    {},
  ])("[LIM-3] is refused in words when it is %j", (value) => {
    expect(errorOf(() => settings(value))).toMatchObject({
      code: "unavailable",
      message: `This Worker's variable SPHERE_MAX_DATABASE_BYTES must be a whole number of bytes from 1000000 to 10000000000, not ${JSON.stringify(value)}; its operator must correct it.`,
    });
  });
});
