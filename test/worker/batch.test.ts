import { describe, expect, it } from "vitest";
import { type Asked, answersOf, batch, freshWorkspace, messages, post, tokenFor } from "./wire.ts";

const MALFORMED = {
  error: {
    code: "invalid_input",
    message: "The message is not one of the Cap'n Web protocol; the session is over.",
    details: {},
  },
};

const authenticate = async (workspace: string): Promise<Asked> => ({
  path: ["authenticate"],
  args: [await tokenFor(workspace)],
});

describe("a batch", () => {
  it("[WIR-2] pipelines calls on authenticate, and calls on their results", async () => {
    const answers = await batch(
      await authenticate(freshWorkspace()),
      { on: 1, path: ["capture"], args: ["Sparrows build nests."] },
      { on: 1, path: ["getEntry"], args: [["pipeline", 2, ["id"]]] },
      { on: 1, path: ["getCount"] },
    );
    expect(answers.get(3)).toMatchObject({
      value: { content: "Sparrows build nests.", actor: "agent:7" },
    });
    expect(answers.get(4)).toEqual({ value: 1 });
  });

  it("[WIR-2] refuses every call that was pipelined on a refused authenticate", async () => {
    const answers = await batch(
      { path: ["authenticate"], args: ["not a token"] },
      { on: 1, path: ["getCount"] },
      { on: 1, path: ["readOnly"] },
      { on: 3, path: ["getCount"] },
    );
    for (const id of [1, 2, 3, 4]) {
      expect(answers.get(id)).toMatchObject({ code: "unauthenticated", details: {}, stack: null });
    }
  });

  it("reads lines that end as Windows ends them", async () => {
    const body = messages(await authenticate(freshWorkspace()), { on: 1, path: ["getCount"] });
    const response = await post(`${body.replaceAll("\n", "\r\n")}\r\n`);
    expect((await answersOf(response)).get(2)).toEqual({ value: 0 });
  });

  it("has nothing to say to an empty body", async () => {
    const response = await post("");
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
  });

  it('takes "promise" as the word that it is', async () => {
    const answers = await batch(
      await authenticate(freshWorkspace()),
      { on: 1, path: ["capture"], args: ["promise", { tags: [["promise", "pipe"]] }] },
      { on: 1, path: ["recall"], args: ["promise"] },
    );
    expect(answers.get(3)).toMatchObject({ value: { hits: [[{ content: "promise" }]] } });
  });
});

describe("[WIR-3] a malformed batch is 400 with a sentence", () => {
  const pushed = (expression: string) => `["push",${expression}]\n["pull",1]`;
  const called = (argument: string) => pushed(`["pipeline",0,["x"],[${argument}]]`);

  it.each([
    ["not JSON", "not json"],
    ["an unknown message", '["nope"]'],
    ["a number", "7"],
    ["null", "null"],
    ["an object", "{}"],
    ["an empty array", "[]"],
    ["a push of nothing", '["push"]'],
    ["a push of a value, which could repeat another", pushed("[[1,2,3]]")],
    ["a blank line between messages", `${pushed('["pipeline",0,["x"]]')}\n\n["pull",1]`],
    ["an unknown export", pushed('["pipeline",99,["x"],[]]')],
    ["an export that is not there yet", pushed('["pipeline",1,[]]')],
    ["a pull of an unknown export", '["pull",99]'],
    ["a release of more than there is", `${pushed('["pipeline",0,["x"]]')}\n["release",1,5]`],
    [
      "a release of the root before its use",
      `["release",0,1]\n${pushed('["pipeline",0,["x"],[]]')}`,
    ],
    ["an answer that nobody asked for", '["resolve",0,1]'],
    ["an abort", '["abort",["error","Error","x"]]'],
    ["a huge bigint", called(`["bigint","${"9".repeat(100_000)}"]`)],
    ["deep arrays", called(`${"[".repeat(100_000)}1${"]".repeat(100_000)}`)],
    ["deep objects", called(`${'{"a":'.repeat(300)}1${"}".repeat(300)}`)],
    ["a special value of no kind", called('["wormhole",1]')],
    ["a pipe, which only a connection can fill", '["pipe"]'],
    ["a stream", '["stream",["pipeline",0,["authenticate"],["x"]]]'],
  ])("%s", async (_, body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual(MALFORMED);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });

  const promise = "A call cannot carry a promise of its caller; await it and send its value.";
  const map = "A session takes no map(); call the method for each value.";

  it.each([
    ["a promise as an argument", '["pipeline",0,["authenticate"],[["promise",-1]]]', promise],
    [
      "a promise inside an argument",
      '["pipeline",0,["authenticate"],[{"a":[[["promise",-1]]]}]]',
      promise,
    ],
    [
      "a promise inside an error",
      '["pipeline",0,["x"],[["error","Error","x",null,{"a":["promise",-1]}]]]',
      promise,
    ],
    ["a map", '["remap",0,[],[],[1]]', map],
    ["a map inside an argument", '["pipeline",0,["x"],[["remap",0,[],[],[1]]]]', map],
  ])("%s, with the way around it", async (_, expression, message) => {
    const response = await post(pushed(expression));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "invalid_input", message } });
  });

  it("bytes that are not UTF-8", async () => {
    const response = await post(new Uint8Array([0x5b, 0xff, 0xfe, 0x5d]));
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual(MALFORMED);
  });
});

describe("[WIR-3] a batch that is too much", () => {
  const TOO_LARGE = { error: { code: "limit_exceeded", details: { maxBytes: 8_000_000 } } };
  const CHUNK = new TextEncoder().encode(" ".repeat(100_000));

  /** A body without a length, of `count` chunks. */
  function streamed(count: number): ReadableStream {
    let left = count;
    return new ReadableStream({
      pull(controller) {
        if (left-- > 0) controller.enqueue(CHUNK);
        else controller.close();
      },
    });
  }

  it("is 413 over 8 MB, with a length", async () => {
    const response = await post(" ".repeat(8_000_001));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject(TOO_LARGE);
  });

  it("is 413 over 8 MB, without a length", async () => {
    const response = await post(streamed(90));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject(TOO_LARGE);
  });

  it("is 413 and not read to its end when it has none", async () => {
    const response = await post(streamed(Infinity));
    expect(response.status).toBe(413);
  });

  it("is read at 8 MB", async () => {
    expect((await post(" ".repeat(8_000_000))).status).toBe(200);
    expect((await post(streamed(80))).status).toBe(200);
  });

  it("is 429 over 10,000 messages, and says when to come back", async () => {
    const response = await post(
      Array.from({ length: 10_001 }, () => '["push",["pipeline",0,["x"]]]').join("\n"),
    );
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("1");
    expect(await response.json()).toMatchObject({
      error: { code: "limit_exceeded", details: { maxMessages: 10_000 } },
    });
  });

  it("is read at 10,000 messages", async () => {
    const response = await post(
      Array.from({ length: 10_000 }, () => '["push",["pipeline",0,["x"]]]').join("\n"),
    );
    expect(response.status).toBe(200);
  });
});
