import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestHarness } from "wrangler";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mintToken } from "../../src/access/tokens.ts";
import { SECRET_NAME } from "../../src/cli/dev-secret.ts";
import { PROJECT_ROOT, runCommand, temporaryTree } from "./support.ts";

const SECRET = "a secret for this test only, 32+ bytes";
const harness = createTestHarness({
  root: PROJECT_ROOT,
  workers: [{ configPath: "wrangler.toml", secrets: { [SECRET_NAME]: SECRET } }],
});
let url = "";

beforeAll(async () => {
  url = (await harness.listen()).url.origin;
});
afterAll(() => harness.close());

const sphere = (args: readonly string[], options: { input?: string; url?: string } = {}) =>
  runCommand("sphere", args, {
    env: {
      SPHERE_URL: options.url ?? url,
      SPHERE_TOKEN: undefined,
      [SECRET_NAME]: SECRET,
    },
    ...(options.input === undefined ? {} : { input: options.input }),
  });

/** A command in a workspace of its own, whose JSON is all that it prints. */
function inWorkspace(workspace: string) {
  return async (args: readonly string[], input?: string) => {
    const all = [...args, "--json", "--workspace", workspace];
    const { code, stdout, stderr } = await sphere(all, input === undefined ? {} : { input });
    expect([code, stderr]).toEqual([0, ""]);
    return JSON.parse(stdout);
  };
}

