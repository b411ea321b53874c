import { env, exports } from "cloudflare:workers";
import { newWebSocketRpcSession, type RpcStub } from "capnweb";
import type { Role, RoleApi } from "../../contracts/index.ts";
import { mintToken } from "../../src/access/tokens.ts";

/*
 * The Worker as a client sees it, inside the runtime, with the bindings of wrangler.toml and the secret of
 * vitest.config.ts. Batches are written by hand here, so that they can be wrong.
 */

const { default: worker } = exports as unknown as { default: { fetch: typeof fetch } };

export const SECRET = env.SPHERE_TOKEN_SECRET ?? "";

/** A workspace that no other test knows. */
export const freshWorkspace = () => crypto.randomUUID();

export function tokenFor(workspace: string, role: Role = "owner"): Promise<string> {
  const claims = { workspace, role, actor: "agent:7" };
  return mintToken(SECRET, { ...claims, ttlSeconds: 600, now: Date.now() });
}

export function request(path: string, init?: RequestInit): Promise<Response> {
  return worker.fetch(`http://sphere${path}`, init);
}

export function post(body: BodyInit | null): Promise<Response> {
  return request("/rpc", { method: "POST", body });
}

export async function openSocket(): Promise<WebSocket> {
  const { webSocket, status } = await request("/rpc", { headers: { upgrade: "websocket" } });
  if (webSocket === null) throw new Error(`There is no socket: ${status}`);
  webSocket.accept();
  return webSocket;
}

/** The root as a client types it when it may turn out to hold any role. */
export type Door = { authenticate(token: string): RoleApi<"owner"> };

/** A session over a socket. Disposing the root ends it. */
export async function openSession(): Promise<RpcStub<Door>> {
  return newWebSocketRpcSession<Door>(await openSocket());
}

/** A call of a batch: the method at `path` of what push number `on` gave, 0 being the root. */
export interface Asked {
  on?: number;
  path: unknown[];
  /** As the protocol writes arguments: arrays in arrays stand for arrays. */
  args?: unknown[];
}

/** The messages that make the calls and ask for each answer. */
export function messages(...asked: Asked[]): string {
  return asked
    .flatMap(({ on = 0, path, args = [] }, index) => [
      ["push", ["pipeline", on, path, args]],
      ["pull", index + 1],
    ])
    .map((message) => JSON.stringify(message))
    .join("\n");
}

/** What a batch answered to push number `n`: its value, or what is left of its error on the wire. */
export type Answer =
  | { value: unknown }
  | { code: unknown; message: unknown; details: unknown; stack: unknown };

export async function answersOf(response: Response): Promise<Map<number, Answer>> {
  const answers = new Map<number, Answer>();
  for (const line of (await response.text()).split("\n")) {
    const [kind, id, value] = JSON.parse(line) as [string, number, unknown];
    if (kind === "resolve") answers.set(id, { value });
    if (kind === "reject") answers.set(id, rejection(value as unknown[]));
  }
  return answers;
}

function rejection([, , message, stack, props]: unknown[]): Answer {
  const { code, details, ...more } = props as Record<string, unknown>;
  return { code, message, details, stack, ...more };
}

export async function batch(...asked: Asked[]): Promise<Map<number, Answer>> {
  return answersOf(await post(messages(...asked)));
}

/** Calls a method that the type of the stub may not have. */
export function call(stub: unknown, method: string, ...args: unknown[]): Promise<unknown> {
  const methods = stub as Record<string, (...args: unknown[]) => Promise<unknown>>;
  return methods[method]?.(...args) ?? Promise.reject(new Error(`There is no stub of ${method}.`));
}
