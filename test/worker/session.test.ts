import { createExecutionContext, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Role, RoleApi } from "../../contracts/index.ts";
import { workspaceHash } from "../../src/worker/log.ts";
import worker from "../../src/worker/main.ts";
import {
  answersOf,
  call,
  freshWorkspace,
  messages,
  openSession,
  openSocket,
  tokenFor,
} from "./wire.ts";

/** A capability over a socket, which is closed when the test ends. */
async function connected(
  role: Role = "owner",
  workspace = freshWorkspace(),
): Promise<RoleApi<"owner">> {
  const root = await openSession();
  onTestFinished(() => root[Symbol.dispose]());
  return root.authenticate(await tokenFor(workspace, role)) as unknown as RoleApi<"owner">;
}

const forbidden = (method: string) => ({
  code: "forbidden",
  message: `This capability has no method "${method}".`,
  details: { method },
});

describe("a session over a WebSocket", () => {
  it("[WIR-1] captures, recalls and refuses as the object itself does", async () => {
    const workspace = freshWorkspace();
    const api = await connected("owner", workspace);
    const { id } = await api.capture("Sparrows build nests.", { tags: ["Birds"] });
    const native = env.SPHERES.getByName(workspace);
    expect(await api.getEntry(id)).toEqual(await native.getEntry(id));
    expect(await api.listRecent()).toEqual(await native.listRecent());
    expect(await api.getTags()).toEqual(await native.getTags());
    expect((await api.recall("sparrows")).hits.map((hit) => hit.id)).toEqual([id]);
  });

  it.each([
    ["getEntry", ["00000000"]],
    ["recall", ["x", { topK: 0 }]],
    ["recall", ["x", { topk: 3 }]],
    ["recall", ["\u0000"]],
    ["recall", []],
    ["capture", ["x", { claimTag: "VERIFIED" }]],
    ["getCount", [1]],
  ] as const)("[WIR-1] %s %j is refused in the words of the native path", async (method, args) => {
    const workspace = freshWorkspace();
    const overWire = await call(await connected("owner", workspace), method, ...args).catch(
      (error: unknown) => error,
    );
    const { code, message, details } = await runInDurableObject(
      env.SPHERES.getByName(workspace),
      (sphere) => call(sphere, method, ...args).catch((error: unknown) => error),
    ).then((error) => error as { code: string; message: string; details: unknown });
    expect(overWire).toMatchObject({ code, message, details });
  });

  it("[ACC-1] reaches the workspace of its token only", async () => {
    const [a, b] = [await connected(), await connected()];
    const { id } = await a.capture("Only here.");
    await expect(b.getEntry(id)).rejects.toMatchObject({ code: "not_found" });
    expect(await b.getCount()).toBe(0);
  });

  it("[WIR-4] leaves the object free to sleep, and goes on when it wakes", async () => {
    const workspace = freshWorkspace();
    const api = await connected("owner", workspace);
    await api.capture("Before it slept.");
    await evictDurableObject(env.SPHERES.getByName(workspace));
    expect(await api.getCount()).toBe(1);
  });

  it("carries 2,000 parallel calls", async () => {
    const api = await connected("reader");
    const counts = await Promise.all(Array.from({ length: 2_000 }, () => api.getCount()));
    expect(counts).toEqual(counts.map(() => 0));
  });
});

