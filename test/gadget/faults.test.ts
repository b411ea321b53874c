import { describe, expect, it } from "vitest";
import { dumpOf } from "../support/dump.ts";
import { expectInvariant } from "../support/invariant.ts";
import { DAY, NOW, inSphere } from "../support/sphere.ts";
import type { Bench } from "../support/sphere.ts";
import { interceptingSql } from "../support/storage-proxy.ts";

/** Entries with everything that can hang on one, in a chain c over b over a. */
interface Scene extends Bench {
  a: string;
  b: string;
  c: string;
}

type Case = [what: string, statements: number, act: (scene: Scene) => unknown];

/** With the number of statements that each runs at least: fewer, and nothing was there to fail. */
const CASES: Case[] = [
  [
    "capture with tags and links",
    10,
    ({ owner, a, b }) =>
      owner.capture("a new note about rollback", {
        tags: ["new", "release", "session:9"],
        links: [
          { type: "caused_by", dst: a },
          { type: "relates_to", src: b },
        ],
      }),
  ],
  [
    "capture of equal bytes with new tags and links",
    12,
    ({ owner, b }) =>
      owner.capture("deploy runs at noon", {
        tags: ["another", "role:agent"],
        links: [{ type: "relates_to", dst: b }],
      }),
  ],
  [
    "captureMany",
    20,
    ({ owner, b }) =>
      owner.captureMany([
        { content: "first of three", tags: ["x"] },
        { content: "second of three", links: [{ type: "caused_by", dst: b }] },
        { content: "deploy runs at noon", tags: ["y"] },
      ]),
  ],
  ["append", 9, ({ owner, a }) => owner.append(a, "and at midnight", { tags: ["night"] })],
  ["update of the text", 8, ({ owner, a }) => owner.update(a, "deploy never runs")],
  ["update of the tags", 9, ({ owner, a }) => owner.update(a, null, { tags: ["noon", "other"] })],
  [
    "update of options",
    6,
    ({ owner, a }) =>
      owner.update(a, null, {
        volatility: "volatile",
        status: "deprecated",
        source: null,
        expiresAt: NOW + DAY,
      }),
  ],
  ["setStatus", 5, ({ owner, a }) => owner.setStatus(a, "deprecated", { reason: "wrong" })],
  ["setStatus that affirms", 3, ({ owner, c }) => owner.setStatus(c, "canonical")],
  ["forget in a chain", 9, ({ owner, b }) => owner.forget(b)],
  ["link that is new", 6, ({ owner, a, c }) => owner.link(c, a, "caused_by")],
  [
    "link again",
    5,
    ({ owner, a, b }) => owner.link(b, a, "supersedes", { weight: 0.9, metadata: { why: "said" } }),
  ],
  [
    "link supersedes",
    7,
    ({ owner, a, c }) => owner.link(c, a, "supersedes", { provenance: "inferred" }),
  ],
  ["unlink", 5, ({ owner, a, b }) => owner.unlink(b, a, "supersedes")],
  [
    "runStalenessPass with due and expired entries",
    10,
    ({ owner, clock }) => {
      clock.now = NOW + 120 * DAY;
      return owner.runStalenessPass();
    },
  ],
  ["recall that counts", 6, ({ owner }) => owner.recall("deploy rollback")],
];

describe("a failure at any statement leaves nothing", () => {
  it.each(CASES)("[STO-1] of %s", async (_what, statements, act) => {
    await expectNothingLeft(act, statements, () => {});
  });

  it("[STO-1] of a write that first goes on indexing under a newer analyzer", async () => {
    await expectNothingLeft(
      ({ owner }) => owner.capture("a note in another time"),
      12,
      ({ sql }) => sql.run("UPDATE meta SET value = 0 WHERE key = 'analyzer_version'"),
    );
  });
});

/** Makes each statement of `act` the one that fails, and compares the whole database every time. */
async function expectNothingLeft(
  act: (scene: Scene) => unknown,
  statements: number,
  prepare: (scene: Scene) => void,
): Promise<void> {
  const fault = new Fault();
  await inSphere(
    (bench) => {
      const scene = setScene(bench);
      prepare(scene);
      const before = dumpOf(bench.storage);
      const failures = failUntilItSucceeds(fault, () => act(scene), bench, before);
      expect(failures).toBeGreaterThanOrEqual(statements);
      expect(dumpOf(bench.storage)).not.toEqual(before);
      expectInvariant(bench.storage);
    },
    { wrap: (storage) => interceptingSql(storage, fault.around) },
  );
}

/** Calls `act` with a fault after the first statement, then the second, until it meets none. */
function failUntilItSucceeds(
  fault: Fault,
  act: () => unknown,
  { storage, clock }: Bench,
  before: object,
): number {
  for (let failures = 0; ; failures++) {
    clock.now = NOW;
    fault.after = failures + 1;
    try {
      act();
      return failures;
    } catch (error) {
      expect(error).toBe(fault.error);
    } finally {
      fault.after = 0;
    }
    expect(dumpOf(storage)).toEqual(before);
  }
}

/** Throws once `after` statements have been run, the last of them included. */
class Fault {
  after = 0;
  readonly error = new Error("injected");

  readonly around: Parameters<typeof interceptingSql>[1] = (exec, query, bindings) => {
    const cursor = exec(query, ...bindings);
    if (this.after > 0 && --this.after === 0) {
      cursor.toArray();
      throw this.error;
    }
    return cursor;
  };
}

function setScene(bench: Bench): Scene {
  const { owner, clock } = bench;
  const [a, b, c] = owner
    .captureMany([
      {
        content: "deploy runs at noon",
        tags: ["release", "noon"],
        source: "wiki",
        claimTag: "VERIFIED",
        evidenceRef: "log 7",
      },
      { content: "rollback runs at noon", tags: ["release"] },
      { content: "nothing runs at noon", status: "canonical" },
      { content: "yesterday's weather", volatility: "volatile", occurredAt: NOW - 10 * DAY },
      { content: "the office is closed", expiresAt: NOW + DAY, tags: ["office"] },
    ])
    .results.map(({ id }) => id) as [string, string, string];
  owner.link(b, a, "supersedes");
  owner.link(c, b, "supersedes");
  owner.link(c, a, "relates_to", { metadata: { seen: 1 } });
  owner.update(b, "rollback runs at one", { tags: ["release", "one"] });
  owner.recall("noon", { includeInactive: true });
  clock.now = NOW;
  return { ...bench, a, b, c };
}
