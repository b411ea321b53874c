import { describe, expect, it } from "vitest";
import { LIMITS } from "../../contracts/index.ts";
import type { Method, MiniSphereApi } from "../../contracts/index.ts";
import { refusal } from "./suite.ts";
import type { Open } from "./suite.ts";
import { callAny, entries } from "./writes-support.ts";

interface Limit {
  method: Method;
  path: string;
  /** The arguments with the field at a value. `a` and `b` are ids of entries. */
  args: (value: never, a: string, b: string) => unknown[];
  accepted: readonly unknown[];
  refused: readonly unknown[];
}

const text = (n: number) => "x".repeat(n);
const range = (min: number, max: number) => ({
  accepted: [min, max],
  refused: [min - 1, max + 1],
});
const chars = (max: number, min = 1) => ({
  accepted: [text(min), text(max)],
  refused: [text(max + 1)],
});
const bytesOf = (json: number) => ({ m: text(json - '{"m":""}'.length) });
const levels = (n: number): object => ({ m: n === 1 ? 1 : levels(n - 1) });
const many = (n: number) => Array.from({ length: n }, (_, index) => index);
const options = (key: string) => (value: never, a: string) => [a, { [key]: value }];

const LIMITS_OF: readonly Limit[] = [
  { method: "recall", path: "query", args: (v) => [v], ...chars(LIMITS.queryChars, 0) },
  { method: "recall", path: "options.topK", args: options("topK"), ...range(1, LIMITS.topK.max) },
  { method: "recall", path: "options.hops", args: options("hops"), ...range(0, LIMITS.hops.max) },
  { method: "recall", path: "options.since", args: options("since"), ...range(0, LIMITS.timeMs) },
  { method: "recall", path: "options.tag", args: options("tag"), ...chars(LIMITS.tagChars) },
  { method: "listRecent", path: "options.n", args: (n) => [{ n }], ...range(1, LIMITS.page.max) },
  { method: "history", path: "options.n", args: options("n"), ...range(1, LIMITS.page.max) },
  {
    method: "changes",
    path: "options.limit",
    args: (limit) => [{ limit }],
    ...range(1, LIMITS.page.max),
  },
  { method: "connections", path: "options.n", args: options("n"), ...range(1, LIMITS.page.max) },
  {
    method: "getBrief",
    path: "options.maxChars",
    args: (maxChars) => [{ maxChars }],
    ...range(LIMITS.briefChars.min, LIMITS.briefChars.max),
  },
  {
    method: "getBrief",
    path: "options.objective",
    args: (objective) => [{ objective }],
    ...chars(LIMITS.queryChars, 0),
  },
  {
    method: "graphView",
    path: "options.seedIds",
    args: (n, a) => [{ seedIds: many(n).map(() => a) }],
    ...range(1, LIMITS.seedIds),
  },
  {
    method: "graphView",
    path: "options.limit",
    args: (limit) => [{ limit }],
    ...range(1, LIMITS.graphNodes.max),
  },
  {
    method: "capture",
    path: "options.importance",
    args: options("importance"),
    ...range(0, LIMITS.importance),
  },
  {
    method: "capture",
    path: "options.occurredAt",
    args: options("occurredAt"),
    ...range(0, LIMITS.timeMs),
  },
  {
    method: "capture",
    path: "options.expiresAt",
    args: options("expiresAt"),
    ...range(0, LIMITS.timeMs),
  },
  {
    method: "capture",
    path: "options.source",
    args: options("source"),
    ...chars(LIMITS.noteChars),
  },
  {
    method: "capture",
    path: "options.evidenceRef",
    args: options("evidenceRef"),
    ...chars(LIMITS.noteChars),
  },
  {
    method: "capture",
    path: "options.tags",
    args: (n, a) => [`tags ${a}`, { tags: many(n).map((each) => `tag${each}`) }],
    ...range(0, LIMITS.tagsPerEntry),
    refused: [LIMITS.tagsPerEntry + 1],
  },
  {
    method: "capture",
    path: "options.links",
    args: (n, a) => [`links ${n}`, { links: many(n).map(() => ({ type: "follows", dst: a })) }],
    accepted: [0, LIMITS.linksPerCapture],
    refused: [LIMITS.linksPerCapture + 1],
  },
  {
    method: "captureMany",
    path: "items",
    args: (n) => [many(n).map((each) => ({ content: `item ${each}` }))],
    ...range(1, LIMITS.captureMany.items),
  },
  {
    method: "update",
    path: "options.ifRevision",
    args: (ifRevision, a) => [a, null, { ifRevision }],
    accepted: [1],
    refused: [0],
  },
  {
    method: "setStatus",
    path: "options.reason",
    args: (reason, a) => [a, "canonical", { reason }],
    ...chars(LIMITS.noteChars),
  },
  {
    method: "link",
    path: "options.weight",
    args: (weight, a, b) => [a, b, "follows", { weight }],
    accepted: [0, 1],
    refused: [-Number.EPSILON, 1 + Number.EPSILON],
  },
  {
    method: "link",
    path: "options.metadata",
    args: (metadata, a, b) => [a, b, "follows", { metadata }],
    accepted: [{}, bytesOf(LIMITS.metadataBytes), levels(LIMITS.metadataLevels)],
    refused: [bytesOf(LIMITS.metadataBytes + 1), levels(LIMITS.metadataLevels + 1)],
  },
  {
    method: "runStalenessPass",
    path: "options.limit",
    args: (limit) => [{ limit }],
    ...range(1, LIMITS.passRows.max),
  },
];

