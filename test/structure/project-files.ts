import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** Text of a project file, by its path from the root. */
export function read(file: string): string {
  return readFileSync(path.join(ROOT, file), "utf8");
}

/** Paths of the TypeScript files below a directory, declarations aside, sorted. */
export function typescriptFiles(directory: string): string[] {
  return readdirSync(path.join(ROOT, directory), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
    .map((file) => path.posix.join(directory, file.split(path.sep).join("/")))
    .sort();
}

export function committedFiles(): string[] {
  return execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" })
    .split("\0")
    .filter((file) => file !== "");
}

/** Source without its comments. Strings stay, so a line that begins like a comment inside one is lost. */
export function withoutComments(source: string): string {
  return source.replaceAll(/^\s*\/\*[\s\S]*?\*\//gm, "").replaceAll(/^\s*\/\/.*$/gm, "");
}