describe("[ACC-4] the same forbidden for what is not there and what the role lacks", () => {
  it.each(["#grant", "role", "call", "fetch", "sql", "env", "ctx"])("%s", async (name) => {
    const reader = await connected("reader");
    await expect(call(reader, name)).rejects.toMatchObject(forbidden(name));
  });

  it.each(["capture", "forget", "runStalenessPass", "asContributor", "authenticate"])(
    "%s, of a reader",
    async (name) => {
      const reader = await connected("reader");
      await expect(call(reader, name, "x")).rejects.toMatchObject(forbidden(name));
    },
  );

  it.each(["recall", "getCount", "readOnly"])("%s, of a maintainer", async (name) => {
    const maintainer = await connected("maintainer");
    await expect(call(maintainer, name)).rejects.toMatchObject(forbidden(name));
  });

  it.each([
    ["constructor", ["constructor"]],
    ["toString", ["toString"]],
    ["__proto__", ["__proto__"]],
    ["hasOwnProperty", ["hasOwnProperty"]],
    ["then", ["then"]],
    ["dup", ["dup"]],
    ["map", ["map"]],
    ["", []],
    ["0", [0]],
    ["getCount.call", ["getCount", "call"]],
    ["getCount.constructor", ["getCount", "constructor"]],
    ["bar", ["foo", "bar"]],
  ])("%j, asked for by a client that capnweb did not write", async (name, path) => {
    const response = await batchOf(path);
    expect(response.get(2)).toMatchObject(forbidden(name));
  });

  it("cuts what it quotes", async () => {
    const reader = await connected("reader");
    await expect(call(reader, "x".repeat(10_000))).rejects.toMatchObject(forbidden("x".repeat(64)));
  });

  it("a property that is not there is undefined", async () => {
    const reader = (await connected("reader")) as unknown as Record<string, Promise<unknown>>;
    expect(await reader["capture"]).toBeUndefined();
    expect(await reader["sql"]).toBeUndefined();
  });

  it("a method that was taken off its capability does nothing", async () => {
    const owner = (await connected()) as unknown as Record<string, Promise<unknown>>;
    const getCount = (await owner["getCount"]) as () => Promise<number>;
    await expect(getCount()).rejects.toMatchObject({
      code: "forbidden",
      message: "A method is called on its capability.",
    });
  });

  async function batchOf(path: unknown[]) {
    const body = messages(
      { path: ["authenticate"], args: [await tokenFor(freshWorkspace(), "reader")] },
      { on: 1, path },
    );
    return answersOf(await fetchWith(body));
  }
});

describe("attenuation over the wire", () => {
  it("[ACC-8] readOnly() reads the same workspace and has no way back", async () => {
    const owner = await connected();
    await owner.capture("Sparrows build nests.");
    const reader = owner.readOnly();
    expect(await reader.getCount()).toBe(1);
    await expect(call(reader, "asContributor")).rejects.toMatchObject(forbidden("asContributor"));
    await expect(call(reader, "capture", "x")).rejects.toMatchObject(forbidden("capture"));
  });

  it("[ACC-8] asContributor() proposes, and cannot assert", async () => {
    const contributor = (await connected()).asContributor();
    await expect(contributor.capture("x", { status: "canonical" })).rejects.toMatchObject({
      code: "forbidden",
    });
    const { id } = await contributor.capture("x");
    expect(await contributor.getEntry(id)).toMatchObject({ status: "draft", actor: "agent:7" });
  });

  it("[ACC-7] a recall by a reader leaves no trace", async () => {
    const owner = await connected();
    const { id } = await owner.capture("Sparrows build nests.");
    await owner.readOnly().recall("sparrows");
    expect((await owner.getEntry(id)).recallCount).toBe(0);
    await owner.recall("sparrows");
    expect((await owner.getEntry(id)).recallCount).toBe(1);
  });
});

describe("arguments that are not data", () => {
  it.each([
    ["a function", () => "x"],
    ["a promise of a function", { tag: () => "x" }],
    ["a date", { since: new Date(0) }],
    ["bytes", new Uint8Array(3)],
    ["an error", new Error("x")],
  ])("[INP-1] %s is invalid_input, and the session goes on", async (_, value) => {
    const api = await connected();
    await expect(call(api, "recall", "x", value)).rejects.toMatchObject({ code: "invalid_input" });
    expect(await api.getCount()).toBe(0);
  });

  it("[INP-3] NaN, infinities and bigints are refused as numbers", async () => {
    const api = await connected();
    for (const topK of [Number.NaN, Number.POSITIVE_INFINITY, 3n]) {
      await expect(call(api, "recall", "x", { topK })).rejects.toMatchObject({
        code: "invalid_input",
        details: { path: "options.topK" },
      });
    }
  });
});

describe("authenticate", () => {
  it("can be called again, for another workspace", async () => {
    const root = await openSession();
    onTestFinished(() => root[Symbol.dispose]());
    const [a, b] = [
      root.authenticate(await tokenFor(freshWorkspace())),
      root.authenticate(await tokenFor(freshWorkspace())),
    ];
    await a.capture("Only here.");
    expect(await Promise.all([a.getCount(), b.getCount()])).toEqual([1, 0]);
  });

  it("[TOK-2] is refused without a secret in the environment, whatever the token", async () => {
    const { SPHERE_TOKEN_SECRET: _, ...bare } = env;
    const body = messages({ path: ["authenticate"], args: [await tokenFor(freshWorkspace())] });
    const answers = await answersOf(await fetchWith(body, bare));
    expect(answers.get(1)).toMatchObject({
      code: "unauthenticated",
      message: expect.stringContaining("no SPHERE_TOKEN_SECRET") as string,
    });
  });

  it("[TOK-2] verifies no more tokens after 20 bad ones in a session, even a burst of them", async () => {
    const root = await openSession();
    onTestFinished(() => root[Symbol.dispose]());
    const bad = Array.from({ length: 20 }, () => call(root, "authenticate", "bad").catch(() => {}));
    const good = call(root, "authenticate", await tokenFor(freshWorkspace()));
    await expect(good).rejects.toMatchObject({
      code: "unauthenticated",
      message:
        "This session offered too many bad tokens; open a new one with a token of this Worker.",
    });
    await Promise.all(bad);
  });

  it("[TOK-2] forgives 19 bad tokens", async () => {
    const root = await openSession();
    onTestFinished(() => root[Symbol.dispose]());
    const bad = Array.from({ length: 19 }, () => call(root, "authenticate", "bad").catch(() => {}));
    expect(await root.authenticate(await tokenFor(freshWorkspace())).getCount()).toBe(0);
    await Promise.all(bad);
  });
});

