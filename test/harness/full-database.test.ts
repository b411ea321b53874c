import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { connect } from "../../src/client/index.ts";
import { Workerd } from "./workerd.ts";
import { freshWorkspace, tokenFor } from "./workers.ts";

/* [LIM-3] from outside: the variable of the Worker, and what an agent meets when the database is full. */

const LIMIT = 1_000_000;

let workerd: Workerd;

beforeAll(async () => {
  workerd = await Workerd.open();
});

afterAll(() => workerd.close());

async function connected(transport: "websocket" | "batch") {
  const token = await tokenFor(freshWorkspace());
  const memory = connect({ url: workerd.url, token, transport });
  onTestFinished(() => memory.close());
  return memory;
}

type Memory = Awaited<ReturnType<typeof connected>>;

/** Captures until that is refused; the ids of what is there then. */
async function fill(memory: Memory): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    try {
      ids.push(
        (await memory.capture(`Harbour log ${ids.length}. ${"Nothing came in. ".repeat(1_500)}`))
          .id,
      );
    } catch (error) {
      expect(error).toMatchObject({ code: "limit_exceeded" });
      return ids;
    }
  }
}

describe.each(["websocket", "batch"] as const)(
  "over a %s, a database at its size limit",
  (transport) => {
    let memory: Memory;
    let ids: string[];

    beforeEach(async () => {
      await workerd.kill();
      await workerd.start({ SPHERE_MAX_DATABASE_BYTES: LIMIT });
      memory = await connected(transport);
      ids = await fill(memory);
    });

    it("[LIM-3] refuses what would make it grow, and says what to do", async () => {
      const [a = "", b = ""] = ids;
      const growing = {
        capture: () => memory.capture("one more"),
        captureMany: () => memory.captureMany([{ content: "one more" }]),
        append: () => memory.append(a, "one more"),
        update: () => memory.update(a, "one more"),
        link: () => memory.link(a, b, "relates_to"),
      };
      for (const [method, call] of Object.entries(growing)) {
        await expect(call(), method).rejects.toMatchObject({
          code: "limit_exceeded",
          message: expect.stringContaining("forget entries that are no longer needed") as string,
          details: { maxDatabaseBytes: LIMIT },
        });
      }
    });

    it("[LIM-3] goes on with everything else, and takes writes again when enough is forgotten", async () => {
      const [a = "", ...rest] = ids;
      expect((await memory.recall("harbour log")).hits.length).toBeGreaterThan(0);
      expect((await memory.getEntry(a)).content).toMatch(/^Harbour log 0\./);
      expect((await memory.listRecent({ n: 100 })).entries).toHaveLength(ids.length);
      expect((await memory.getBrief()).counts).toBeDefined();
      expect(await memory.setStatus(a, "canonical")).toEqual({ id: a, revision: 2 });
      expect(await memory.unlink(a, rest[0]!, "relates_to")).toEqual({ removed: false });
      expect((await memory.runStalenessPass()).flagged).toBe(0);
      for (const id of rest.slice(0, 3)) await memory.forget(id);
      expect((await memory.capture("one more")).created).toBe(true);
    });
  },
);

describe("a limit that makes no sense", () => {
  it.each(["lots", 12, -1])("[LIM-3] is refused in words: %j", async (value) => {
    await workerd.kill();
    await workerd.start({ SPHERE_MAX_DATABASE_BYTES: value });
    for (const transport of ["websocket", "batch"] as const) {
      await expect((await connected(transport)).getCount()).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringContaining(
          `SPHERE_MAX_DATABASE_BYTES must be a whole number of bytes from 1000000 to 10000000000, not ${JSON.stringify(value)}`,
        ) as string,
      });
    }
  });
});
