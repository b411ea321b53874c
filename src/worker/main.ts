import type { RpcSessionOptions } from "capnweb";
import { CONTRACT_VERSION } from "../../contracts/api.ts";
import { callError, onSendError } from "../access/wire-errors.ts";
import { answerBatch } from "./batch.ts";
import { readBatch } from "./body.ts";
import type { Env } from "./env.ts";
import { frontDoor, NewsOnItsWay } from "./front-door.ts";
import { SessionBudget } from "./budget.ts";
import { json, noSuchPath, preflight, Refusal, refused, text, wrongMethod } from "./http.ts";
import { report } from "./log.ts";
import { Root } from "./session.ts";
import { acceptSocket } from "./socket.ts";

export { MiniSphere } from "../gadget/mini-sphere.ts";
export { WorkspaceDirectory } from "./directory.ts";
export { Maintenance } from "./maintenance.ts";

/*
 * The front door. Sessions end here, in the stateless Worker, and each call goes on to the workspace's object
 * as one native call: a socket that ended in the object would keep it awake ([WIR-4]).
 */

export default {
  async fetch(request, env, ctx) {
    try {
      return await handlerOf(request)(request, env, ctx);
    } catch (error) {
      if (error instanceof Refusal) return refused(error);
      return refused(new Refusal(500, callError(error, { method: null, workspace: null }, report)));
    }
  },
} satisfies ExportedHandler<Env>;

type Handler = (request: Request, env: Env, ctx: ExecutionContext) => Response | Promise<Response>;
type Methods = ReadonlyMap<string, Handler>;

const ROUTES: ReadonlyMap<string, Methods> = new Map<string, Methods>([
  ["/", new Map([["GET", welcome]])],
  ["/health", new Map([["GET", health]])],
  ["/rpc", new Map<string, Handler>().set("GET", socket).set("POST", batch)],
]);

function handlerOf(request: Request): Handler {
  const methods = ROUTES.get(new URL(request.url).pathname);
  if (methods === undefined) throw noSuchPath();
  if (request.method === "OPTIONS") return () => preflight([...methods.keys()]);
  const handler = methods.get(request.method === "HEAD" ? "GET" : request.method);
  if (handler === undefined) throw wrongMethod([...methods.keys()]);
  return handler;
}

function welcome(request: Request): Response {
  const { host, origin, protocol } = new URL(request.url);
  return text(
    `mini-sphere ${CONTRACT_VERSION}: a workspace memory for AI agents.

Connect to it with Cap'n Web:
  WebSocket   ${protocol === "https:" ? "wss" : "ws"}://${host}/rpc
  HTTP batch  POST ${origin}/rpc
and call authenticate(token); what it returns is the memory, as far as the token allows.

Look at it in a browser: ${origin}/inspector/
`,
  );
}

function health(): Response {
  return json({ ok: true, contractVersion: CONTRACT_VERSION });
}

function socket(request: Request, env: Env, ctx: ExecutionContext): Response {
  if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") throw wrongMethod(["POST"]);
  const budget = new SessionBudget(Date.now);
  return acceptSocket(openRoot(env, ctx, budget), budget, SESSION);
}

async function batch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  const messages = await readBatch(request);
  const budget = new SessionBudget(Date.now);
  return text(await answerBatch(messages, openRoot(env, ctx, budget), budget, SESSION));
}

const SESSION: RpcSessionOptions = { onSendError: onSendError(report) };

const onItsWay = new NewsOnItsWay();

function openRoot(env: Env, ctx: ExecutionContext, budget: SessionBudget): Root {
  const now = Date.now;
  return new Root({
    secret: env.SPHERE_TOKEN_SECRET,
    now,
    report,
    budget,
    workspace: (name) => frontDoor(name, { env, ctx, onItsWay }),
  });
}
