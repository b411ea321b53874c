import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./workers.ts";

const COPIED = [
  "package.json",
  "tsconfig.json",
  "wrangler.toml",
  "wrangler.scheduler.toml",
  "contracts",
  "migrations",
  "src",
  "dist/public",
];

/** What the Workers are built from, in a directory with a local state of its own. The caller removes it. */
export async function copyProject(): Promise<{ root: string; remove: () => Promise<void> }> {
  const root = await mkdtemp(join(tmpdir(), "mini-sphere-copy-"));
  for (const path of COPIED) await cp(join(ROOT, path), join(root, path), { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(root, "node_modules"));
  return { root, remove: () => rm(root, { recursive: true, force: true }) };
}
