import { execFile } from "node:child_process";
import { type AddressInfo, createServer } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Role } from "../../contracts/vocabulary.ts";
import { connect, hasErrorCode } from "../../src/client/index.ts";
import { callTool } from "../../src/client/tools.ts";
import { freshWorkspace, ROOT, startWorkers, tokenFor } from "./workers.ts";

const run = promisify(execFile);

let workers: Awaited<ReturnType<typeof startWorkers>>;

beforeAll(async () => {
  workers = await startWorkers();
});

afterAll(() => workers.close());

type Transport = "websocket" | "batch";

async function connected<R extends Role = "owner">(transport: Transport, role?: R) {
  const token = await tokenFor(freshWorkspace(), role);
  const memory = connect<R>({ url: workers.url, token, transport });
  onTestFinished(() => memory.close());
  return memory;
}

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A method that the type of the stub does not have. */
const untyped = (stub: object) => stub as Record<string, (...args: unknown[]) => Promise<unknown>>;

/** Requests that the Worker has answered at /rpc since the last time, seen from outside. */
async function countingFetch(work: () => Promise<unknown>): Promise<number> {
  const original = globalThis.fetch;
  let requests = 0;
  globalThis.fetch = (...args) => {
    requests += 1;
    return original(...args);
  };
  try {
    await work();
  } finally {
    globalThis.fetch = original;
  }
  return requests;
}

describe.each<Transport>(["websocket", "batch"])("[WIR-5] connect over a %s", (transport) => {
  it("gives the surface, again and again", async () => {
    const memory = await connected(transport);
    const { id } = await memory.capture("Sparrows build nests.", { tags: ["birds"] });
    expect((await memory.recall("sparrows")).hits).toMatchObject([{ id, tags: ["birds"] }]);
    expect(await memory.getCount()).toBe(1);
  });

  it("[WIR-2] pipelines: a call may use what another will answer", async () => {
    const memory = await connected(transport);
    const entry = await memory.getEntry(memory.capture("Sparrows build nests.").id);
    expect(entry.content).toBe("Sparrows build nests.");
  });

  it("[ERR-1] rejects with an error that has a code and details", async () => {
    const memory = await connected(transport);
    const error = await memory.getEntry("00000000").catch((thrown: unknown) => thrown);
    expect(hasErrorCode(error)).toBe(true);
    expect(error).toMatchObject({ code: "not_found", details: { id: "00000000" } });
  });

  it("[ACC-4] has no more methods than the role", async () => {
    const reader = await connected(transport, "reader");
    await expect(untyped(reader)["capture"]?.("x")).rejects.toMatchObject({ code: "forbidden" });
  });

  it("[ACC-8] hands on less, which stays usable like the stub itself", async () => {
    const memory = await connected(transport);
    const contributor = memory.asContributor();
    const { id } = await contributor.capture("A draft.");
    const reader = contributor.readOnly();
    expect((await reader.getEntry(id)).status).toBe("draft");
    expect(await reader.getCount()).toBe(1);
    await expect(untyped(reader)["capture"]?.("x")).rejects.toMatchObject({ code: "forbidden" });
  });

  it("[TOL-2] does what a model asks of its tools", async () => {
    const memory = await connected(transport);
    const { id } = (await callTool(memory, "memory_capture", {
      content: "Sparrows build nests.",
      tags: ["birds"],
    })) as { id: string };
    const found = await callTool(memory, "memory_recall", { query: "sparrows", topK: 1 });
    expect(found).toMatchObject({ hits: [{ id, tags: ["birds"] }] });
    await expect(callTool(memory, "memory_getEntry", {})).rejects.toMatchObject({
      code: "invalid_input",
    });
  });

  it("can be awaited, though it is not a promise", async () => {
    const memory = await connected(transport);
    expect(await (await memory).getCount()).toBe(0);
  });

  it("[TOK-2] rejects each call when the token is bad", async () => {
    const memory = connect({ url: workers.url, token: "not a token", transport });
    onTestFinished(() => memory.close());
    const calls = [memory.getCount(), memory.readOnly().getCount(), memory.getTags()];
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({ reason: { code: "unauthenticated" } });
    }
  });

  it("is unavailable, and names the address, when nothing listens there", async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const memory = connect({ url, token: "x", transport, retries: 0 });
    await expect(memory.getCount()).rejects.toMatchObject({
      code: "unavailable",
      message: `Cannot reach mini-sphere at ${url}/rpc; is it running there?`,
    });
  });

  it("is unavailable, and names the address, when something else answers there", async () => {
    const memory = connect({ url: `${workers.url}health/nothing`, token: "x", transport });
    await expect(memory.getCount()).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:unavailable|not_found)$/) as string,
    });
  });

  it("is unavailable once it is closed", async () => {
    const memory = await connected(transport);
    const reader = memory.readOnly();
    await reader.getCount();
    memory.close();
    for (const call of [memory.getCount(), reader.getCount()]) {
      await expect(call).rejects.toMatchObject({
        code: "unavailable",
        message: `The connection to ${workers.url}rpc was closed by close(); connect again.`,
      });
    }
  });

  it("is closed by disposing it", async () => {
    const memory = await connected(transport);
    memory[Symbol.dispose]();
    await expect(memory.getCount()).rejects.toMatchObject({ code: "unavailable" });
  });
});

