import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { once } from "node:events";
import type { MiniSphereApi } from "../../contracts/api.ts";
import { exportText } from "../transfer/export.ts";
import { usageError } from "./exit.ts";

/** Of what was written; `records` with the header and without the trailer. */
export interface Exported {
  records: number;
  bytes: number;
}

/**
 * Writes the export to a file, or to standard output. The file is there whole or not at all: it is written
 * beside its place first.
 */
export async function exportTo(
  sphere: Pick<MiniSphereApi, "exportPage">,
  file: string | undefined,
): Promise<Exported> {
  if (file === undefined) return writeAll(sphere, toStandardOutput);
  const partial = `${file}.partial`;
  const handle = await opened(partial);
  try {
    const written = await writeAll(sphere, (text) => handle.writeFile(text));
    await handle.close();
    await rename(partial, file);
    return written;
  } catch (error) {
    await handle.close();
    await rm(partial, { force: true });
    throw error;
  }
}

async function writeAll(
  sphere: Pick<MiniSphereApi, "exportPage">,
  write: (text: string) => Promise<void>,
): Promise<Exported> {
  let [lines, bytes] = [0, 0];
  for await (const text of exportText(sphere)) {
    await write(text);
    lines += text.split("\n").length - 1;
    bytes += Buffer.byteLength(text);
  }
  return { records: lines - 1, bytes };
}

/** Waits for a slow reader, so that a pipe does not fill the memory. */
async function toStandardOutput(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

async function opened(file: string): Promise<FileHandle> {
  try {
    return await open(file, "w");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw usageError(
      `The export cannot be written: ${reason}. Name a file in a folder that is there.`,
    );
  }
}
