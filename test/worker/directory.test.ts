import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TickRecord } from "../../contracts/maintenance.ts";
import { DirectoryStore } from "../../src/storage/directory.ts";
import { Sql } from "../../src/storage/sql.ts";
import { homeShard, shardCount } from "../../src/worker/directory.ts";

const FAR = 10_000;
const LEASE = 1_000;
const MINUTE = 60_000;

/** A directory that no other test writes to. */
const fresh = () => env.DIRECTORY.getByName(crypto.randomUUID());
type Directory = ReturnType<typeof fresh>;

let claims = 0;

/** Claims what is due at `now`, and gives back names in order, and what settles the claim. */
async function claim(directory: Directory, now = FAR, limit = 100) {
  const name = `claim-${++claims}`;
  const { claimed, left } = await directory.claim({ now, limit, leaseUntil: now + LEASE }, name);
  const settle = (workspace: string, nextDueAt: number | null, progressed = true) =>
    directory.settle([{ workspace, claim: name, nextDueAt, progressed }], now);
  const fail = (workspace: string, error = "internal") =>
    directory.settle([{ workspace, claim: name, error }], now);
  const release = (workspace: string) =>
    directory.settle([{ workspace, claim: name, released: true }], now);
  return { names: claimed.map((each) => each.workspace), left, settle, fail, release };
}

const dueAtOf = async (directory: Directory, workspace = "lab") =>
  (await directory.find(workspace))?.dueAt;

