import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Arguments, Captured, Method, Reply } from "../../contracts/index.ts";
import { expectInvariant } from "../support/invariant.ts";

/** The stub of a fresh workspace's object: calls on it go through the platform, as many at once as wanted. */
const openStub = () => env.SPHERES.getByName(crypto.randomUUID());

const times = <T>(n: number, make: (index: number) => T): T[] =>
  Array.from({ length: n }, (_, index) => make(index));

describe("writes in parallel", () => {
  it("[CAP-9] of equal bytes give one id, and one of them created it", async () => {
    const stub = openStub();
    const captures = await Promise.all(
      times(200, (n) => stub.capture("the same words", { tags: [`t${n % 60}`] })),
    );
    expect(new Set(captures.map(({ id }) => id)).size).toBe(1);
    expect(captures.filter(({ created }) => created)).toHaveLength(1);
    expect(await stub.getCount()).toBe(1);
    expect((await stub.getEntry(captures[0]!.id)).tags).toHaveLength(60);
  });

  it("[CAP-9] of equal bytes in bulk give one id each, and one of them created it", async () => {
    const stub = openStub();
    const items = times(20, (n) => ({ content: `line ${n}` }));
    const all = await Promise.all(times(10, () => stub.captureMany(items)));
    const captured = all.flatMap(({ results }) => results);
    expect(new Set(captured.map(({ id }) => id)).size).toBe(20);
    expect(captured.filter(({ created }) => created)).toHaveLength(20);
  });

  it("[STO-2] to one entry are all there, in some order", async () => {
    const stub = openStub();
    const { id } = await stub.capture("line");
    await Promise.all(times(100, (n) => stub.append(id, `line ${n}`)));
    const { content, revision } = await stub.getEntry(id);
    expect(revision).toBe(101);
    expect(content.split("\n\n").sort()).toEqual(
      ["line", ...times(100, (n) => `line ${n}`)].sort(),
    );
  });

  it("[STO-2] that expect one revision: the first is done, every other refused", async () => {
    const stub = openStub();
    const { id } = await stub.capture("contended");
    const replies = await Promise.all(
      times(50, (n) => call(stub, "update", id, `version ${n}`, { ifRevision: 1 })),
    );
    expect(replies.filter(({ ok }) => ok)).toHaveLength(1);
    expect(refusalsOf(replies)).toEqual(["conflict"]);
    expect((await stub.getEntry(id)).revision).toBe(2);
  });

  it("[STO-2] of every kind, 2,000 at once, are each done wholly or refused", async () => {
    const stub = openStub();
    const { results } = await stub.captureMany(times(50, (n) => ({ content: `start ${n}` })));
    const id = (n: number) => results[n % 50]!.id;
    const writes = [
      (n: number) => call(stub, "capture", `note ${n % 150}`, { tags: [`t${n % 7}`] }),
      (n: number) => call(stub, "append", id(n), `and ${n}`, { tags: ["appended"] }),
      (n: number) => call(stub, "update", id(n * 3), `rewritten ${n % 30}`),
      (n: number) => call(stub, "setStatus", id(n), n % 3 ? "canonical" : "deprecated"),
      (n: number) => call(stub, "link", id(n), id(n + 1 + (n % 5)), "relates_to"),
      (n: number) => call(stub, "unlink", id(n), id(n + 1), "relates_to"),
      (n: number) =>
        call(stub, "captureMany", [{ content: `pair ${n}` }, { content: `pair ${n + 8}` }]),
      (n: number) =>
        n % 40 === 7 ? call(stub, "forget", id(n)) : call(stub, "recall", `start ${n % 50}`),
    ];
    const replies = await Promise.all(times(2_000, (n) => writes[n % 8]!(n)));

    expect(replies.filter(({ ok }) => ok).length).toBeGreaterThan(1_000);
    expect(refusalsOf(replies)).toEqual(["conflict", "not_found"]);
    for (const [n, content] of [0, 8, 16].map((n) => [n, `note ${n % 150}`] as const)) {
      expect(await stub.getEntry(capturedId(replies[n]!))).toMatchObject({ content });
    }
    await runInDurableObject(stub, (_instance, { storage }) => expectInvariant(storage));
  });
});

type Stub = ReturnType<typeof openStub>;
type AnyReply = Reply<Method>;

/** As a capability calls: a refusal is a value. */
const call = <M extends Method>(stub: Stub, method: M, ...args: Arguments<M>): Promise<AnyReply> =>
  stub.call({ role: "owner", actor: "test" }, method, args) as Promise<AnyReply>;

function refusalsOf(replies: readonly AnyReply[]): string[] {
  const codes = replies.flatMap((reply) => (reply.ok ? [] : [reply.error.code]));
  return [...new Set(codes)].sort();
}

function capturedId(reply: AnyReply): string {
  if (!reply.ok) throw new Error(reply.error.message);
  return (reply.value as Captured).id;
}
