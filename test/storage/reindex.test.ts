import { describe, expect, it } from "vitest";
import { ANALYZER_VERSION } from "../../src/analysis/analyzer.ts";
import { dumpOf } from "../support/dump.ts";
import { expectInvariant } from "../support/invariant.ts";
import { NOW, inSphere } from "../support/sphere.ts";
import type { Bench } from "../support/sphere.ts";

/** Entries that one step indexes again. */
const STEP = 50;

describe("a database of an older analyzer", () => {
  it("[ANA-8] is indexed again when the object wakes, and stamped", async () => {
    await inSphere((bench) => {
      fill(bench, 20);
      spoil(bench);
      expect(bench.owner.recall("note", { observe: true }).hits).toEqual([]);

      const woken = bench.wake();
      expect(woken.recall("note", { observe: true }).hits.length).toBeGreaterThan(0);
      expect(bench.sql.all("SELECT * FROM meta")).toEqual([STAMP]);
      expectInvariant(bench.storage);
    });
  });

  it("[ANA-8] is indexed in steps of at most 50 entries, each wake and each write one of them", async () => {
    await inSphere((bench) => {
      fill(bench, 3 * STEP + 10);
      spoil(bench);
      const woken = bench.wake();
      expect(spoiled(bench)).toBe(2 * STEP + 10);
      woken.recall("note");
      woken.getEntry(woken.listRecent().entries[0]!.id);
      expect(spoiled(bench)).toBe(2 * STEP + 10);
      woken.capture("a write goes on");
      expect(spoiled(bench)).toBe(STEP + 10);
      woken.capture("and on");
      woken.capture("and to the end");
      expect(spoiled(bench)).toBe(0);
      expect(bench.sql.all("SELECT * FROM meta")).toEqual([STAMP]);
      expectInvariant(bench.storage);
    });
  });

  it("[ANA-8] whose walk is interrupted goes on where it stopped", async () => {
    await inSphere((bench) => {
      fill(bench, 2 * STEP + 10);
      spoil(bench);
      // Once more at the end: FTS5 writes out what it holds in memory at the next savepoint.
      for (const left of [STEP + 10, 10, 0, 0]) {
        bench.wake();
        expect(spoiled(bench)).toBe(left);
      }
      const before = dumpOf(bench.storage);
      bench.wake();
      expect(dumpOf(bench.storage)).toEqual(before);
      expectInvariant(bench.storage);
    });
  });

  it("[ANA-8] takes writes while the walk is under way, on either side of it", async () => {
    await inSphere((bench) => {
      fill(bench, 6 * STEP);
      spoil(bench);
      const woken = bench.wake();
      const ids = bench.sql
        .all<{ id: string }>("SELECT id FROM entries ORDER BY rid")
        .map(({ id }) => id);
      woken.update(ids[3]!, "changed behind the walk");
      woken.update(ids.at(-1)!, "changed before the walk");
      woken.forget(ids[10]!);
      woken.forget(ids.at(-2)!);
      expect(spoiled(bench)).toBeGreaterThan(0);
      woken.capture("captured before the walk");
      woken.capture("captured when it ends");
      expectInvariant(bench.storage);
    });
  });

  it("[ANA-8] whose index was made anew and empty is filled", async () => {
    await inSphere((bench) => {
      fill(bench, 20);
      spoil(bench);
      bench.sql.run("DELETE FROM entries_fts");
      bench.wake();
      expectInvariant(bench.storage);
    });
  });
});

const STAMP = { key: "analyzer_version", value: ANALYZER_VERSION };

function fill({ owner }: Bench, entries: number): void {
  const items = Array.from({ length: entries }, (_, index) => ({
    content: `note ${index}\nabout word${index} in 東京`,
    tags: [`tag${index % 3}`],
    occurredAt: NOW - index,
  }));
  owner.captureMany(items);
}

/** The index and the lengths as an analyzer that knew nothing left them. */
function spoil({ sql }: Bench): void {
  sql.run("UPDATE meta SET value = value - 1 WHERE key = 'analyzer_version'");
  sql.run("UPDATE entries_fts SET title = 'spoiled', body = '', stems = '', tags = ''");
  sql.run("UPDATE entries SET token_count = 99");
  sql.run(`UPDATE totals SET counts = json_set(counts, '$.entries', json((
    SELECT json_group_object(key, json_array(n, 99 * n)) FROM (
      SELECT kind || '|' || status || '|' || volatility || '|' || claim_tag AS key, count(*) AS n
      FROM entries GROUP BY key))))`);
}

const spoiled = ({ sql }: Bench) =>
  sql.one<{ n: number }>("SELECT count(*) AS n FROM entries_fts WHERE title = 'spoiled'").n;