describe("a batch", () => {
  it("[WIR-5] works inside a Worker", async () => {
    const response = await workers.agent.fetch("/", {
      method: "POST",
      body: JSON.stringify({ url: workers.url, token: await tokenFor(freshWorkspace()) }),
    });
    expect(await response.json()).toEqual({ content: "Written by a Worker.", code: "not_found" });
  });

  it("is one request for all calls of a tick", async () => {
    const memory = await connected("batch");
    const requests = await countingFetch(() =>
      Promise.all([memory.capture("a"), memory.capture("b"), memory.readOnly().getCount()]),
    );
    expect(requests).toBe(1);
  });

  it("is followed by another for the calls of a later tick", async () => {
    const memory = await connected("batch");
    const requests = await countingFetch(async () => {
      await memory.capture("a");
      await memory.capture("b");
    });
    expect(requests).toBe(2);
  });

  it("has answers for calls that are awaited one after the other", async () => {
    const memory = await connected("batch");
    const [first, second] = [memory.capture("a"), memory.getCount()];
    expect((await first).created).toBe(true);
    expect(await second).toBe(1);
    expect(await second).toBe(1);
  });

  it("cannot use the promise of another batch, and says what to do", async () => {
    const memory = await connected("batch");
    const captured = memory.capture("a");
    await captured;
    await expect(memory.getEntry(captured.id).then()).rejects.toMatchObject({
      code: "invalid_input",
      message: "A call cannot carry a promise of its caller; await it and send its value.",
    });
  });

  it("[WIR-3] rejects its calls with what the Worker said when it refuses the request", async () => {
    const memory = await connected("batch");
    const large = memory.captureMany([{ content: "x".repeat(8_000_001) }]);
    await expect(large).rejects.toMatchObject({
      code: "limit_exceeded",
      details: { maxBytes: 8_000_000 },
    });
    expect(await memory.getCount()).toBe(0);
  });
});

describe("connect", () => {
  it.each(["localhost:8787", "ws://localhost", "", "/rpc"])("refuses the url %j", (url) => {
    expect(() => connect({ url, token: "x" })).toThrow(/The url must be like/);
  });
});

describe("the built client, in plain Node", () => {
  beforeAll(() =>
    run(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.client.json"], {
      cwd: ROOT,
    }),
  );

  const script = `
    const { connect } = await import("mini-sphere/client");
    const [url, token, transport] = process.argv.slice(1);
    const memory = connect({ url, token, ...(transport && { transport }) });
    const { id } = await memory.capture("Written by Node.");
    const error = await memory.getEntry("00000000").catch((thrown) => thrown);
    console.log((await memory.getEntry(id)).content, error.code, typeof WebSocket);
    memory.close();
  `;

  it.each([
    ["websocket", [], "websocket", "function"],
    ["batch", [], "batch", "function"],
    ["default where there is a WebSocket", [], "", "function"],
    ["default where there is none", ["--no-experimental-websocket"], "", "undefined"],
  ])("[WIR-5] speaks by %s, and lets the process end", async (_, flags, transport, socket) => {
    const token = await tokenFor(freshWorkspace());
    const args = [...flags, "--input-type=module", "-e", script, workers.url, token, transport];
    const { stdout } = await run(process.execPath, args, { cwd: ROOT });
    expect(stdout).toBe(`Written by Node. not_found ${socket}\n`);
  });
});
