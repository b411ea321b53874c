import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../contracts/limits.ts";
import { parseLog, readHistory } from "../../src/importers/git-history.ts";
import { runToEnd, temporaryTree } from "./support.ts";

const GIT_INSTALLED = await runToEnd("git", ["--version"]).then(
  ({ code }) => code === 0,
  () => false,
);

const IDENTITY = {
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
  // Neither the settings of this machine's user nor a hook that we run in.
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_DIR: undefined,
  GIT_INDEX_FILE: undefined,
};

async function git(root: string, at: string, ...args: string[]): Promise<void> {
  const env = { ...IDENTITY, GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at };
  const { code, stderr } = await runToEnd("git", ["-C", root, ...args], { env });
  if (code !== 0) throw new Error(stderr);
}

/** Two commits; nothing where git is not installed, which the reader must then say. */
async function repository(): Promise<string> {
  const root = await temporaryTree({ "a b.md": "1", "ü.md": "1" });
  if (!GIT_INSTALLED) return root;
  await git(root, "2026-01-01T00:00:00Z", "init", "-q");
  await git(root, "2026-01-01T00:00:00Z", "add", "a b.md");
  await git(root, "2026-01-01T10:00:00Z", "commit", "-qm", "First\n\nWith a body\nof two lines");
  await git(root, "2026-01-02T00:00:00Z", "add", "ü.md");
  await git(root, "2026-01-02T10:00:00Z", "commit", "-qm", "Second");
  return root;
}

const ABSENT = { commits: [], absent: "git is not installed" };

describe("reading the history", () => {
  it("gives messages, author dates, parents and touched paths, newest first", async () => {
    const history = await readHistory(await repository(), 10);
    if (!GIT_INSTALLED) return expect(history).toEqual(ABSENT);
    const [second, first] = history.commits;
    expect(history.absent).toBeNull();
    expect(second).toMatchObject({
      subject: "Second",
      body: "",
      author: "Ada",
      at: Date.UTC(2026, 0, 2, 10),
      parents: [first?.hash],
      files: ["ü.md"],
    });
    expect(first).toMatchObject({
      subject: "First",
      body: "With a body\nof two lines",
      parents: [],
      files: ["a b.md"],
    });
  });

  it("stops at the limit", async () => {
    const history = await readHistory(await repository(), 1);
    if (!GIT_INSTALLED) return expect(history).toEqual(ABSENT);
    expect(history.commits.map((commit) => commit.subject)).toEqual(["Second"]);
  });

  it("says so where there is none", async () => {
    const { commits, absent } = await readHistory(await temporaryTree(), 10);
    expect(commits).toEqual([]);
    expect(absent).toMatch(GIT_INSTALLED ? /not a git repository/ : /not installed/);
  });

  it("does not take the history of a repository around it", async () => {
    const inside = join(await repository(), "unpacked");
    await mkdir(inside);
    const { commits, absent } = await readHistory(inside, 10);
    expect(commits).toEqual([]);
    expect(absent).toMatch(GIT_INSTALLED ? /not the root/ : /not installed/);
  });
});

describe("parsing a log", () => {
  const hash = (digit: string) => digit.repeat(40);
  const record = (...fields: string[]) => `\u0001${fields.join("\0")}\0`;

  it("keeps the commits apart that touch nothing", () => {
    const log = [
      record(hash("b"), `${hash("a")} ${hash("c")}`, "20", "B", "Merge", ""),
      record(hash("a"), "", "10", "A", "", ""),
    ].join("\0");
    expect(parseLog(log)).toMatchObject([
      { hash: hash("b"), parents: [hash("a"), hash("c")], files: [] },
      { hash: hash("a"), parents: [], subject: "", at: 10_000, files: [] },
    ]);
  });

  it("does not take a message for a commit or a path", () => {
    const body = `\u0001${hash("d")}\nFiles: none`;
    const log = `${record(hash("a"), "", "10", "A", "s", body)}\0\nx.md\0`;
    expect(parseLog(log)).toMatchObject([{ hash: hash("a"), files: ["x.md"] }]);
  });

  it.each([
    ["-86400", 0],
    ["soon", 0],
    ["99999999999999", LIMITS.timeMs],
  ])("moves the date %s into the contract's range", (seconds, at) => {
    expect(parseLog(record(hash("a"), "", seconds, "A", "s", ""))[0]?.at).toBe(at);
  });

  it("of nothing is nothing", () => {
    expect(parseLog("")).toEqual([]);
  });
});
