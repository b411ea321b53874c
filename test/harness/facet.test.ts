import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestHarness } from "wrangler";
import { CONTRACT_VERSION } from "../../contracts/api.ts";
import type { Entry, Stats } from "../../contracts/entities.ts";
import { buildBundle, loadable } from "../../src/cli/blueprint/bundle.ts";
import { runToEnd } from "../cli/support.ts";
import { freshWorkspace, ROOT } from "./workers.ts";

/*
 * The example host, as it would be deployed: the class as a facet of the host's object, from the host's own
 * code and from a bundle that is loaded at run time. What agents do here is programs of their own.
 */

const HOST = "mini-sphere-host";
const server = createTestHarness({
  root: ROOT,
  workers: [{ configPath: "examples/host/wrangler.toml" }],
});

beforeAll(async () => {
  const [bundle] = await Promise.all([buildBundle("wrangler.toml"), server.listen()]);
  const { CODE } = await server
    .getWorker<{ CODE: { put(key: string, value: string): Promise<void> } }>(HOST)
    .getEnv();
  const store = (version: string, edit: (name: string, text: string) => string) =>
    CODE.put(
      version,
      JSON.stringify(
        loadable(new Map([...bundle].map(([name, text]) => [name, edit(name, text)]))),
      ),
    );
  await store("built", (_, text) => text);
  await store("next", (_, text) => text.replaceAll(`"${CONTRACT_VERSION}"`, '"99.0.0"'));
  await store("edited", (name, text) =>
    name.endsWith("0001_init.sql") ? `-- edited\n${text}` : text,
  );
});
afterAll(() => server.close());

async function post(path: string, body = ""): Promise<{ status: number; answer: unknown }> {
  const response = await server.fetch(path, { method: "POST", body });
  return { status: response.status, answer: await response.json() };
}

/** A workspace with a curator, a contributor and, as anybody else, a reader. */
async function openDesk() {
  const workspace = freshWorkspace();
  await post(`/${workspace}/roles/curator`, "curator");
  await post(`/${workspace}/roles/contributor`, "contributor");
  const run = (agent: string, program: string) => post(`/${workspace}/agents/${agent}`, program);
  return {
    workspace,
    run,
    /** What a program answers that must not fail. */
    async ask<T = unknown>(agent: string, program: string): Promise<T> {
      const { status, answer } = await run(agent, program);
      expect({ status, answer }).toMatchObject({ status: 200 });
      return answer as T;
    },
    useCode: (version: string) => post(`/${workspace}/code/${version}`),
  };
}

const HARBOUR = 'memory.capture("The harbour closes at nine.", { status: "canonical" })';

describe("a memory as a facet", () => {
  it("[STO-9] keeps and finds what an agent tells it, stamped with the agent", async () => {
    const desk = await openDesk();
    const { id } = await desk.ask<{ id: string }>("curator", `return ${HARBOUR}`);
    const entry = await desk.ask<Entry>(
      "reader",
      `const { hits } = await memory.recall("harbour"); return memory.getEntry(hits[0].id)`,
    );
    expect(entry).toMatchObject({ id, status: "canonical", actor: "agent:curator" });
  });

  it("[STO-9] is apart from the memories of other hosts", async () => {
    const [one, other] = [await openDesk(), await openDesk()];
    await one.ask("curator", `return ${HARBOUR}`);
    expect(await one.ask("reader", "return memory.getCount()")).toBe(1);
    expect(await other.ask("reader", "return memory.getCount()")).toBe(0);
  });

  it("[STO-10] is there after its host was evicted", async () => {
    const desk = await openDesk();
    await desk.ask("curator", `return ${HARBOUR}`);
    await server.getWorker(HOST).evictDurableObject("Desk", { name: desk.workspace });
    expect(await desk.ask("reader", "return memory.getCount()")).toBe(1);
  });

  it("[MNT-1] has its pass run by the alarm of its host, set by what a write says is due", async () => {
    const desk = await openDesk();
    await desk.ask(
      "curator",
      'return memory.capture("Coal costs 61.", { volatility: "volatile", occurredAt: 0 })',
    );
    const runs = () => desk.ask<Stats["runs"]>("reader", "return (await memory.getStats()).runs");
    await expect
      .poll(runs, { timeout: 20_000 })
      .toMatchObject([{ trigger: "system:desk", flagged: 1, nextDueAt: null }]);
  });
});

