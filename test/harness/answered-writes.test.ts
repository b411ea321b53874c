import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { connect } from "../../src/client/index.ts";
import { Workerd } from "./workerd.ts";
import { freshWorkspace, startWorkers, tokenFor } from "./workers.ts";

/*
 * [STO-10] in a runtime that is really ended. Each end comes after a given number of answers, while the
 * other calls are under way: where it meets them is chance, and what must hold is not.
 */

let workerd: Workerd;

beforeAll(async () => {
  workerd = await Workerd.open();
});

afterAll(() => workerd.close());

/** The calls of two agents, one a transport, and what became of them. */
async function writing(workspace: string, { end, after }: { end(): Promise<void>; after: number }) {
  const answered: string[] = [];
  const codes: unknown[] = [];
  const { promise: enough, resolve: endNow } = Promise.withResolvers<void>();
  const ended = enough.then(end);
  const agents = (["websocket", "batch"] as const).map(async (transport) => {
    const memory = await connected(workspace, transport);
    const calls = Array.from({ length: 60 }, async (_, n) => {
      const content = `${transport} ${n}: ${"the harbour closes at nine. ".repeat(10)}`;
      try {
        await memory.capture(content, { tags: ["port"] });
        answered.push(content);
        if (answered.length === after) endNow();
      } catch (error) {
        codes.push((error as { code: unknown }).code);
      }
    });
    await Promise.all(calls);
  });
  await Promise.all([...agents, ended]);
  return { answered, codes };
}

async function connected(workspace: string, transport: "websocket" | "batch") {
  const memory = connect({ url: workerd.url, token: await tokenFor(workspace), transport });
  onTestFinished(() => memory.close());
  return memory;
}

/** Every answered text is there, the database is sound, and what was not answered was told so. */
async function expectAllThere(
  workspace: string,
  { answered, codes }: Awaited<ReturnType<typeof writing>>,
) {
  const { entries, broken } = await workerd.inspect(workspace);
  const contents = entries.map((entry) => entry.content);
  expect(answered.filter((content) => !contents.includes(content))).toEqual([]);
  expect(broken).toEqual([]);
  expect(codes.filter((code) => code !== "unavailable")).toEqual([]);
}

describe("a write that was answered", () => {
  it.each([1, 30, 70])(
    "[STO-10] is there after the process was killed at answer %i",
    async (after) => {
      const workspace = freshWorkspace();
      const written = await writing(workspace, { end: () => workerd.kill(), after });
      await workerd.start();
      await expectAllThere(workspace, written);
    },
  );

  it.each([1, 30, 70])(
    "[STO-10] is there after its object was aborted at answer %i",
    async (after) => {
      const workspace = freshWorkspace();
      const written = await writing(workspace, { end: () => workerd.abort(workspace), after });
      await expectAllThere(workspace, written);
    },
  );

  it("[STO-10] is there after its object was evicted, and the session goes on", async () => {
    const workers = await startWorkers();
    onTestFinished(() => workers.close());
    const workspace = freshWorkspace();
    const memory = connect({ url: workers.url, token: await tokenFor(workspace) });
    onTestFinished(() => memory.close());
    const { id } = await memory.capture("The harbour closes at nine.");
    await workers.sphere.evictDurableObject("MiniSphere", { name: workspace });
    // What an object has counted since it woke shows that this is another one.
    expect((await memory.getStats()).usage).toEqual({});
    expect((await memory.recall("harbour")).hits).toMatchObject([{ id }]);
  });
});
