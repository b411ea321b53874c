import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import {
  CLAIM_TAGS,
  EDGE_TYPES,
  KINDS,
  PROVENANCES,
  STATUSES,
  VOLATILITIES,
} from "../../contracts/index.ts";
import type { Migration } from "../../migrations/index.ts";
import { MIGRATIONS } from "../../migrations/index.ts";
import { Sphere } from "../../src/gadget/sphere.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { Sql } from "../../src/storage/sql.ts";
import { dumpOf } from "../support/dump.ts";
import { interceptingSql } from "../support/storage-proxy.ts";
import { NOW, inSphere } from "../support/sphere.ts";

const FIRST: Migration = {
  id: 1,
  name: "0001_books",
  sql: "CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL) STRICT;\nCREATE INDEX books_by_title ON books (title);",
};
const SECOND: Migration = {
  id: 2,
  name: "0002_years",
  sql: "ALTER TABLE books ADD COLUMN year INTEGER;\nUPDATE books SET year = 1900 + id;",
};

/** Storage of an object that no sphere has touched, apart from its tables being dropped. */
async function inEmptyStorage(
  test: (storage: DurableObjectStorage, sql: Sql) => void | Promise<void>,
) {
  const stub = env.SPHERES.getByName(crypto.randomUUID());
  await runInDurableObject(stub, async (_instance, { storage }) => {
    await storage.deleteAll();
    expect(dumpOf(storage)).toEqual({ sqlite_master: [] });
    await test(storage, new Sql(storage));
  });
}

