import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { Option } from "commander";
import type { MiniSphereApi } from "../../contracts/api.ts";
import type { Brief } from "../../contracts/entities.ts";
import { mintToken, workspaceName } from "../access/tokens.ts";
import { connect } from "../client/index.ts";
import { type Applied, applySeeds } from "./blueprint/apply.ts";
import { wrangler } from "./blueprint/bundle.ts";
import { requireOwnFolder, SEED_FILE, workerName, writeFolder } from "./blueprint/folder.ts";
import { OPTIONAL_BINDINGS } from "./blueprint/manifest.ts";
import { parseSeeds, type Seed } from "./blueprint/seeds.ts";
import { showApplied } from "./blueprint/show.ts";
import { ensureDevSecret } from "./dev-secret.ts";
import { withWorkers } from "./dev-server.ts";
import { usageError } from "./exit.ts";
import { createProgram, run } from "./program.ts";
import { inSession } from "./session.ts";
import { showBrief } from "./show/summaries.ts";

const WIDTH = 100;
const CONFIGS = ["wrangler.toml", "wrangler.scheduler.toml"];

interface BlueprintOptions {
  out?: string;
  seed?: string;
  bindings?: string;
  apply?: string;
  token?: string;
}

const program = createProgram(
  "blueprint",
  "Writes a folder that deploys one workspace, checks it, runs it once and seeds it.",
)
  .argument("<workspace>", "the workspace's name")
  .option("--out <dir>", "the folder to write (default: blueprints/<workspace>)")
  .option("--seed <file>", "what the workspace is told first: JSON lines")
  .addOption(
    new Option("--bindings <name>", "an optional binding to prepare").choices(
      OPTIONAL_BINDINGS.map(({ name }) => name),
    ),
  )
  .option("--apply <url>", "seed the workspace that answers there, and write no folder")
  .addOption(new Option("--token <token>", "a curator's token, with --apply").env("SPHERE_TOKEN"))
  .action(async (workspace: string, options: BlueprintOptions) => {
    const name = workspaceName.safeParse(workspace);
    if (!name.success) throw usageError(`The workspace ${name.error.issues[0]?.message}.`);
    await (options.apply === undefined ? make(workspace, options) : apply(workspace, options));
  });
await run(program);

/** Nothing is written before everything that was given is known to be right. */
async function make(workspace: string, { out, seed, bindings }: BlueprintOptions): Promise<void> {
  workerName(workspace);
  const directory = resolve(out ?? join("blueprints", workspace));
  await requireOwnFolder(directory, workspace);
  const { text: seedText, seeds } = await readSeeds(seed ?? keptSeeds(directory));

  console.log("Building both Workers …");
  const request = { workspace, directory, seeds, seedText };
  await writeFolder({ ...request, bindings: bindings === undefined ? [] : [bindings] });
  for (const config of CONFIGS) {
    const said = await wrangler(["deploy", "--dry-run", "-c", join(directory, config)]);
    console.log(`${config}: would deploy. ${/^Total Upload: .+$/m.exec(said)?.[0] ?? ""}`.trim());
  }
  console.log("Starting it here once …");
  const { applied, brief } = await tryOut(workspace, directory, seeds);
  if (applied !== null) console.log(`\n${showApplied(applied)}`);
  console.log(`\nIts brief:\n\n${showBrief(brief, WIDTH)}`);
  const shown = relative(process.cwd(), directory) || ".";
  console.log(`\n${shown} is ready to deploy: ${join(shown, "README.md")} has the commands.`);
}

/** The folder as it is, run by wrangler with a state of its own below it, which a later run finds again. */
async function tryOut(
  workspace: string,
  directory: string,
  seeds: readonly Seed[],
): Promise<{ applied: Applied | null; brief: Brief }> {
  const { secret } = await ensureDevSecret(directory);
  return withWorkers(directory, async (url) => {
    const claims = { workspace, role: "owner", actor: "blueprint" } as const;
    const token = await mintToken(secret, { ...claims, ttlSeconds: 300, now: Date.now() });
    using sphere = connect({ url, token, transport: "batch" });
    const applied = seeds.length === 0 ? null : await applySeeds(sphere, workspace, seeds);
    return { applied, brief: await sphere.getBrief() };
  });
}

async function apply(
  workspace: string,
  { apply: url = "", token, seed, out, bindings }: BlueprintOptions,
): Promise<void> {
  if (seed === undefined) throw usageError("--apply needs --seed FILE.jsonl.");
  if (out !== undefined || bindings !== undefined) {
    throw usageError("--apply writes no folder: leave --out and --bindings out.");
  }
  const { seeds } = await readSeeds(seed);
  const bring = (sphere: MiniSphereApi) => applySeeds(sphere, workspace, seeds);
  console.log(showApplied(await inSession({ url, workspace, token }, bring)));
}

/** The seeds that the folder was made with last, when it was. */
function keptSeeds(directory: string): string | undefined {
  const kept = join(directory, SEED_FILE);
  return existsSync(kept) ? kept : undefined;
}

async function readSeeds(
  file: string | undefined,
): Promise<{ text: string | null; seeds: readonly Seed[] }> {
  if (file === undefined) return { text: null, seeds: [] };
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw usageError(`${file} cannot be read (${error.code}).`);
  });
  return { text, seeds: parseSeeds(text, file) };
}
