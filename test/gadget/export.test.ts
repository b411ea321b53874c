import * as fc from "fast-check";
import { expect, it } from "vitest";
import { CONTRACT_VERSION, METHODS_BY_ROLE } from "../../contracts/index.ts";
import { sha256Hex } from "../../src/lib/hash.ts";
import { exportText } from "../../src/transfer/export.ts";
import { DAY, inSphere } from "../support/sphere.ts";
import type { Calls } from "../support/sphere.ts";

function pages(owner: Calls): string[] {
  const texts: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = owner.exportPage(cursor === undefined ? {} : { cursor });
    texts.push(page.text);
    cursor = page.next;
  }
  return texts;
}

const recordsOf = (texts: readonly string[]): Record<string, unknown>[] =>
  texts
    .join("")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

const all = (owner: Calls, record: string) =>
  recordsOf(pages(owner)).filter((each) => each["record"] === record);

it("[EXP-1][EXP-2] has every entry with its tags and revisions, every edge and every line of the log", async () => {
  await inSphere(({ owner, as, clock }) => {
    const ada = as("curator", "ada");
    const { id: a } = ada.capture("one\nline", { tags: ["Sea"], occurredAt: 5, importance: 3 });
    clock.now += 1;
    const { id: b } = owner.capture("two", { links: [{ type: "supersedes", dst: a }] });
    ada.update(a, "uno");
    ada.setStatus(a, "deprecated", { reason: "old" });
    owner.link(a, b, "follows", { weight: 0.25, metadata: { why: "order" } });
    const gone = owner.capture("secretive words").id;
    owner.forget(gone);
    const records = recordsOf(pages(owner));
    expect(records[0]).toEqual({
      record: "header",
      format: "mini-sphere",
      contract: CONTRACT_VERSION,
      counts: { entries: 2, edges: 2, events: all(owner, "event").length },
    });
    const kinds = records.map((each) => each["record"]).filter((kind) => kind !== "event");
    const ofA = ["entry", "revision", "revision"];
    const entries = a < b ? [...ofA, "entry"] : ["entry", ...ofA];
    expect(kinds).toEqual(["header", ...entries, "edge", "edge"]);
    expect(records.find((each) => each["id"] === a)).toMatchObject({
      content: "uno",
      tags: ["sea"],
      status: "deprecated",
      actor: "ada",
      occurredAt: 5,
      importance: 3,
    });
    expect(records.filter((each) => each["record"] === "revision")).toMatchObject([
      { entry: a, content: "one\nline", actor: "ada" },
      { entry: a, content: null, reason: "old", changes: { status: ["draft", "deprecated"] } },
    ]);
    expect(records.filter((each) => each["record"] === "edge")).toContainEqual(
      expect.objectContaining({
        src: a,
        dst: b,
        type: "follows",
        weight: 0.25,
        metadata: { why: "order" },
      }),
    );
    expect(JSON.stringify(records)).not.toContain("secretive");
    expect(records.at(-1)).toMatchObject({ record: "event", action: "forgotten", entry: gone });
  });
});

it("[EXP-2] gives the same bytes after reads that observe and a pass that only flags", async () => {
  await inSphere(({ owner, clock }) => {
    owner.capture("the ferry leaves at nine", { volatility: "volatile" });
    const before = pages(owner);
    clock.now += 100 * DAY;
    owner.recall("ferry", { observe: true });
    expect(owner.runStalenessPass().flagged).toBe(1);
    expect(pages(owner)).toEqual(before);
    owner.recall("ferry");
    expect(all(owner, "entry")[0]).toMatchObject({ recallCount: 1 });
  });
});

it("[EXP-3] any texts come in pages below the limit that join to whole records", async () => {
  const unit = fc.constantFrom("a", "\u0001", "\n", '"', "\\", "漢", "🐚", "é");
  const text = fc.tuple(fc.string({ unit, minLength: 1, maxLength: 40 }), fc.nat(4_000));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), async (drawn) => {
      await inSphere(({ owner }) => {
        const texts = drawn.map(([word, times], n) => `${n}${word.repeat(times)}`);
        for (const content of texts) owner.capture(content);
        const parts = pages(owner);
        for (const part of parts) {
          expect(part.isWellFormed()).toBe(true);
          expect(part.length).toBeLessThanOrEqual(300_000);
          expect(new TextEncoder().encode(JSON.stringify(part)).length).toBeLessThan(1_000_000);
        }
        const contents = recordsOf(parts).flatMap((each) => each["content"] ?? []);
        expect(contents.sort()).toEqual(texts.sort());
      });
    }),
    { numRuns: 15 },
  );
});

it("[EXP-3] cuts the largest record that there may be, and many small ones, without a gap", async () => {
  await inSphere(({ owner, rowsOf }) => {
    const { id } = owner.capture("\u0001".repeat(500_000));
    owner.append(owner.capture("small").id, "more");
    for (let n = 0; n < 4; n++) {
      const items = Array.from({ length: 500 }, (_, m) => ({
        content: `entry ${n} ${m}`,
        links: [{ type: "follows" as const, dst: id }],
      }));
      owner.captureMany(items);
    }
    const parts = pages(owner);
    expect(parts.length).toBeGreaterThan(10);
    expect(parts.slice(0, -1).every((part) => part.length > 299_000)).toBe(true);
    const records = recordsOf(parts);
    const keys = records.map((each) =>
      JSON.stringify([each["record"], each["id"], each["entry"], each["src"], each["dst"]]),
    );
    const count = (record: string) => records.filter((each) => each["record"] === record).length;
    expect(count("entry")).toBe(2_002);
    expect(count("edge")).toBe(2_000);
    expect(records[0]).toMatchObject({
      counts: { entries: 2_002, edges: 2_000, events: count("event") },
    });
    expect(new Set(keys.filter((key) => !key.startsWith('["event"'))).size).toBe(
      2_002 + 2_000 + 1 + 1,
    );
    expect(rowsOf("exportPage").rowsWritten).toBe(0);
  });
});

it("[EXP-4] is refused when the workspace was written to between two pages", async () => {
  await inSphere(({ owner }) => {
    const { id } = owner.capture("x".repeat(400_000));
    const { next } = owner.exportPage();
    owner.recall("x");
    expect(owner.exportPage({ cursor: next! }).next).toBeNull();
    owner.setStatus(id, "canonical");
    expect(() => owner.exportPage({ cursor: next! })).toThrow("start the export again");
    expect(() => owner.exportPage({ cursor: btoa("[]") })).toThrow("start again without it");
  });
});

it("[EXP-4] goes on when the database is full", async () => {
  await inSphere(({ owner, wake }) => {
    owner.capture("kept");
    expect(pages(wake({ maxDatabaseBytes: 1 })).join("")).toContain("kept");
  });
});

it("[EXP-1] ends with a trailer that has the checksum of all that stands before it", async () => {
  await inSphere(async ({ owner }) => {
    for (const part of ["a", "漢", "🐚"]) owner.capture(part.repeat(120_000));
    let text = "";
    const calls = { exportPage: async (options = {}) => owner.exportPage(options) };
    for await (const piece of exportText(calls)) text += piece;
    const body = text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1);
    expect(JSON.parse(text.slice(body.length))).toEqual({
      record: "end",
      records: 7,
      sha256: sha256Hex(body),
    });
  });
});

it("[ACC-2] is an owner's alone", () => {
  const holders = Object.entries(METHODS_BY_ROLE).filter(([, methods]) =>
    (methods as readonly string[]).includes("exportPage"),
  );
  expect(holders.map(([role]) => role)).toEqual(["owner"]);
});
