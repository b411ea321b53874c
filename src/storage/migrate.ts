import { MiniSphereError } from "../../contracts/index.ts";
import type { Migration } from "../../migrations/index.ts";
import { sha256Hex } from "../lib/hash.ts";
import type { Sql } from "./sql.ts";

interface AppliedRow {
  id: number;
  name: string;
  checksum: string;
}

/**
 * Brings the database up to the last migration, each one applied and recorded in one transaction ([STO-3]).
 * Throws, and changes nothing, when an applied migration was edited or is missing from the code ([STO-4]),
 * or when the database is newer than the code ([STO-4]).
 */
export function migrate(sql: Sql, migrations: readonly Migration[], now: number): void {
  sql.run(`CREATE TABLE IF NOT EXISTS schema_migrations (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL
  ) STRICT`);
  const applied = sql.all<AppliedRow>(
    "SELECT id, name, checksum FROM schema_migrations ORDER BY id",
  );
  assertIsPrefix(applied, migrations);

  for (const migration of migrations.slice(applied.length)) {
    sql.transaction(() => {
      sql.run(migration.sql);
      sql.run(
        "INSERT INTO schema_migrations (id, name, checksum, applied_at) VALUES (?, ?, ?, ?)",
        migration.id,
        migration.name,
        checksum(migration),
        now,
      );
    });
  }
}

function assertIsPrefix(applied: readonly AppliedRow[], migrations: readonly Migration[]): void {
  for (const [index, row] of applied.entries()) {
    const migration = migrations[index];
    if (migration === undefined) {
      throw refusal(
        `The database is newer than this code: it has migration ${row.name}, the code ends at ` +
          `${migrations.at(-1)?.name ?? "none"}. Deploy the newer code again.`,
      );
    }
    if (
      migration.id !== row.id ||
      migration.name !== row.name ||
      checksum(migration) !== row.checksum
    ) {
      throw refusal(
        `Migration ${row.name} was applied to this database, but the code's ${migration.name} differs ` +
          "from it. Restore the file as it was; put changes into a new migration.",
      );
    }
  }
}

/** Of the contract, so that its sentence reaches whoever asks, through every path; other code may serve. */
const refusal = (sentence: string) => new MiniSphereError("unavailable", sentence);

const CHECKSUMS = new WeakMap<Migration, string>();

/**
 * Line endings do not count: a checkout on another system must not look like an edit. Hashed once an isolate, not
 * by every object that wakes in it.
 */
function checksum(migration: Migration): string {
  const known = CHECKSUMS.get(migration);
  if (known !== undefined) return known;
  const hash = sha256Hex(migration.sql.replaceAll("\r\n", "\n"));
  CHECKSUMS.set(migration, hash);
  return hash;
}
