import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export const PROJECT_ROOT = join(import.meta.dirname, "../..");

/** A directory with these files (path → text) that is gone when the test is over. */
export async function temporaryTree(files: Record<string, string | Buffer> = {}): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "mini-sphere-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return root;
}

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end with this standard input. */
export async function runToEnd(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; input?: string } = {},
): Promise<Finished> {
  const child = spawn(program, args, {
    cwd: options.cwd ?? PROJECT_ROOT,
    env: { ...process.env, ...options.env },
    stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  child.stdin?.end(options.input);
  const code = new Promise<number | null>((resolve, reject) => {
    child.once("close", resolve).once("error", reject);
  });
  const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  return { code: await code, stdout, stderr };
}

/** Runs one of our commands, as its npm script does. */
export function runCommand(
  name: "token" | "sphere" | "start",
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; input?: string } = {},
): Promise<Finished> {
  return runToEnd(process.execPath, [join(PROJECT_ROOT, `src/cli/${name}.ts`), ...args], options);
}

const textOf = (stream: Readable | null) => (stream ? text(stream) : "");
