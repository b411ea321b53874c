import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { CliError, EXIT } from "../exit.ts";
import { ROOT } from "../program.ts";

/** The files that a deployment would upload, by name: code, and the texts that it imports. */
export type Bundle = Map<string, string>;

/** As a Worker Loader wants them. */
export type LoadableModules = Record<string, string | { text: string }>;

/** Builds the Worker of a wrangler config of this package, as `wrangler deploy` would, without an account. */
export async function buildBundle(config: string): Promise<Bundle> {
  const out = await mkdtemp(join(tmpdir(), "mini-sphere-bundle-"));
  try {
    await wrangler(["deploy", "--dry-run", "-c", join(ROOT, config), "--outdir", out]);
    const names = (await readdir(out)).filter((name) => /\.(?:js|sql)$/.test(name)).sort();
    const files = names.map(
      async (name) => [name, await readFile(join(out, name), "utf8")] as const,
    );
    return new Map(await Promise.all(files));
  } finally {
    await rm(out, { recursive: true });
  }
}

export function loadable(bundle: Bundle): LoadableModules {
  return Object.fromEntries(
    [...bundle].map(([name, text]) => [name, name.endsWith(".js") ? text : { text }]),
  );
}

/** Runs wrangler to its end and gives what it printed; its words are in the error when it fails. */
export async function wrangler(args: readonly string[]): Promise<string> {
  const program = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
  const env = { ...process.env, WRANGLER_SEND_METRICS: "false", NO_COLOR: "1", CI: "true" };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { env });
    return stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new CliError(EXIT.failed, `wrangler ${args[0]} failed:\n${stdout}${stderr}`.trimEnd());
  }
}
