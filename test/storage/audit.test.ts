import { describe, expect, it } from "vitest";
import { dumpOf } from "../support/dump.ts";
import { DAY, NOW, inSphere } from "../support/sphere.ts";
import type { Bench } from "../support/sphere.ts";

interface Line {
  method: string;
  action: string;
  entry: string;
  changes: unknown;
}

type Change = (bench: Bench, ids: { a: string; b: string }) => unknown;

/** Each change of two entries a and b, and the lines that it adds to the audit log. */
const CHANGES: [what: string, change: Change, lines: (a: string, b: string) => Line[]][] = [
  [
    "an update of the text and a tag",
    ({ owner }, { a }) => owner.update(a, "other words", { tags: ["x"] }),
    (a) => [line("update", "updated", a, { fields: ["content", "tags"] })],
  ],
  [
    "an append",
    ({ owner }, { a }) => owner.append(a, "more words"),
    (a) => [line("append", "updated", a, { fields: ["content"] })],
  ],
  [
    "an update that deprecates",
    ({ owner }, { a }) => owner.update(a, null, { status: "deprecated" }),
    (a) => [line("update", "deprecated", a, { fields: ["status"] })],
  ],
  [
    "tags added by equal bytes",
    ({ owner }) => owner.capture("words of a", { tags: ["x", "session:1"] }),
    (a) => [line("capture", "updated", a, { fields: ["tags", "origin"] })],
  ],
  [
    "a status",
    ({ owner }, { a }) => owner.setStatus(a, "canonical", { reason: "checked" }),
    (a) => [line("setStatus", "updated", a, { status: ["draft", "canonical"] })],
  ],
  [
    "a deprecation",
    ({ owner }, { a }) => owner.setStatus(a, "deprecated"),
    (a) => [line("setStatus", "deprecated", a, { status: ["draft", "deprecated"] })],
  ],
  [
    "a link",
    ({ owner }, { a, b }) => owner.link(a, b, "caused_by", { metadata: { words: 1 } }),
    (a, b) => [line("link", "linked", a, { type: "caused_by", dst: b, created: true })],
  ],
  [
    "a link that supersedes",
    ({ owner }, { a, b }) => owner.link(a, b, "supersedes"),
    (a, b) => [
      line("link", "linked", a, { type: "supersedes", dst: b, created: true }),
      line("link", "superseded", b, { by: a }),
    ],
  ],
  [
    "an expiry that a pass finds",
    (bench, { b }) => {
      bench.clock.now = NOW + 2 * DAY;
      bench.owner.runStalenessPass();
      return b;
    },
    (_a, b) => [
      line("runStalenessPass", "deprecated", b, { status: ["draft", "deprecated"] }, NOW + 2 * DAY),
    ],
  ],
  [
    "a forgetting",
    ({ owner }, { a }) => owner.forget(a),
    (a) => [line("forget", "forgotten", a, null)],
  ],
];

function line(method: string, action: string, entry: string, changes: unknown, at = NOW) {
  return { at, actor: "test", method, action, entry, changes };
}

describe("the audit log", () => {
  it.each(CHANGES)("[STO-8] has %s", async (_what, change, lines) => {
    await inSphere((bench) => {
      const a = bench.owner.capture("words of a").id;
      const b = bench.owner.capture("words of b", { expiresAt: NOW + DAY }).id;
      expect(logOf(bench)).toEqual([
        line("capture", "captured", a, null),
        line("capture", "captured", b, null),
      ]);
      change(bench, { a, b });
      expect(logOf(bench).slice(2)).toEqual(lines(a, b));
    });
  });

  it("[STO-8] has who it was, by the capability", async () => {
    await inSphere((bench) => {
      bench.as("contributor", "agent-7").capture("words");
      expect(logOf(bench)).toMatchObject([{ actor: "agent-7", action: "captured" }]);
    });
  });

  it("[STO-8] has no line of what changed nothing, or was refused", async () => {
    await inSphere((bench) => {
      const { owner } = bench;
      const a = owner.capture("words of a", { tags: ["x"] }).id;
      const b = owner.capture("words of b").id;
      owner.link(a, b, "relates_to");
      const before = logOf(bench);
      owner.capture("words of a", { tags: ["x"], source: "ignored" });
      owner.update(a, "words of a", { tags: ["x"] });
      owner.setStatus(a, "draft");
      owner.link(b, a, "relates_to");
      owner.unlink(a, b, "caused_by");
      owner.recall("words");
      expect(() => owner.update(a, "words of b")).toThrow("already has");
      expect(() => owner.capture("new", { links: [{ type: "caused_by", dst: "none" }] })).toThrow();
      expect(logOf(bench)).toEqual(before);
    });
  });

  it("[STO-8] never has content, tags, sources, evidence, reasons or metadata", async () => {
    await inSphere((bench) => {
      const { owner } = bench;
      const secret = {
        source: "secret",
        evidenceRef: "secret",
        tags: ["secret", "session:secret"],
      };
      const a = owner.capture("secret a", secret).id;
      const b = owner.captureMany([{ content: "secret b", ...secret }]).results[0]!.id;
      owner.capture("secret a", { tags: ["secret too", "role:secret"] });
      owner.append(a, "secret", { tags: ["secret three"], source: "secret two" });
      owner.update(b, "secret c", { ...secret, evidenceRef: null });
      owner.setStatus(a, "canonical", { reason: "secret" });
      owner.setStatus(a, "canonical", { reason: "secret" });
      owner.link(a, b, "caused_by", { metadata: { secret: "secret" } });
      owner.unlink(a, b, "caused_by");
      owner.forget(a);
      expect(logOf(bench).length).toBeGreaterThanOrEqual(10);
      expect(JSON.stringify(dumpOf(bench.storage)["events"])).not.toContain("secret");
    });
  });
});

function logOf({ sql }: Bench): Line[] {
  return sql
    .all<Line & { changes: string | null }>(
      "SELECT at, actor, method, action, entry, changes FROM events ORDER BY seq",
    )
    .map((row) => ({ ...row, changes: row.changes === null ? null : JSON.parse(row.changes) }));
}
