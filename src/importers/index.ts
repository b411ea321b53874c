import type { Importer } from "./importer.ts";
import { importInstructions } from "./instructions.ts";
import { importMemory } from "./memory-jsonl.ts";

/** A format by the name that `--from` takes: which files of a folder it reads, and how they are mapped. */
export const FORMATS = {
  "memory-jsonl": { files: /\.jsonl?$/i, read: importMemory },
  instructions: { files: /(^|\/)(AGENTS|CLAUDE|GEMINI)(\.local)?\.md$/i, read: importInstructions },
} as const satisfies Record<string, { files: RegExp; read: Importer }>;

export type Format = keyof typeof FORMATS;
