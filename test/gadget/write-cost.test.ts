import { describe, expect, it } from "vitest";
import type { CaptureOptions, Method } from "../../contracts/index.ts";
import { inSphere } from "../support/sphere.ts";
import type { Bench } from "../support/sphere.ts";

/*
 * Rows written, exactly: a row more is somebody's bill. What each of them buys is in ARCHITECTURE.md.
 */

interface Scene extends Bench {
  /** Ten drafts; the last two are linked. */
  ids: string[];
}

type Case = [what: string, rows: number, method: Method, act: (scene: Scene) => unknown];

const CASES: Case[] = [
  capture("without tags or links", 10),
  [
    "a capture of half a megabyte",
    10,
    "capture",
    ({ owner }) => owner.capture("é".repeat(250_000)),
  ],
  capture("of a durable entry, which is never due", 9, { volatility: "durable" }),
  capture("of an entry that expires", 11, { expiresAt: Date.UTC(2030, 0) }),
  capture("with an origin tag, which is no tag", 10, { tags: ["session:1"] }),
  capture("with a tag", 10 + 3, { tags: ["a"] }),
  capture("with three tags", 10 + 3 * 3, { tags: ["a", "b", "c"] }),
  capture("with a link", 10 + 3, (ids) => ({ links: [{ type: "caused_by", dst: ids[0]! }] })),
  capture("with links of three types", 10 + 3 * 3, (ids) => ({
    links: [
      { type: "relates_to", dst: ids[0]! },
      { type: "decided", dst: ids[1]! },
      { type: "follows", src: ids[2]! },
    ],
  })),
  capture("that replaces, with a line in the log and its index", 10 + 3 + 2, (ids) => ({
    links: [{ type: "supersedes", dst: ids[0]! }],
  })),
  [
    "500 captures in one call, which write the counts once, and one row of doc values",
    500 * 9 + 1 + 1,
    "captureMany",
    ({ owner }) =>
      owner.captureMany(Array.from({ length: 500 }, (_, n) => ({ content: `one of many ${n}` }))),
  ],
  ["a capture of the same bytes", 0, "capture", ({ owner }) => owner.capture("note 0")],
  ["a link", 5, "link", ({ owner, ids }) => owner.link(ids[0]!, ids[1]!, "caused_by")],
  [
    "a link of the greatest weight",
    5,
    "link",
    ({ owner, ids }) => owner.link(ids[0]!, ids[1]!, "follows", { weight: 1 }),
  ],
  [
    "a link that replaces",
    5 + 2,
    "link",
    ({ owner, ids }) => owner.link(ids[0]!, ids[1]!, "supersedes"),
  ],
  ["a link that is there", 0, "link", ({ owner, ids }) => owner.link(ids[8]!, ids[9]!, "follows")],
  ["an unlink", 3, "unlink", ({ owner, ids }) => owner.unlink(ids[8]!, ids[9]!, "follows")],
  ["a status", 7, "setStatus", ({ owner, ids }) => owner.setStatus(ids[0]!, "canonical")],
  ["a status that is so", 0, "setStatus", ({ owner, ids }) => owner.setStatus(ids[0]!, "draft")],
  ["an append", 11, "append", ({ owner, ids }) => owner.append(ids[0]!, "more")],
  ["a recall of two hits", 2, "recall", ({ owner }) => owner.recall("note 3 4", { topK: 2 })],
  ["a recall that observes", 0, "recall", ({ owner }) => owner.recall("note", { observe: true })],
];

describe("rows written by", () => {
  it.each(CASES)("[STO-6] %s", async (_what, rows, method, act) => {
    await inSphere((bench) => {
      const scene = setScene(bench);
      const before = bench.owner.getStats().usage[method]?.rowsWritten ?? 0;
      act(scene);
      expect(bench.rowsOf(method).rowsWritten - before).toBe(rows);
    });
  });
});

function capture(
  what: string,
  rows: number,
  options: CaptureOptions | ((ids: string[]) => CaptureOptions) = {},
): Case {
  return [
    `a capture ${what}`,
    rows,
    "capture",
    ({ owner, ids }) =>
      owner.capture("the new one", typeof options === "function" ? options(ids) : options),
  ];
}

function setScene(bench: Bench): Scene {
  const items = Array.from({ length: 10 }, (_, n) => ({ content: `note ${n}` }));
  const ids = bench.owner.captureMany(items).results.map(({ id }) => id);
  bench.owner.link(ids[8]!, ids[9]!, "follows");
  return { ...bench, ids };
}