describe("[WIR-3] a message on a socket that a session does not take ends it", () => {
  const called = (argument: string) => `["push",["pipeline",0,["x"],[${argument}]]]`;

  it.each([
    ["not JSON", "not json", "invalid_input"],
    ["an unknown message", '["nope"]', "invalid_input"],
    ["an unknown export", '["push",["pipeline",99,["x"],[]]]', "invalid_input"],
    ["a pull of an unknown export", '["pull",99]', "invalid_input"],
    ["a huge bigint", called(`["bigint","${"9".repeat(20_000)}"]`), "invalid_input"],
    ["a bigint of letters", called('["bigint","x"]'), "invalid_input"],
    ["bytes that are not base64", called('["bytes","!!!"]'), "invalid_input"],
    ["deep arrays", called(`${"[".repeat(100_000)}1${"]".repeat(100_000)}`), "invalid_input"],
    ["deep objects", called(`${'{"a":'.repeat(300)}1${"}".repeat(300)}`), "invalid_input"],
    ["a special value of no kind", called('["wormhole",1]'), "invalid_input"],
    ["bytes of no kind", called('["bytes","AAAA","Int7Array"]'), "invalid_input"],
    ["a stream of an unknown pipe", called('["readable",0]'), "invalid_input"],
    ["a release of more than there is", '["release",0,5]', "invalid_input"],
    ["a pipe", '["pipe"]', "invalid_input"],
    ["a promise", called('["promise",-1]'), "invalid_input"],
    ["a map", '["push",["remap",0,[],[],[1]]]', "invalid_input"],
    ["a value", '["push",[[1,2,3]]]', "invalid_input"],
    ["bytes instead of text", new Uint8Array([1, 2]), "invalid_input"],
    ["9 MB", "x".repeat(9_000_000), "limit_exceeded"],
  ])("%s", async (_, message, code) => {
    const socket = await openSocket();
    const received: unknown[] = [];
    const closed = new Promise<string>((resolve) => {
      socket.addEventListener("message", ({ data }) => {
        received.push(JSON.parse(String(data)));
      });
      socket.addEventListener("close", ({ reason }) => resolve(reason));
    });
    socket.send(message);
    const reason = await closed;
    expect(received).toEqual([
      ["abort", ["error", "MiniSphereError", reason, null, expect.objectContaining({ code })]],
    ]);
  });
});

describe("what fails inside", () => {
  it("[ERR-2] becomes internal with a request id that the log explains, and nothing else leaves", async () => {
    const workspace = freshWorkspace();
    await runInDurableObject(env.SPHERES.getByName(workspace), (_, { storage }) => {
      storage.sql.exec("DROP TABLE runs");
    });
    const log = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => log.mockRestore());
    const body = messages(
      { path: ["authenticate"], args: [await tokenFor(workspace)] },
      { on: 1, path: ["getStats"] },
    );
    const answer = (await answersOf(await fetchWith(body))).get(2);
    const logged = JSON.parse(String(log.mock.lastCall?.[0])) as Record<string, string>;
    const requestId = logged["requestId"] ?? "";
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer).toEqual({
      code: "internal",
      message: `Something failed here; quote the request id ${requestId}.`,
      details: { requestId },
      stack: null,
    });
    expect(logged).toMatchObject({
      event: "call_failed",
      method: "getStats",
      workspace: workspaceHash(workspace),
      code: "internal",
      error: expect.stringMatching(/^Error SQLITE_ERROR\n/),
    });
  });
});

function fetchWith(body: string, bindings: unknown = env): Promise<Response> {
  const request = new Request("http://sphere/rpc", { method: "POST", body });
  return worker.fetch(request as never, bindings as never, createExecutionContext());
}
