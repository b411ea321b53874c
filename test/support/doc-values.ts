import type { DocValues } from "../../src/storage/doc-values.ts";
import type { Sql } from "../../src/storage/sql.ts";

interface Facts {
  rid: number;
  kind: string | undefined;
  status: string | undefined;
  exhaust: number;
  mayExpire: number;
  occurredAt: number;
  tokenCount: number;
}

/** What memory says of every entry that it has, by rid. */
export function factsInMemory(values: DocValues): Facts[] {
  return Array.from({ length: values.size }, (_, rid) => rid)
    .filter((rid) => values.has(rid))
    .map((rid) => ({
      rid,
      kind: values.kind(rid),
      status: values.status(rid),
      exhaust: Number(values.exhaust(rid)),
      mayExpire: Number(values.mayExpire(rid)),
      occurredAt: values.occurredAt(rid),
      tokenCount: values.tokenCount(rid),
    }));
}

/** What it must say. */
export function factsOfEntries(sql: Sql): Facts[] {
  return sql.all<Facts>(
    `SELECT rid, kind, status, exhaust, expires_at IS NOT NULL AS mayExpire, occurred_at AS occurredAt,
       token_count AS tokenCount
     FROM entries ORDER BY rid`,
  );
}
