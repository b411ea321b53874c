import { randomBytes } from "node:crypto";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";

export const SECRET_NAME = "SPHERE_TOKEN_SECRET";
const FILE = ".dev.vars";
const SECRET_BYTES = 32;

/** The secret of the environment, else of `.dev.vars`, which is made when it has none. */
export async function tokenSecret(directory: string, env: NodeJS.ProcessEnv): Promise<string> {
  return env[SECRET_NAME] || (await ensureDevSecret(directory)).secret;
}

/**
 * The development secret of `.dev.vars`, which wrangler gives to the local Workers. Made on first use, with
 * the owner's rights only; other lines of the file are kept as they are.
 */
export async function ensureDevSecret(
  directory: string,
): Promise<{ secret: string; created: boolean }> {
  const path = join(directory, FILE);
  const before = await readOrEmpty(path);
  const present = parseEnv(before)[SECRET_NAME];
  if (present) return { secret: present, created: false };

  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  await writeFile(path, withSecret(before, secret), { mode: 0o600 });
  // `mode` counts for a new file only.
  await chmod(path, 0o600);
  return { secret, created: true };
}

/** The file with the secret as its last line; an empty assignment of the same name is replaced. */
function withSecret(file: string, secret: string): string {
  const kept = file.split("\n").filter((line) => !isAssignment(line));
  while (kept.at(-1) === "") kept.pop();
  return [...kept, `${SECRET_NAME}=${secret}`, ""].join("\n");
}

function isAssignment(line: string): boolean {
  return new RegExp(`^\\s*(export\\s+)?${SECRET_NAME}\\s*=`).test(line);
}

async function readOrEmpty(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