describe("npm run sphere with --json", () => {
  it("exports to a file and to standard output, the same bytes", async () => {
    const folder = await mkdtemp(join(tmpdir(), "sphere-export-"));
    const file = join(folder, "memory.ndjson");
    try {
      const ask = inWorkspace("export");
      const { id } = await ask(["capture", "-"], "漢".repeat(150_000));
      const written = await ask(["export", file]);
      const text = await readFile(file, "utf8");
      expect(written).toEqual({ file, records: 3, bytes: Buffer.byteLength(text) });
      expect(JSON.parse(text.split("\n")[1]!)).toMatchObject({ record: "entry", id, actor: "cli" });
      expect((await sphere(["export", "--workspace", "export"])).stdout).toBe(text);
      const refused = await sphere(["export", join(folder, "none", "x"), "--workspace", "export"]);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("Name a file")]);
      expect(await readdir(folder)).toEqual(["memory.ndjson"]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("captures with every option and finds it again", async () => {
    const ask = inWorkspace("all-options");
    const { id, created, warnings } = await ask([
      "capture",
      "The harbour crane was inspected",
      ..."--tag Crane --tag safety --kind semantic --status canonical --volatility durable".split(
        " ",
      ),
      ..."--claim-tag VERIFIED --evidence-ref report-7 --importance 4".split(" "),
      ..."--source inspector --occurred-at 2026-01-31".split(" "),
    ]);
    expect([created, warnings]).toEqual([true, []]);
    const { hits } = await ask(["recall", "crane", "--top-k", "1", "--explain"]);
    expect(hits).toEqual([
      expect.objectContaining({
        id,
        content: "The harbour crane was inspected",
        tags: ["crane", "safety"],
        kind: "semantic",
        status: "canonical",
        claimTag: "VERIFIED",
        evidenceRef: "report-7",
        source: "inspector",
        occurredAt: Date.UTC(2026, 0, 31),
        why: expect.anything(),
      }),
    ]);
  });

  it("captures standard input without the newline that ends it", async () => {
    const ask = inWorkspace("stdin");
    const { id } = await ask(["capture", "-"], "Łódź\n\nsecond line\n");
    const { entries } = await ask(["recent"]);
    expect(entries).toEqual([expect.objectContaining({ id, content: "Łódź\n\nsecond line" })]);
  });

  it("gives recent entries page by page", async () => {
    const ask = inWorkspace("pages");
    await ask(["capture", "one"]);
    await ask(["capture", "two"]);
    const first = await ask(["recent", "--n", "1"]);
    const second = await ask(["recent", "--n", "1", "--cursor", first.next]);
    const contents = [...first.entries, ...second.entries].map((entry) => entry.content);
    expect(contents.toSorted()).toEqual(["one", "two"]);
  });

  it("tells what changed", async () => {
    const ask = inWorkspace("changes");
    const { id } = await ask(["capture", "The harbour crane"]);
    expect(await ask(["changes", "--since", "2026-01-31", "--limit", "5"])).toEqual({
      since: Date.UTC(2026, 0, 31),
      entries: [expect.objectContaining({ id, title: "The harbour crane" })],
      next: null,
    });
    expect(await ask(["entry", id, "--as-of", "2099-01-31"])).toMatchObject({
      content: "The harbour crane",
      asOf: { exact: true },
    });
    const { stdout } = await sphere(["changes", "--workspace", "changes"]);
    expect(stdout).toContain(`${id}  episodic  draft  The harbour crane`);
    expect(stdout).toMatch(/ {2}captured {2}/);
  });

  it("gives the brief and the counts", async () => {
    const ask = inWorkspace("brief");
    await ask(["capture", "Read this", "--tag", "handoff"]);
    expect(await ask(["brief", "--max-chars", "2000"])).toMatchObject({
      handoffs: [{ content: "Read this" }],
    });
    expect(await ask(["stats"])).toMatchObject({ entries: 1 });
  });

  it("takes the contract's names as options", async () => {
    const ask = inWorkspace("names");
    await ask(["capture", "pier one"]);
    await ask(["capture", "pier two"]);
    expect((await ask(["recall", "pier", "--topK=1"])).hits).toHaveLength(1);
  });

  it("captures a text as it is written, though it looks like an option", async () => {
    const { id } = JSON.parse(
      (
        await sphere([
          "capture",
          "--json",
          "--workspace",
          "dashes",
          "--source",
          "--noCi",
          "--",
          "--topK=5",
        ])
      ).stdout,
    );
    const { entries } = await inWorkspace("dashes")(["recent"]);
    expect(entries).toEqual([
      expect.objectContaining({ id, content: "--topK=5", source: "--noCi" }),
    ]);
  });
});

describe("npm run sphere -- import", () => {
  const importing =
    (workspace: string) =>
    async (path: string, ...args: string[]) => {
      const all = ["import", path, ...args, "--json", "--workspace", workspace];
      const { code, stdout } = await sphere(all);
      expect(code).toBe(0);
      return JSON.parse(stdout);
    };

  it("adds a memory.jsonl once, tells of what it cannot take, and goes on", async () => {
    const entity = (name: string, ...observations: string[]) =>
      JSON.stringify({ type: "entity", name, entityType: "person", observations });
    const lines = [
      entity("Ada", "wrote notes on looms"),
      entity("Leak", `the key is ${["AKIA", "QYLPMN5HNM4OZ56B"].join("")}`),
      entity("Basil", "keeps looms"),
      JSON.stringify({ type: "relation", from: "Ada", to: "Basil", relationType: "knows" }),
      "{broken",
    ];
    const path = join(await temporaryTree({ "memory.jsonl": lines.join("\r\n") }), "memory.jsonl");
    const run = importing("import-memory");
    const ask = inWorkspace("import-memory");
    expect(await run(path, "--from", "memory-jsonl", "--dry-run")).toMatchObject({ entries: 3 });
    expect(await ask(["stats"])).toMatchObject({ entries: 0 });
    const first = await run(path, "--from", "memory-jsonl");
    expect(first).toMatchObject({ newEntries: 2, newEdges: 1 });
    expect(first.problems).toEqual([
      expect.stringMatching(/^memory\.jsonl:5: is not JSON/),
      expect.stringMatching(/^memory:Leak: .*credential/i),
    ]);
    const again = await run(path, "--from", "memory-jsonl");
    expect(again).toMatchObject({ entries: 2, newEntries: 0, edges: 1, newEdges: 0 });
    const { hits } = await ask(["recall", "looms"]);
    expect(hits).toHaveLength(2);
  });

  it("adds a folder's instructions as drafts", async () => {
    const root = await temporaryTree({ "a/AGENTS.md": "# Build\n\nRun make.", "a/b.md": "no" });
    expect(await importing("import-rules")(root, "--from", "instructions")).toMatchObject({
      newEntries: 1,
    });
    const { entries } = await inWorkspace("import-rules")(["recent"]);
    expect(entries).toMatchObject([{ kind: "instruction", status: "draft" }]);
  });

  it("says what it reads when there is nothing of the format", async () => {
    const { code, stderr } = await sphere(["import", "/nowhere", "--from", "memory-jsonl"]);
    expect([code, stderr]).toEqual([3, expect.stringContaining('"/nowhere"')]);
  });
});

describe("npm run sphere for people", () => {
  it("shows hits as text", async () => {
    await sphere(["capture", "The lighthouse keeper retired", "--workspace", "people"]);
    const { code, stdout } = await sphere(["recall", "lighthouse", "--workspace", "people"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ 1 {2}[0-9a-f]{8} .*\n {4}The lighthouse keeper retired\n/);
  });
});

describe("the exit code of npm run sphere", () => {
  const NOBODY = ["--url", "http://127.0.0.1:1"];
  const readOnly = () =>
    mintToken(SECRET, {
      workspace: "w",
      role: "reader",
      actor: "a",
      ttlSeconds: 600,
      now: Date.now(),
    });

  const cases: [string, () => Promise<readonly string[]>, number, RegExp][] = [
    ["2 for an unknown command", async () => ["recal", "x"], 2, /unknown command/],
    ["2 for a missing argument", async () => ["recall"], 2, /missing required argument/],
    ["2 for what the contract refuses", async () => ["recall", "x", "--top-k", "0"], 2, /topK/],
    ["4 for a bad token", async () => ["stats", "--token", "x"], 4, /npm run token/],
    [
      "4 for what the role lacks",
      async () => ["capture", "x", "--token", await readOnly()],
      4,
      /no method "capture"/,
    ],
    ["5 where there is nothing to maintain", async () => ["maintain", ...NOBODY], 5, /npm start/],
    ["5 where nobody answers", async () => ["stats", ...NOBODY], 5, /npm start/],
  ];

  it.each(cases)("is %s, with a sentence and no stack", async (_, args, expected, sentence) => {
    const { code, stdout, stderr } = await sphere([...(await args()), "--json"]);
    expect([code, stdout]).toEqual([expected, ""]);
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
