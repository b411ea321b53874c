import { hasErrorCode } from "../../contracts/index.ts";
import { type AgentRole, Desk } from "./desk.ts";

export { MiniSphere } from "../../src/host.ts";
export { Desk };

export interface Env {
  DESKS: DurableObjectNamespace<Desk>;
  LOADER: WorkerLoader;
  CODE: KVNamespace;
}

/*
 * The door of the example, for whoever runs it:
 *
 *   POST /<workspace>/agents/<agent>   a program, as the body of async (memory) => { … }
 *   POST /<workspace>/roles/<agent>    reader, contributor or curator
 *   POST /<workspace>/code/<version>   a version under CODE, or "own"
 *
 * It asks nobody who they are. A host puts its own authentication here.
 */
export default {
  async fetch(request, env) {
    const [workspace, what, name] = new URL(request.url).pathname.slice(1).split("/");
    if (request.method !== "POST" || !workspace || !name) return refused(404, "No such path.");
    const desk = env.DESKS.getByName(workspace);
    const body = await request.text();
    try {
      if (what === "agents") return Response.json((await runAgent(env, desk, name, body)) ?? null);
      if (what === "roles")
        return Response.json((await desk.setRole(name, body as AgentRole)) ?? null);
      if (what === "code") return Response.json(await desk.useCode(name === "own" ? null : name));
      return refused(404, "No such path.");
    } catch (error) {
      // Of an error that crossed from an object only these are meant for others.
      if (hasErrorCode(error))
        return Response.json({ code: error.code, message: error.message }, { status: 400 });
      return refused(500, String(error));
    }
  },
} satisfies ExportedHandler<Env>;

/** Runs a program that has nothing but a capability of the memory: no bindings, no network, no host. */
async function runAgent(env: Env, desk: DurableObjectStub<Desk>, agent: string, program: string) {
  const worker = env.LOADER.load({
    compatibilityDate: "2026-10-01",
    mainModule: "agent.js",
    modules: { "agent.js": agentModule(program) },
    env: {},
    globalOutbound: null,
  });
  using memory = await desk.memoryFor(agent);
  return (worker.getEntrypoint() as unknown as Agent).work(memory);
}

interface Agent {
  work(memory: unknown): Promise<unknown>;
}

const agentModule = (program: string) => `
import { WorkerEntrypoint } from "cloudflare:workers";
export default class extends WorkerEntrypoint {
  async work(memory) { ${program} }
}`;

function refused(status: number, message: string): Response {
  return Response.json({ message }, { status });
}
