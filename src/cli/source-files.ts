import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { SourceFile } from "../importers/importer.ts";
import { CliError, EXIT } from "./exit.ts";

const SKIPPED = new Set(["node_modules", ".git", ".obsidian", ".trash"]);

/** The file, or those of the folder whose path matches, in the order of their paths. */
export async function readSourceFiles(path: string, matching: RegExp): Promise<SourceFile[]> {
  const found = await stat(path).catch(() => null);
  if (!found) throw new CliError(EXIT.notFound, `There is no file or folder at "${path}".`);
  if (!found.isDirectory()) return [{ path: basename(path), text: await readText(path) }];
  const paths = (await pathsUnder(path, "")).filter((each) => matching.test(each)).toSorted();
  return Promise.all(
    paths.map(async (each) => ({ path: each, text: await readText(join(path, each)) })),
  );
}

async function pathsUnder(root: string, directory: string): Promise<string[]> {
  const found: string[] = [];
  for (const each of await readdir(join(root, directory), { withFileTypes: true })) {
    const path = directory === "" ? each.name : `${directory}/${each.name}`;
    if (each.isDirectory() && !SKIPPED.has(each.name))
      found.push(...(await pathsUnder(root, path)));
    else if (each.isFile()) found.push(path);
  }
  return found;
}

/** UTF-8 or UTF-16 by its mark; what is not UTF-8 without one is read as Windows-1252, as old editors wrote. */
async function readText(file: string): Promise<string> {
  const bytes = await readFile(file);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
