import { DurableObject } from "cloudflare:workers";
import type { GrantedCalls, Role } from "../../contracts/index.ts";
import { type Authority, capabilityFor, type MiniSphere } from "../../src/host.ts";
import type { Env } from "./worker.ts";

/** What `Desk.memoryFor` hands out: the host keeps the owner's role and the pass to itself. */
export type AgentRole = Exclude<Role, "owner" | "maintainer">;

const FACET = "memory";
/** Entries of one pass; what is left is due at once, and the alarm comes back for it. */
const PASS = { limit: 1_000 };

/**
 * A host: the object of one workspace, whose memory is a facet of it. It decides who its agents are, which
 * code the memory runs, and when the staleness pass runs. The memory knows of none of this.
 */
export class Desk extends DurableObject<Env> {
  /** The memory for an agent: as much of it as its role, under its name. */
  memoryFor(agent: string) {
    return capabilityFor(this.#roleOf(agent), this.#authority(`agent:${agent}`));
  }

  setRole(agent: string, role: AgentRole): void {
    this.ctx.storage.kv.put(`role ${agent}`, role);
  }

  /**
   * Runs the memory from the bundle that `CODE` has under this version; null is the class of this Worker.
   * Code that cannot open the memory is not kept: its refusal is thrown and the code before it runs again.
   */
  async useCode(version: string | null): Promise<{ contractVersion: string; entries: number }> {
    const before = this.#version();
    this.#restart(version);
    try {
      const { contractVersion, entries } = await capabilityFor(
        "reader",
        this.#authority("system:desk"),
      ).getStats();
      return { contractVersion, entries };
    } catch (error) {
      this.#restart(before);
      throw error;
    }
  }

  /** The maintenance tick. A facet has no alarm; its host has one, set by what writes say is due. */
  override async alarm(): Promise<void> {
    await capabilityFor("maintainer", this.#authority("system:desk")).runStalenessPass(PASS);
  }

  #roleOf(agent: string): AgentRole {
    return this.ctx.storage.kv.get<AgentRole>(`role ${agent}`) ?? "reader";
  }

  /** What capabilities stand on. Every call passes here, so here is what a host would meter or log. */
  #authority(actor: string): Authority {
    const call: GrantedCalls["call"] = async (grant, method, args) => {
      const reply = await this.#memory().call(grant, method, args);
      if (reply.ok && typeof reply.dueAt === "number") await this.#wakeBy(reply.dueAt);
      return reply;
    };
    return { target: { call }, actor };
  }

  async #wakeBy(dueAt: number): Promise<void> {
    const alarm = await this.ctx.storage.getAlarm();
    if (alarm === null || dueAt < alarm) await this.ctx.storage.setAlarm(dueAt);
  }

  /** Asked for anew at each call: a stub of a facet that was stopped stays broken. */
  #memory(): GrantedCalls {
    const facet = this.ctx.facets.get(FACET, async () => ({ class: await this.#code() }));
    return facet as unknown as GrantedCalls;
  }

  #version(): string | null {
    return this.ctx.storage.kv.get<string>("version") ?? null;
  }

  #restart(version: string | null): void {
    this.ctx.storage.kv.put("version", version);
    this.ctx.facets.abort(FACET, new Error("The memory is restarted with other code."));
  }

  async #code(): Promise<DurableObjectClass<MiniSphere>> {
    const version = this.#version();
    if (version === null) {
      return (this.ctx.exports as unknown as { MiniSphere: DurableObjectClass<MiniSphere> })
        .MiniSphere;
    }
    const modules = await this.env.CODE.get<WorkerLoaderWorkerCode["modules"]>(version, "json");
    if (modules === null) throw new Error(`There is no code under the version "${version}".`);
    const loaded = this.env.LOADER.get(`mini-sphere ${version}`, () => ({
      compatibilityDate: "2026-10-01",
      mainModule: "main.js",
      modules,
      // Nothing to hold and nowhere to call: the memory needs neither.
      env: {},
      globalOutbound: null,
    }));
    return loaded.getDurableObjectClass<MiniSphere>("MiniSphere");
  }
}
