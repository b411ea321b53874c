import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MIGRATIONS } from "../../migrations/index.ts";
import { ANALYZER_VERSION } from "../../src/analysis/analyzer.ts";
import { CHUNK } from "../../src/storage/doc-values.ts";
import { migrate } from "../../src/storage/migrate.ts";
import type { Sql } from "../../src/storage/sql.ts";
import { factsInMemory, factsOfEntries } from "../support/doc-values.ts";
import { NOW, inSphere } from "../support/sphere.ts";
import type { Bench } from "../support/sphere.ts";
import { interceptingSql } from "../support/storage-proxy.ts";
import { undone, wakeStores } from "../support/stores.ts";
import type { AwakeStores } from "../support/stores.ts";
import { FaultyStorage, attempt, write } from "../support/writes.ts";

/*
 * CHUNK entries make a stored row. Rids begin at 1, so the first is stored with the CHUNK-th entry, which is the
 * first of the next.
 */

describe("after any sequence of writes, refused, failed and rolled back ones among them", () => {
  const fault = fc.oneof(fc.constant(0), fc.constant(0), fc.integer({ min: 1, max: 30 }));
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(write, fault) },
    { weight: 1, arbitrary: fc.constant("wake" as const) },
  );
  const steps = fc.array(step, { minLength: 5, maxLength: 20, size: "max" });

  it.each([
    ["without a stored row", 0],
    ["where the first row is about to be stored", CHUNK - 3],
    ["where the second is", 2 * CHUNK - 3],
    ["where two rows of entries that may be forgotten have just been stored", 2 * CHUNK],
  ])("[STO-11] doc values equal the entries, awake and just woken, %s", async (_what, entries) => {
    await inSphere((bench) => {
      fill(bench, entries);
      fc.assert(
        fc.property(steps, (given) => {
          undone(bench.storage, () => {
            const faulty = new FaultyStorage(bench.storage);
            bench.clock.now = NOW + 1;
            let awake = wakeStores(faulty.storage, bench.clock);
            for (const each of given) {
              if (each === "wake") awake = wakeStores(faulty.storage, bench.clock);
              else {
                faulty.after = each[1];
                attempt(awake.calls, bench.clock, each[0]);
                faulty.after = 0;
              }
              expectFacts(awake, bench.sql);
            }
            expectFacts(wakeStores(bench.storage, bench.clock), bench.sql);
          });
        }),
        { numRuns: 30 },
      );
    });
  });

  it("[STO-11] rids that are used again after the newest entries of a stored row were forgotten", async () => {
    await inSphere((bench) => {
      fill(bench, CHUNK);
      const { calls, ...awake } = wakeStores(bench.storage, bench.clock);
      for (const { id } of newest(bench.sql, 5)) calls.forget(id);
      calls.capture("another", { kind: "instruction", occurredAt: 7 });
      expect(bench.sql.one("SELECT max(rid) AS rid FROM entries")).toEqual({ rid: CHUNK - 4 });
      expectFacts({ calls, ...awake }, bench.sql);
      expectFacts(wakeStores(bench.storage, bench.clock), bench.sql);
    });
  });

  it("[STO-11] token counts follow a newer analyzer, in stored rows too", async () => {
    await inSphere((bench) => {
      fill(bench, CHUNK + 10);
      const awake = wakeStores(bench.storage, bench.clock);
      expectFacts(awake, bench.sql);
      bench.sql.run("UPDATE meta SET value = 0 WHERE key = 'analyzer_version'");
      bench.sql.run("UPDATE entries SET token_count = 99");
      const all = bench.sql.all<{ rid: number }>("SELECT rid FROM entries");
      awake.stores.docValues.restate(all.map(({ rid }) => rid));
      const { entries, index } = awake.stores;
      const step = () => index.reindexStep(50, (rid, n) => entries.saveTokenCount(rid, n));
      while (!step()) expectFacts(awake, bench.sql);
      expectFacts(awake, bench.sql);
      expectFacts(wakeStores(bench.storage, bench.clock), bench.sql);
    });
  });
});

