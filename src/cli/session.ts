import type { MiniSphereApi } from "../../contracts/api.ts";
import { hasErrorCode } from "../../contracts/errors.ts";
import { mintToken } from "../access/tokens.ts";
import { connect } from "../client/index.ts";
import { tokenSecret } from "./dev-secret.ts";
import { CliError, EXIT } from "./exit.ts";
import { ROOT } from "./program.ts";

export const DEFAULT_PORT = 8787;
export const DEMO = "demo";

const COMMAND_TTL_SECONDS = 300;

export interface SessionOptions {
  url: string;
  workspace: string;
  /** A token to use; it names its own workspace. Without one the development secret signs one. */
  token?: string | undefined;
}

/** One call in a session of its own. What cannot be reached or opened is said with the fix. */
export async function inSession<T>(
  { url, workspace, token }: SessionOptions,
  call: (sphere: MiniSphereApi) => Promise<T>,
): Promise<T> {
  const sphere = connect({
    url,
    token: token || (await sessionToken(workspace)),
    transport: "batch",
  });
  try {
    return await call(sphere);
  } catch (error) {
    throw withFix(error, url);
  } finally {
    sphere.close();
  }
}

/** A token of a few minutes, signed here for one command. */
export async function sessionToken(workspace: string): Promise<string> {
  return mintToken(await tokenSecret(ROOT, process.env), {
    workspace,
    role: "owner",
    actor: "cli",
    ttlSeconds: COMMAND_TTL_SECONDS,
    now: Date.now(),
  });
}

/** The error with what to do about it, where that is known. */
export function withFix(error: unknown, url: string): unknown {
  if (!hasErrorCode(error)) return error;
  if (error.code === "unavailable") {
    return new CliError(
      EXIT.unavailable,
      `${error.message}\nStart a workspace with \`npm start\`, or say where one answers with --url (now ${url}).`,
    );
  }
  if (error.code === "unauthenticated") {
    return new CliError(
      EXIT.refused,
      `${error.message}\nMake one with \`npm run token -- --workspace NAME --role ROLE\` and pass it with --token.`,
    );
  }
  return error;
}
