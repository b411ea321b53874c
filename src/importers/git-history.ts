import { execFile } from "node:child_process";
import { realpath } from "node:fs/promises";
import { promisify } from "node:util";
import { LIMITS } from "../../contracts/limits.ts";

const run = promisify(execFile);
const OUTPUT_BYTES = 64 * 1024 * 1024;
const RECORD = "\u0001";
const FIELDS = 6;

export interface Commit {
  hash: string;
  parents: string[];
  /** Author date, milliseconds, within the contract's range. */
  at: number;
  author: string;
  subject: string;
  body: string;
  /** Paths it touched; empty for a merge. */
  files: string[];
}

/** Newest first; empty with the reason in words when the directory has no history of its own. */
export interface History {
  commits: Commit[];
  absent: string | null;
}

export async function readHistory(root: string, limit: number): Promise<History> {
  try {
    const top = (await git(root, ["rev-parse", "--show-toplevel"])).trimEnd();
    // A tarball unpacked somewhere inside another repository has no history of its own.
    if ((await realpath(top)) !== (await realpath(root))) {
      return { commits: [], absent: "this directory is not the root of a git repository" };
    }
    return { commits: parseLog(await git(root, logArguments(limit))), absent: null };
  } catch (error) {
    return { commits: [], absent: whyAbsent(error) };
  }
}

// Everything is ended by NUL, which no field can hold; the marker tells a commit from a file name.
function logArguments(limit: number): string[] {
  const format = "%x01%H%x00%P%x00%at%x00%an%x00%s%x00%b%x00";
  return [
    "log",
    "-z",
    "--no-show-signature",
    "--name-only",
    `--max-count=${limit}`,
    `--format=${format}`,
  ];
}

export function parseLog(output: string): Commit[] {
  const tokens = output.split("\0");
  const commits: Commit[] = [];
  let at = 0;
  while (at < tokens.length) {
    const fields = tokens.slice(at, at + FIELDS);
    at += FIELDS;
    const files: string[] = [];
    while (at < tokens.length && !startsCommit(tokens[at])) files.push(tokens[at++]?.trim() ?? "");
    const commit = commitOf(fields, files.filter(Boolean));
    if (commit) commits.push(commit);
  }
  return commits;
}

function startsCommit(token: string | undefined): token is string {
  return token?.startsWith(RECORD) === true && /^[0-9a-f]{40,64}$/.test(token.slice(1));
}

function commitOf(fields: string[], files: string[]): Commit | null {
  const [hash, parents, seconds, author, subject, body] = fields;
  if (!startsCommit(hash) || body === undefined) return null;
  return {
    hash: hash.slice(RECORD.length),
    parents: (parents ?? "").split(" ").filter(Boolean),
    at: timeOf(Number(seconds)),
    author: author ?? "",
    subject: (subject ?? "").trim(),
    body: body.trim(),
    files,
  };
}

// Git keeps dates before 1970 and nonsense; the contract does not.
function timeOf(seconds: number): number {
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds * 1000, 0), LIMITS.timeMs) : 0;
}

async function git(root: string, args: string[]): Promise<string> {
  // Inside a git hook these point at another repository.
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, ...env } = process.env;
  const { stdout } = await run("git", ["-C", root, "-c", "i18n.logOutputEncoding=UTF-8", ...args], {
    env: { ...env, LC_ALL: "C" },
    maxBuffer: OUTPUT_BYTES,
  });
  return stdout;
}

function whyAbsent(error: unknown): string {
  const { code, stderr } = error as { code?: unknown; stderr?: string };
  if (code === "ENOENT") return "git is not installed";
  const said = (stderr ?? "").split("\n")[0]?.replace(/^fatal: /, "");
  return said || "git could not read it";
}
