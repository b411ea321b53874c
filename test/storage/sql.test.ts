import { describe, expect, it } from "vitest";
import { Sql } from "../../src/storage/sql.ts";
import { inSphere } from "../support/sphere.ts";

/** A table of this test's own, with the numbers 1 to 3. */
async function withNumbers(test: (sql: Sql) => void | Promise<void>) {
  await inSphere(async ({ storage }) => {
    const sql = new Sql(storage);
    sql.run("CREATE TABLE numbers (n INTEGER PRIMARY KEY) STRICT");
    sql.run("INSERT INTO numbers (n) VALUES (1), (2), (3)");
    await test(sql);
  });
}

const numbers = (sql: Sql) =>
  sql.all<{ n: number }>("SELECT n FROM numbers ORDER BY n").map((row) => row.n);

describe("a transaction", () => {
  it("[STO-1] gives what its callback returns, and keeps what it wrote", async () => {
    await withNumbers((sql) => {
      const result = sql.transaction(() => {
        sql.run("INSERT INTO numbers (n) VALUES (?)", 4);
        return "done";
      });
      expect(result).toBe("done");
      expect(numbers(sql)).toEqual([1, 2, 3, 4]);
    });
  });

  it("[STO-1] that throws leaves nothing", async () => {
    await withNumbers((sql) => {
      expect(() =>
        sql.transaction(() => {
          sql.run("DELETE FROM numbers");
          throw new Error("half way");
        }),
      ).toThrow("half way");
      expect(numbers(sql)).toEqual([1, 2, 3]);
    });
  });

  it("[STO-1] inside another is undone alone when it throws, and with it when that throws", async () => {
    await withNumbers((sql) => {
      const add = (n: number) => sql.run("INSERT INTO numbers (n) VALUES (?)", n);
      const addThenThrow = (n: number) => () => {
        add(n);
        throw new Error("inner");
      };
      sql.transaction(() => {
        add(4);
        expect(() => sql.transaction(addThenThrow(5))).toThrow("inner");
      });
      expect(numbers(sql)).toEqual([1, 2, 3, 4]);
      expect(() =>
        sql.transaction(() => {
          sql.transaction(() => add(6));
          throw new Error("outer");
        }),
      ).toThrow("outer");
      expect(numbers(sql)).toEqual([1, 2, 3, 4]);
    });
  });

  it("[STO-1] with an asynchronous callback is refused, and undone", async () => {
    await withNumbers((sql) => {
      const asynchronous = async () => sql.run("DELETE FROM numbers");
      expect(() => sql.transaction(asynchronous as unknown as () => never)).toThrow(
        "must not be asynchronous",
      );
      expect(numbers(sql)).toEqual([1, 2, 3]);
    });
  });
});

describe("a statement", () => {
  it("that should give one row throws when it gives none or two", async () => {
    await withNumbers((sql) => {
      expect(sql.one("SELECT n FROM numbers WHERE n = ?", 2)).toEqual({ n: 2 });
      expect(() => sql.one("SELECT n FROM numbers WHERE n = ?", 9)).toThrow("got none");
      expect(() => sql.one("SELECT n FROM numbers")).toThrow("got 3");
    });
  });

  it("that may give one row gives it or undefined, and throws when there are two", async () => {
    await withNumbers((sql) => {
      expect(sql.maybeOne("SELECT n FROM numbers WHERE n = ?", 2)).toEqual({ n: 2 });
      expect(sql.maybeOne("SELECT n FROM numbers WHERE n = ?", 9)).toBeUndefined();
      expect(() => sql.maybeOne("SELECT n FROM numbers")).toThrow("got 3");
    });
  });
});

describe("rows", () => {
  it("[CNT-4] are counted as read and written, over all statements of the work", async () => {
    await withNumbers((sql) => {
      const { result, counts } = sql.counted(() => {
        sql.run("INSERT INTO numbers (n) VALUES (4)");
        sql.run("DELETE FROM numbers WHERE n IN (1, 2)");
        return numbers(sql);
      });
      expect(result).toEqual([3, 4]);
      expect(counts.rowsWritten).toBe(3);
      expect(counts.rowsRead).toBeGreaterThanOrEqual(2);
    });
  });

  it("[CNT-4] before the work are not counted", async () => {
    await withNumbers((sql) => {
      sql.run("INSERT INTO numbers (n) VALUES (4)");
      const { counts } = sql.counted(() => null);
      expect(counts).toEqual({ rowsRead: 0, rowsWritten: 0, postingsRead: 0 });
    });
  });
});
