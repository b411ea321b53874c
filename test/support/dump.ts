/** A table of the database: its rows in a fixed order, blobs as hexadecimal digits. */
export type Dump = Record<string, Record<string, string | number | null>[]>;

/**
 * Every column of every row of every table there is, the schema and the shadow tables of the index included:
 * two equal dumps are two equal databases. The platform's own tables are left out.
 */
export function dumpOf(storage: DurableObjectStorage): Dump {
  const schema = rows(storage, "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name");
  const ours = schema.filter((row) => !String(row["name"]).startsWith("_cf_"));
  const tables = ours.filter((row) => row["type"] === "table").map((row) => String(row["name"]));
  return {
    sqlite_master: ours,
    ...Object.fromEntries(
      tables.map((table) => [table, rows(storage, `SELECT * FROM "${table}"`).sort(byText)]),
    ),
  };
}

function rows(storage: DurableObjectStorage, query: string) {
  return storage.sql
    .exec(query)
    .toArray()
    .map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [
          column,
          value instanceof ArrayBuffer ? hex(value) : value,
        ]),
      ),
    );
}

const hex = (bytes: ArrayBuffer) => new Uint8Array(bytes).toHex();

function byText(a: object, b: object): number {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