describe("[MNT-6] the directory", () => {
  it("keeps the earlier of the times it is told", async () => {
    const directory = fresh();
    for (const dueAt of [300, 100, 200]) await directory.note("lab", dueAt);
    expect(await dueAtOf(directory)).toBe(100);
  });

  it("replaces the time that a pass was run for", async () => {
    const directory = fresh();
    await directory.note("lab", 100);
    await (await claim(directory)).settle("lab", 50_000);
    expect(await dueAtOf(directory)).toBe(50_000);
  });

  it("forgets a workspace that is never due again", async () => {
    const directory = fresh();
    await directory.note("lab", 100);
    await (await claim(directory)).settle("lab", null);
    expect(await directory.find("lab")).toBeNull();
  });

  it("loses nothing that is noted, whatever happens in between", async () => {
    const time = fc.integer({ min: 1, max: FAR });
    const step = fc.oneof(
      fc.record({ note: time }),
      // A pass: `next` is what the object found, `meanwhile` what was noted between claim and settling.
      fc.record({
        next: fc.option(time),
        meanwhile: fc.array(time, { maxLength: 3 }),
        end: fc.constantFrom("done", "failed", "released", "died"),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const directory = fresh();
        let now = FAR;
        let earliest = Infinity;
        for (const each of steps) {
          // Beyond every lease and wait of the step before.
          now += 100 * 24 * 60 * MINUTE;
          if ("note" in each) {
            await directory.note("lab", each.note);
            earliest = Math.min(earliest, each.note);
          } else {
            const { names, settle, fail, release } = await claim(directory, now);
            for (const dueAt of each.meanwhile) await directory.note("lab", dueAt);
            if (each.end === "done") await settle("lab", each.next);
            if (each.end === "failed") await fail("lab");
            if (each.end === "released") await release("lab");
            const claimed = names.length > 0;
            if (claimed && each.end === "done") earliest = each.next ?? Infinity;
            earliest = Math.min(earliest, ...each.meanwhile);
          }
          expect((await directory.find("lab"))?.dueAt ?? Infinity).toBeLessThanOrEqual(earliest);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe("[MNT-9] a claim", () => {
  it("takes what is due, longest due first, then by name, and says what else is due", async () => {
    const directory = fresh();
    const times = { c: 200, b: 200, a: 300, d: 100 };
    for (const [name, dueAt] of Object.entries(times)) await directory.note(name, dueAt);
    expect((await claim(directory, 99)).names).toEqual([]);
    const { names, left } = await claim(directory, 250, 2);
    expect([names, left]).toEqual([["d", "b"], 1]);
    expect((await claim(directory, 250, 2)).names).toEqual(["c"]);
  });

  it("is nobody else's until it is settled", async () => {
    const directory = fresh();
    await directory.note("lab", 100);
    const { settle } = await claim(directory, 200);
    expect((await claim(directory, 200 + LEASE - 1)).names).toEqual([]);
    await settle("lab", 150);
    expect((await claim(directory, 200)).names).toEqual(["lab"]);
  });

  it("ends with its lease when nobody settles it", async () => {
    const directory = fresh();
    await directory.note("lab", 100);
    await claim(directory, 200);
    expect((await claim(directory, 200 + LEASE)).names).toEqual(["lab"]);
  });

  it("changes nothing once the workspace was given to somebody else", async () => {
    const directory = fresh();
    await directory.note("lab", 100);
    const late = await claim(directory, 200);
    const second = await claim(directory, 200 + LEASE);
    await late.settle("lab", null);
    await late.fail("lab");
    expect(await directory.find("lab")).toMatchObject({ dueAt: 100, failures: 0 });
    await second.settle("lab", 5_000);
    expect(await dueAtOf(directory)).toBe(5_000);
  });

  it.each([
    [50, 5_000, 50],
    [3_000, 5_000, 3_000],
    [6_000, 5_000, 5_000],
    [3_000, null, 3_000],
  ])(
    "keeps a time of %j that is noted under it beside the pass's %j",
    async (noted, next, kept) => {
      const directory = fresh();
      await directory.note("lab", 100);
      const { settle } = await claim(directory, 200);
      await directory.note("lab", noted);
      await settle("lab", next);
      expect(await dueAtOf(directory)).toBe(kept);
      expect((await claim(directory, kept)).names).toEqual(["lab"]);
    },
  );

  it("[MNT-10] that is given back is due as before", async () => {
    const directory = fresh();
    await directory.note("lab", 100);
    await (await claim(directory, 200)).release("lab");
    expect((await claim(directory, 200)).names).toEqual(["lab"]);
  });

  it("waits for the next tick when its pass did nothing and reports due work", async () => {
    const directory = fresh();
    await directory.note("lab", 100);
    await (await claim(directory, 200)).settle("lab", 100, false);
    expect((await claim(directory, 200)).names).toEqual([]);
    expect((await claim(directory, 201)).names).toEqual(["lab"]);
  });
});

describe("[MNT-11] a workspace whose pass fails", () => {
  it("waits 15 minutes, then twice as long each time, up to a day", async () => {
    const directory = fresh();
    await directory.note("lab", 0);
    let now = 0;
    const waits: number[] = [];
    for (let failure = 0; failure < 9; failure++) {
      await (await claim(directory, now)).fail("lab");
      const readyAt = (await directory.find("lab"))?.readyAt ?? 0;
      waits.push((readyAt - now) / MINUTE);
      expect((await claim(directory, readyAt - 1)).names).toEqual([]);
      now = readyAt;
    }
    expect(waits).toEqual([15, 30, 60, 120, 240, 480, 960, 1440, 1440]);
  });

  it("is on record with its failures and the last code, and not after a success", async () => {
    const directory = fresh();
    await directory.note("lab", 0);
    await (await claim(directory, 0)).fail("lab", "unavailable");
    await (await claim(directory, 15 * MINUTE)).fail("lab", "internal");
    expect((await directory.failing(10)).map((each) => ({ ...each }))).toEqual([
      { workspace: "lab", dueAt: 0, readyAt: 45 * MINUTE, failures: 2, error: "internal" },
    ]);
    await (await claim(directory, 45 * MINUTE)).settle("lab", 9_000_000);
    expect(await directory.failing(10)).toEqual([]);
  });

  it("does not come forward by being written to", async () => {
    const directory = fresh();
    await directory.note("lab", 100);
    await (await claim(directory, 200)).fail("lab");
    await directory.note("lab", 50);
    expect((await claim(directory, 200)).names).toEqual([]);
    expect(await dueAtOf(directory)).toBe(50);
  });
});

describe("[MNT-8] the shards", () => {
  const withShards = (DIRECTORY_SHARDS: string | number) => ({ ...env, DIRECTORY_SHARDS });

  it("share the workspaces evenly", () => {
    const counts = new Map<number, number>();
    for (let n = 0; n < 8_000; n++) {
      const shard = homeShard(withShards(8), `workspace-${n}`);
      counts.set(shard, (counts.get(shard) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(Math.min(...counts.values())).toBeGreaterThan(900);
  });

  it.each([0, 257, 1.5, "many", ""])("are not %j", (shards) => {
    expect(() => shardCount(withShards(shards))).toThrow(/whole number from 1 to 256/);
  });

  it("are as many as the variable says, as a number or a string", () => {
    expect([shardCount(withShards(3)), shardCount(withShards("4"))]).toEqual([3, 4]);
  });
});

describe("[MNT-12] the record of ticks", () => {
  const tick = (n: number): TickRecord => ({
    event: "tick",
    tick: n,
    visited: 1,
    flagged: 2,
    expired: 3,
    failed: 4,
    leftOver: 5,
    calls: 6,
    ms: 7,
    unreachable: 8,
    failedCalls: 9,
  });

  it("gives them back as they were told, newest first", async () => {
    const directory = fresh();
    await directory.recordTick(tick(1));
    await directory.recordTick(tick(2));
    const ticks = await directory.ticks(10);
    expect(ticks.map((each) => ({ ...each }))).toEqual([tick(2), tick(1)]);
  });

  it("keeps the newest 1,000", async () => {
    const directory = fresh();
    await runInDurableObject(directory, (instance) => {
      for (let n = 1; n <= 1_003; n++) instance.recordTick(tick(n));
    });
    const ticks = await directory.ticks(2_000);
    expect([ticks.length, ticks.at(-1)?.tick]).toEqual([1_000, 4]);
  });
});

it("[MNT-8] a directory of the first version keeps what it knew", async () => {
  await runInDurableObject(env.SPHERES.getByName(crypto.randomUUID()), (_, { storage }) => {
    // An object of another class, whose storage is empty of tables of these names.
    storage.sql.exec("DROP TABLE schema_migrations");
    storage.sql
      .exec(`CREATE TABLE due_workspaces (workspace TEXT PRIMARY KEY, due_at INTEGER NOT NULL,
      later_at INTEGER) STRICT, WITHOUT ROWID`);
    storage.sql.exec("INSERT INTO due_workspaces VALUES ('lab', 100, 300), ('other', 200, NULL)");
    const store = new DirectoryStore(new Sql(storage), 0);
    expect(store.find("lab")).toMatchObject({ dueAt: 100, readyAt: 100, failures: 0 });
    expect(store.claim(200, 10, "a", 300).map((each) => each.workspace)).toEqual(["lab", "other"]);
  });
});