describe("the stored rows", () => {
  it("[STO-6] cost one row more to write, in the capture that completes one", async () => {
    await inSphere((bench) => {
      fill(bench, CHUNK - 2);
      const awake = wakeStores(bench.storage, bench.clock);
      const written = Array.from({ length: 5 }, (_, at) => {
        const { counts } = awake.sql.counted(() => awake.calls.capture(`more ${at}`));
        return [counts.rowsWritten, chunksOf(bench.sql)] as const;
      });
      const usual = written[0]![0];
      expect(written).toEqual([
        [usual, 0],
        [usual + 1, 1],
        [usual, 1],
        [usual, 1],
        [usual, 1],
      ]);
    });
  });

  it("[STO-11] are written again when a value of theirs moves, and only then", async () => {
    await inSphere((bench) => {
      fill(bench, CHUNK);
      let written = 0;
      const watched = interceptingSql(bench.storage, (exec, query, bindings) => {
        if (query.includes("INTO doc_values")) written += 1;
        return exec(query, ...bindings);
      });
      const { calls } = wakeStores(watched, bench.clock);
      const sealed = bench.sql.one<{ id: string }>("SELECT id FROM entries WHERE rid = 7").id;
      const unsealed = calls.capture("not in a stored row").id;
      const writes = (act: (id: string) => unknown) =>
        [sealed, unsealed].map((id) => {
          written = 0;
          act(id);
          return written;
        });
      expect(writes((id) => calls.setStatus(id, "canonical"))).toEqual([1, 0]);
      expect(writes((id) => calls.setStatus(id, "canonical"))).toEqual([0, 0]);
      expect(writes((id) => calls.update(id, null, { kind: "semantic" }))).toEqual([1, 0]);
      expect(writes((id) => calls.update(id, null, { expiresAt: NOW + 1_000 }))).toEqual([1, 0]);
      expect(writes((id) => calls.update(id, null, { expiresAt: NOW + 2_000 }))).toEqual([0, 0]);
      expect(writes((id) => calls.update(id, null, { source: "wiki" }))).toEqual([0, 0]);
      expect(writes((id) => calls.update(id, null, { tags: ["t"] }))).toEqual([0, 0]);
      expect(writes((id) => calls.update(id, `${id} has more words now`))).toEqual([1, 0]);
      expect(writes((id) => calls.forget(id))).toEqual([1, 0]);
    });
  });

  it("[STO-11] make a woken object read one row for all of their entries, and one for each newer entry", async () => {
    await inSphere((bench) => {
      fill(bench, 5_000);
      const rows = Math.floor(5_000 / CHUNK);
      expect(chunksOf(bench.sql)).toBe(rows);
      const awake = wakeStores(bench.storage, bench.clock);
      const { counts } = awake.sql.counted(() => awake.stores.docValues.size);
      // The last stored row is asked for too; rids begin at 1.
      expect(counts).toEqual({
        rowsRead: 0,
        rowsWritten: 0,
        postingsRead: 1 + rows + (5_001 - rows * CHUNK),
      });
      const again = awake.sql.counted(() => awake.stores.docValues.kind(17));
      expect(again.counts.postingsRead).toBe(0);
      expectFacts(awake, bench.sql);
    });
  });
});

describe("a database that has none of the rows", () => {
  it("[STO-11] of an earlier level: entries say it all, and each capture stores one row until all are", async () => {
    await inSphere(async (bench) => {
      await bench.storage.deleteAll();
      migrate(bench.sql, MIGRATIONS.slice(0, 1), NOW);
      insertAtLevelOne(bench.sql, 3 * CHUNK + 100);
      migrate(bench.sql, MIGRATIONS, NOW);
      const awake = wakeStores(bench.storage, bench.clock);
      expectFacts(awake, bench.sql);
      const chunks = Array.from({ length: 4 }, (_, at) => {
        awake.calls.capture(`a later one ${at}`);
        expectFacts(awake, bench.sql);
        expectFacts(wakeStores(bench.storage, bench.clock), bench.sql);
        return chunksOf(bench.sql);
      });
      expect(chunks).toEqual([1, 2, 3, 3]);
    });
  });
});

function fill({ owner, clock }: Bench, entries: number): void {
  for (let from = 0; from < entries; from += 500) {
    owner.captureMany(
      Array.from({ length: Math.min(500, entries - from) }, (_, at) => ({
        content: `entry ${from + at} ${"more ".repeat(at % 7)}`,
        kind: (["episodic", "semantic", "instruction"] as const)[at % 3]!,
        status: (["canonical", "draft", "deprecated"] as const)[(at % 5) % 3]!,
        occurredAt: NOW - ((at * 7_919) % 100_000),
        ...(at % 11 === 0 && { expiresAt: NOW + at }),
        ...(at % 13 === 0 && { tags: ["auto-pattern"] }),
      })),
    );
  }
  clock.now = NOW;
}

function expectFacts({ stores }: AwakeStores, sql: Sql): void {
  expect(factsInMemory(stores.docValues)).toEqual(factsOfEntries(sql));
}

const chunksOf = (sql: Sql) => sql.one<{ n: number }>("SELECT count(*) AS n FROM doc_values").n;

const newest = (sql: Sql, n: number) =>
  sql.all<{ id: string }>("SELECT id FROM entries ORDER BY rid DESC LIMIT ?", n);

function insertAtLevelOne(sql: Sql, entries: number): void {
  sql.run("INSERT INTO meta (key, value) VALUES ('analyzer_version', ?)", ANALYZER_VERSION);
  sql.run(
    `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?1)
     INSERT INTO entries (id, hash, content, kind, status, volatility, claim_tag, importance, exhaust, origin,
       actor, occurred_at, created_at, updated_at, expires_at, revision, token_count)
     SELECT printf('%08x', n), CAST(n AS BLOB), 'entry ' || n,
       CASE n % 3 WHEN 0 THEN 'episodic' WHEN 1 THEN 'semantic' ELSE 'instruction' END,
       CASE n % 5 WHEN 0 THEN 'canonical' WHEN 1 THEN 'deprecated' ELSE 'draft' END,
       'durable', 'UNKNOWN', 0, n % 7 = 0, '{}', 'test', n * 1000, n, n, iif(n % 11, NULL, n), 1, n % 50
     FROM n`,
    entries,
  );
}