describe("a new database", () => {
  it("[STO-3] has the same schema as one that was migrated step by step", async () => {
    const schemas: unknown[] = [];
    for (const steps of [[[FIRST, SECOND]], [[FIRST], [FIRST, SECOND]]]) {
      await inEmptyStorage((storage, sql) => {
        for (const migrations of steps) migrate(sql, migrations, NOW);
        schemas.push(dumpOf(storage));
      });
    }
    expect(schemas[1]).toEqual(schemas[0]);
  });

  it("[STO-3] records each migration with a checksum and a time", async () => {
    await inEmptyStorage((_storage, sql) => {
      migrate(sql, [FIRST, SECOND], NOW);
      expect(sql.all("SELECT * FROM schema_migrations ORDER BY id")).toEqual([
        { id: 1, name: "0001_books", checksum: expect.stringMatching(HEX), applied_at: NOW },
        { id: 2, name: "0002_years", checksum: expect.stringMatching(HEX), applied_at: NOW },
      ]);
    });
  });

  it("[STO-3] of a workspace holds exactly these tables, indexes and triggers", async () => {
    await inSphere(({ storage }) => {
      const { sqlite_master: schema } = dumpOf(storage);
      const names = schema!.map((row) => `${row["type"]} ${row["name"]}`);
      expect(names.filter((name) => !name.includes("autoindex")).sort()).toEqual(WORKSPACE_SCHEMA);
    });
  });

  it("[STO-3] of a workspace checks the closed sets of the contract", async () => {
    await inSphere(({ storage }) => {
      const { sqlite_master: schema } = dumpOf(storage);
      const checked = schema!.flatMap((row) =>
        [...String(row["sql"]).matchAll(/CHECK \((\w+) IN \(('[^)]*')\)/g)].map(
          ([, column, set]) => [column, set!.split(/,\s+/).map((value) => value.slice(1, -1))],
        ),
      );
      expect(Object.fromEntries(checked)).toEqual({
        kind: KINDS,
        status: STATUSES,
        volatility: VOLATILITIES,
        claim_tag: CLAIM_TAGS,
        type: EDGE_TYPES,
        provenance: PROVENANCES,
      });
    });
  });
});

describe("a database with data", () => {
  it("[STO-3] keeps it through a later migration", async () => {
    await inEmptyStorage((_storage, sql) => {
      migrate(sql, [FIRST], NOW);
      sql.run("INSERT INTO books (id, title) VALUES (1, 'Ulysses'), (22, 'Ada')");
      migrate(sql, [FIRST, SECOND], NOW + 1);
      expect(sql.all("SELECT * FROM books ORDER BY id")).toEqual([
        { id: 1, title: "Ulysses", year: 1901 },
        { id: 22, title: "Ada", year: 1922 },
      ]);
    });
  });

  it("[STO-3] of a workspace serves after a migration that comes later, and not the code before it", async () => {
    await inSphere(({ owner, wake, sql }) => {
      const { id } = owner.capture("the old archive");
      const later = {
        id: MIGRATIONS.length + 1,
        name: "later",
        sql: "ALTER TABLE entries ADD COLUMN extra TEXT;",
      };
      migrate(sql, [...MIGRATIONS, later], NOW);
      expect(() => wake()).toThrow("newer than this code");
      expect(sql.one("SELECT id, extra FROM entries")).toEqual({ id, extra: null });
      expect(owner.recall("archive").hits.map((hit) => hit.id)).toEqual([id]);
    });
  });

  it("[STO-3] is not written by a second start", async () => {
    await inSphere(({ owner, storage }) => {
      owner.capture("something", { tags: ["a"] });
      const before = dumpOf(storage);
      const written: number[] = [];
      const watched = interceptingSql(storage, (exec, query, bindings) => {
        const cursor = exec(query, ...bindings);
        written.push(cursor.rowsWritten);
        return cursor;
      });
      expect(() => new Sphere({ storage: watched, clock: () => NOW + 1_000 })).not.toThrow();
      expect(written.length).toBeGreaterThan(0);
      expect(written.filter((rows) => rows > 0)).toEqual([]);
      expect(dumpOf(storage)).toEqual(before);
    });
  });
});

describe("a start that fails", () => {
  it("[STO-3] inside a migration leaves nothing of it, and the earlier ones done", async () => {
    await inEmptyStorage((storage, sql) => {
      migrate(sql, [FIRST], NOW);
      sql.run("INSERT INTO books (id, title) VALUES (1, 'Ulysses')");
      const before = dumpOf(storage);
      const broken = { ...SECOND, sql: `${SECOND.sql}\nINSERT INTO nowhere VALUES (1);` };
      expect(() => migrate(sql, [FIRST, broken], NOW)).toThrow("nowhere");
      expect(dumpOf(storage)).toEqual(before);
      migrate(sql, [FIRST, SECOND], NOW);
      expect(sql.one("SELECT year FROM books")).toEqual({ year: 1901 });
    });
  });

  it("[STO-3] between a migration and its record leaves nothing of it", async () => {
    await inEmptyStorage((storage) => {
      const failing = interceptingSql(storage, (exec, query, bindings) => {
        if (query.includes("INSERT INTO schema_migrations")) throw new Error("injected");
        return exec(query, ...bindings);
      });
      expect(() => new Sphere({ storage: failing })).toThrow("injected");
      expect(dumpOf(storage)).toMatchObject({
        sqlite_master: [{ name: "schema_migrations" }],
        schema_migrations: [],
      });
      expect(() => new Sphere({ storage })).not.toThrow();
      expect(dumpOf(storage)["schema_migrations"]).toHaveLength(MIGRATIONS.length);
    });
  });
});

describe("a recorded history", () => {
  const refusals: [string, Migration[], Migration[], RegExp][] = [
    ["whose file was edited", [FIRST, SECOND], [FIRST, edited(SECOND)], /0002_years.*differs/],
    [
      "whose first file was edited",
      [FIRST, SECOND],
      [edited(FIRST), SECOND],
      /0001_books.*differs/,
    ],
    [
      "whose file was renamed",
      [FIRST],
      [{ ...FIRST, name: "0001_novels" }],
      /0001_books.*0001_novels/,
    ],
    ["that is newer than the code", [FIRST, SECOND], [FIRST], /newer.*0002_years.*0001_books/],
    ["that the code has nothing of", [FIRST], [], /newer.*0001_books.*none/],
  ];

  it.each(refusals)(
    "[STO-4] %s is refused in words, and not touched",
    async (_what, was, is, words) => {
      await inEmptyStorage((storage, sql) => {
        migrate(sql, was, NOW);
        const before = dumpOf(storage);
        expect(() => migrate(sql, is, NOW)).toThrow(words);
        expect(dumpOf(storage)).toEqual(before);
      });
    },
  );

  it("[STO-4] with a gap is refused in words, and not touched", async () => {
    await inEmptyStorage((storage, sql) => {
      migrate(sql, [FIRST, SECOND], NOW);
      sql.run("DELETE FROM schema_migrations WHERE id = 1");
      const before = dumpOf(storage);
      expect(() => migrate(sql, [FIRST, SECOND], NOW)).toThrow(/0002_years.*0001_books/);
      expect(dumpOf(storage)).toEqual(before);
    });
  });

  it("[STO-4] is not edited by a checkout with other line endings", async () => {
    await inEmptyStorage((storage, sql) => {
      migrate(sql, [FIRST, SECOND], NOW);
      const before = dumpOf(storage);
      const windows = [FIRST, SECOND].map((each) => ({
        ...each,
        sql: each.sql.replaceAll("\n", "\r\n"),
      }));
      migrate(sql, windows, NOW);
      expect(dumpOf(storage)).toEqual(before);
    });
  });

  it("[STO-4] that is refused keeps the workspace from opening", async () => {
    await inSphere(({ sql, storage, wake }) => {
      sql.run("UPDATE schema_migrations SET checksum = 'edited'");
      const before = dumpOf(storage);
      expect(() => wake()).toThrow(/0001_init.*differs/);
      expect(dumpOf(storage)).toEqual(before);
    });
  });
});

const HEX = /^[0-9a-f]{64}$/;

function edited(migration: Migration): Migration {
  return { ...migration, sql: `${migration.sql} -- an afterthought\n` };
}

const WORKSPACE_SCHEMA = [
  "index edges_by_ends",
  "index edges_out",
  "index entries_by_created",
  "index entries_by_kind",
  "index entries_by_occurred",
  "index entries_due",
  "index entries_expiring",
  "index entries_stale",
  "index events_by_action",
  "index tags_by_entry",
  "index vectors_outdated",
  "table doc_values",
  "table edges",
  "table entries",
  "table entries_fts",
  "table entries_fts_config",
  "table entries_fts_content",
  "table entries_fts_data",
  "table entries_fts_docsize",
  "table entries_fts_idx",
  "table entries_postings",
  "table entries_vocab",
  "table events",
  "table meta",
  "table recalls",
  "table revisions",
  "table runs",
  "table schema_migrations",
  "table tag_counts",
  "table tags",
  "table totals",
  "table vectors",
];