describe("an agent's capability", () => {
  it.each([
    ["reader", HARBOUR],
    ["contributor", 'memory.update("00000000", null, { importance: 1 })'],
    ["curator", "memory.runStalenessPass()"],
    ["curator", "memory.useCode(null)"],
    ["curator", 'memory.call({ role: "owner", actor: "x" }, "getCount", [])'],
  ])("[ACC-4] of a %s has no %s", async (agent, call) => {
    const { status, answer } = await (await openDesk()).run(agent, `return await ${call}`);
    expect(status).toBe(500);
    expect(answer).toMatchObject({
      message: expect.stringContaining("does not implement") as string,
    });
  });

  it("[ACC-5] of a contributor writes drafts", async () => {
    const desk = await openDesk();
    expect((await desk.run("contributor", `return await ${HARBOUR}`)).answer).toMatchObject({
      code: "forbidden",
    });
    await desk.ask("contributor", 'return memory.capture("The harbour may close at eight.")');
    expect(await desk.ask("reader", "return memory.getCount()")).toBe(1);
  });

  it("[ACC-8] can be handed on as less", async () => {
    const desk = await openDesk();
    const program = (call: string) => `const less = memory.readOnly(); return await less.${call}`;
    expect(await desk.ask("curator", program("getCount()"))).toBe(0);
    expect((await desk.run("curator", program('capture("x")'))).status).toBe(500);
  });
});

describe("a memory restarted with other code", () => {
  it("[STO-9] runs from the built bundle, without bindings or network, over the same database", async () => {
    const desk = await openDesk();
    const { id } = await desk.ask<{ id: string }>("curator", `return ${HARBOUR}`);
    expect((await desk.useCode("next")).answer).toEqual({ contractVersion: "99.0.0", entries: 1 });
    expect(await desk.ask("reader", `return memory.getEntry("${id}")`)).toMatchObject({
      content: "The harbour closes at nine.",
      actor: "agent:curator",
    });
  });

  it("[STO-9] may begin in a loaded bundle, and go on in the host's own code", async () => {
    const desk = await openDesk();
    await desk.useCode("built");
    await desk.ask("curator", `return ${HARBOUR}`);
    expect((await desk.useCode("own")).answer).toEqual({
      contractVersion: CONTRACT_VERSION,
      entries: 1,
    });
  });

  it("keeps its code when the host itself is evicted", async () => {
    const desk = await openDesk();
    await desk.useCode("next");
    await server.getWorker(HOST).evictDurableObject("Desk", { name: desk.workspace });
    expect(await desk.ask("reader", "return (await memory.getStats()).contractVersion")).toBe(
      "99.0.0",
    );
  });

  it("[STO-4] that refuses the database goes back to the code before it, and says why", async () => {
    const desk = await openDesk();
    await desk.ask("curator", `return ${HARBOUR}`);
    expect(await desk.useCode("edited")).toEqual({
      status: 400,
      answer: {
        code: "unavailable",
        message: expect.stringMatching(/^Migration 0001_init was applied .* differs/) as string,
      },
    });
    expect(await desk.ask("reader", "return memory.getCount()")).toBe(1);
  });

  it("is refused a version that does not exist, and goes on", async () => {
    const desk = await openDesk();
    expect((await desk.useCode("missing")).status).toBe(500);
    expect(await desk.ask("reader", "return memory.getCount()")).toBe(0);
  });
});

it("plays through with the one documented command", { timeout: 180_000 }, async () => {
  const { code, stdout, stderr } = await runToEnd("npm", ["run", "-s", "example:host"]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const answers = [...stdout.matchAll(/^ {2}(\d{3}) (.+)$/gm)].map(([, status]) => Number(status));
  expect(answers).toEqual([200, 200, 200, 400, 200, 500, 200, 200, 200, 500, 200, 200]);
  expect(stdout).toContain('[{"trigger":"system:desk","flagged":1}]');
});
