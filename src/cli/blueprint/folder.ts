import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { usageError } from "../exit.ts";
import { ROOT } from "../program.ts";
import { buildBundle, type Bundle } from "./bundle.ts";
import { blueprintJsonSchema, blueprintOfCode, json } from "./manifest.ts";
import { folderReadme } from "./readme.ts";
import { type Seed, seedHash } from "./seeds.ts";

/** What the folder of a workspace is made of. */
export interface FolderRequest {
  workspace: string;
  directory: string;
  seeds: readonly Seed[];
  /** The seeds as they were written; null when there are none. */
  seedText: string | null;
  /** Optional bindings to prepare, by name. */
  bindings: readonly string[];
}

const MANIFEST = "blueprint.json";
export const SEED_FILE = "seeds.jsonl";
/** A Worker's name is at most 63 characters, of which the scheduler's takes these around the workspace's. */
const LONGEST_WORKSPACE = 63 - "mini-sphere--scheduler".length;

/** The name of the workspace's own Worker. */
export function workerName(workspace: string): string {
  if (workspace.length > LONGEST_WORKSPACE) {
    throw usageError(
      `The workspace "${workspace}" has ${workspace.length} characters; a Worker of its own can be named after at most ${LONGEST_WORKSPACE}.`,
    );
  }
  return `mini-sphere-${workspace.replaceAll(/[._]/g, "-").replace(/-+$/, "")}`;
}

/** Refuses a directory that holds something else, before anything is built or written. */
export async function requireOwnFolder(directory: string, workspace: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  if (names.length === 0) return;
  const manifest = await readFile(join(directory, MANIFEST), "utf8").catch(() => "{}");
  if ((JSON.parse(manifest) as { name?: unknown }).name === workspace) return;
  throw usageError(
    `${directory} holds something that is not the blueprint of "${workspace}": choose another directory with --out.`,
  );
}

/**
 * Writes all that deploying the workspace takes. What the folder's own runs have made (`.wrangler`,
 * `.dev.vars`) stays; everything else in it is made anew.
 */
export async function writeFolder(request: FolderRequest): Promise<void> {
  const { workspace, directory, seeds, seedText } = request;
  const name = workerName(workspace);
  const [sphere, scheduler, blueprint] = await Promise.all([
    buildBundle("wrangler.toml"),
    buildBundle("wrangler.scheduler.toml"),
    blueprintOfCode(),
  ]);
  await mkdir(directory, { recursive: true });
  await writeModules(join(directory, "worker"), sphere);
  await writeModules(join(directory, "scheduler"), scheduler);
  await rm(join(directory, "public"), { recursive: true, force: true });
  await cp(join(ROOT, "dist/public"), join(directory, "public"), { recursive: true });
  const files: Record<string, string> = {
    "wrangler.toml":
      (await config("wrangler.toml", name, "worker/main.js")) + bindingBlocks(request.bindings),
    "wrangler.scheduler.toml": await config(
      "wrangler.scheduler.toml",
      name,
      `scheduler/${[...scheduler.keys()].find((file) => file.endsWith(".js"))}`,
    ),
    [MANIFEST]: json({
      ...blueprint,
      name: workspace,
      seeds: seeds.map((seed) => ({ key: seed.key, hash: seedHash(seed) })),
    }),
    "blueprint.schema.json": json(blueprintJsonSchema()),
    "README.md": folderReadme({ ...request, worker: name, contract: blueprint.contract.version }),
    ".gitignore": ".dev.vars\n.wrangler/\n",
    ...(seedText !== null && { [SEED_FILE]: seedText }),
  };
  for (const [file, text] of Object.entries(files)) await writeFile(join(directory, file), text);
}

async function writeModules(directory: string, bundle: Bundle): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  for (const [name, text] of bundle) await writeFile(join(directory, name), text);
}

/** A config of this package, for a Worker of its own that is uploaded as it lies there. */
async function config(file: string, name: string, main: string): Promise<string> {
  const original = await readFile(join(ROOT, file), "utf8");
  return original
    .replaceAll(/"mini-sphere(-scheduler)?"/g, (_, suffix: string = "") => `"${name}${suffix}"`)
    .replace('directory = "dist/public"', 'directory = "public"')
    .replace(
      /^main = ".*"$/m,
      `main = "${main}"\n# Built already; it is uploaded as it is.\nno_bundle = true`,
    );
}

const BINDING_BLOCKS: Readonly<Record<string, string>> = {
  ai: `
# Workers AI. This version of mini-sphere does not use it: no call leaves the object (contract, section 11).
# Take the comment signs away when a version that uses it is deployed.
# [ai]
# binding = "AI"
`,
};

const bindingBlocks = (names: readonly string[]) =>
  names.map((name) => BINDING_BLOCKS[name]).join("");
