import { DurableObject } from "cloudflare:workers";
import type { MiniSphereApi } from "../../contracts/index.ts";

interface Env {
  HOSTS: DurableObjectNamespace<LoadingHost>;
  LOADER: WorkerLoader;
}

/** The files of a built bundle: code by name, and texts that it imports. */
type Modules = Record<string, string | { text: string }>;

interface HostCall {
  host: string;
  modules: Modules;
  method: keyof MiniSphereApi;
  args: unknown[];
}

/** A host that knows mini-sphere only as the files of its bundle, and runs it as a facet of its own. */
export class LoadingHost extends DurableObject<Env> {
  async call({ modules, method, args }: HostCall): Promise<unknown> {
    const loaded = this.env.LOADER.get("mini-sphere", () => ({
      compatibilityDate: "2026-10-01",
      mainModule: "main.js",
      modules,
      env: {},
      globalOutbound: null,
    }));
    const facet = this.ctx.facets.get("sphere", () => ({
      class: loaded.getDurableObjectClass("MiniSphere"),
    })) as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
    return facet[method]!(...args);
  }
}

export default {
  async fetch(request, env) {
    const call = await request.json<HostCall>();
    return Response.json(await env.HOSTS.getByName(call.host).call(call));
  },
} satisfies ExportedHandler<Env>;