export function registerLimitTests(open: Open): void {
  describe("limits of the arguments", () => {
    it.each(LIMITS_OF.map((limit) => [limit.method, limit.path, limit] as const))(
      "[LIM-1] %s takes %s at its limit, and one step beyond is invalid_input",
      async (method, path, { args, accepted, refused }) => {
        const { owner } = await open();
        const [a = "", b = ""] = await entries(owner, 2);
        for (const value of accepted) await callAny(owner, method, args(value as never, a, b));
        for (const value of refused) {
          const call = callAny(owner, method, args(value as never, a, b));
          expect(await refusal(call)).toMatchObject({ code: "invalid_input", details: { path } });
        }
      },
    );

    it("[LIM-1] an id of 64 characters is looked for, one of 65 is invalid_input", async () => {
      const { owner } = await open();
      expect((await refusal(owner.getEntry(text(64)))).code).toBe("not_found");
      expect((await refusal(owner.getEntry(text(65)))).code).toBe("invalid_input");
    });

    it("[LIM-1] a cursor of any length that was not given is invalid_input", async () => {
      const { owner } = await open();
      for (const cursor of [text(1), text(LIMITS.cursorChars), text(LIMITS.cursorChars + 1)]) {
        expect(await refusal(owner.listRecent({ cursor }))).toMatchObject({
          code: "invalid_input",
          details: { path: "options.cursor" },
        });
      }
    });

    it.each([
      ["one byte", "x", LIMITS.contentBytes],
      ["two bytes", "é", LIMITS.contentBytes / 2],
      ["four bytes", "🦆", LIMITS.contentBytes / 4],
    ])(
      "[INP-5][LIM-1] content of %s a character is legal up to 500,000 bytes",
      async (_, character, n) => {
        const { owner } = await open();
        const content = character.repeat(n);
        const ways = waysOfContent(owner);
        for (const write of ways) {
          const id = await write(content);
          expect((await owner.getEntry(id)).content === content).toBe(true);
          await owner.forget(id);
        }
        for (const write of ways) {
          expect((await refusal(write(`${content}x`))).code).toBe("invalid_input");
        }
      },
    );

    it("[CPM-2][LIM-1] captureMany takes 4,000,000 bytes in all, and not one more", async () => {
      const { owner } = await open();
      const full = [..."12345678"].map((each) => ({ content: each.repeat(LIMITS.contentBytes) }));
      const error = await refusal(owner.captureMany([...full, { content: "x" }]));
      expect(error).toMatchObject({ code: "invalid_input", details: { path: "items" } });
      expect(await owner.getCount()).toBe(0);
      expect((await owner.captureMany(full)).results).toHaveLength(8);
    });
  });
}

function waysOfContent(owner: MiniSphereApi): ((content: string) => Promise<string>)[] {
  return [
    async (content) => (await owner.capture(content)).id,
    async (content) => (await owner.captureMany([{ content }])).results[0]?.id ?? "",
    async (content) => (await owner.update((await owner.capture("before")).id, content)).id,
  ];
}
