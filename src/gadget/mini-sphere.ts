import { DurableObject } from "cloudflare:workers";
import type {
  Arguments,
  DueNews,
  Grant,
  GrantedCalls,
  Method,
  MiniSphereApi,
  Reply,
  Results,
} from "../../contracts/index.ts";
import { MiniSphereError, WRITE_METHODS } from "../../contracts/index.ts";
import { timeout } from "../lib/timeout.ts";
import { Meaning } from "./meaning.ts";
import { embedderOf, settingsOf } from "./settings.ts";
import { Sphere } from "./sphere.ts";

/** Whoever holds the object's own stub is its host, and acts as owner ([ACC-9]). */
const NATIVE: Grant = { role: "owner", actor: "system:native" };

function failed(reason: string): void {
  console.error(JSON.stringify({ event: "binding_failed", binding: "embedder", reason }));
}

/**
 * The workspace's object. Needs its storage and nothing else: no alarm, no binding, no name, no outbound
 * call unless an embedder is bound, so that the same class runs as a namespace object, as a facet and from a loaded bundle ([STO-9]).
 */
export class MiniSphere extends DurableObject implements MiniSphereApi, GrantedCalls {
  readonly #sphere: Sphere;
  /** Null without an embedder. */
  readonly #meaning: Meaning | null;

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env as never);
    this.#sphere = new Sphere({ storage: ctx.storage, ...settingsOf(env) });
    const embedder = embedderOf(env);
    this.#meaning =
      embedder && new Meaning({ embedder, sphere: this.#sphere, clock: Date.now, timeout, failed });
  }

  /** A call under a grant, from a capability. Refusals of the contract are values; see `Reply`. */
  async call<M extends Method>(grant: Grant, method: M, args: unknown[]): Promise<Reply<M>> {
    try {
      const value = await this.#perform(grant, method, args);
      if (!WRITE_METHODS.includes(method)) return { ok: true, value };
      return { ok: true, value, ...this.#sphere.dueState() };
    } catch (error) {
      if (!(error instanceof MiniSphereError)) throw error;
      const { code, message, details } = error;
      return { ok: false, error: { code, message, details } };
    }
  }

  /** For whoever tells a directory; see `registerDue` of `mini-sphere/host` ([MNT-13]). */
  async dueNews(): Promise<DueNews | null> {
    return this.#sphere.dueState().news ?? null;
  }

  /** The directory has heard of the news. */
  async acknowledgeDue(news: DueNews): Promise<void> {
    this.#sphere.acknowledgeDue(news);
  }

  async recall(...args: Arguments<"recall">) {
    return this.#native("recall", args);
  }
  async listRecent(...args: Arguments<"listRecent">) {
    return this.#native("listRecent", args);
  }
  async getEntry(...args: Arguments<"getEntry">) {
    return this.#native("getEntry", args);
  }
  async history(...args: Arguments<"history">) {
    return this.#native("history", args);
  }
  async changes(...args: Arguments<"changes">) {
    return this.#native("changes", args);
  }
  async connections(...args: Arguments<"connections">) {
    return this.#native("connections", args);
  }
  async getTags(...args: Arguments<"getTags">) {
    return this.#native("getTags", args);
  }
  async getCount(...args: Arguments<"getCount">) {
    return this.#native("getCount", args);
  }
  async getStats(...args: Arguments<"getStats">) {
    return this.#native("getStats", args);
  }
  async getBrief(...args: Arguments<"getBrief">) {
    return this.#native("getBrief", args);
  }
  async graphView(...args: Arguments<"graphView">) {
    return this.#native("graphView", args);
  }
  async capture(...args: Arguments<"capture">) {
    return this.#native("capture", args);
  }
  async captureMany(...args: Arguments<"captureMany">) {
    return this.#native("captureMany", args);
  }
  async append(...args: Arguments<"append">) {
    return this.#native("append", args);
  }
  async update(...args: Arguments<"update">) {
    return this.#native("update", args);
  }
  async setStatus(...args: Arguments<"setStatus">) {
    return this.#native("setStatus", args);
  }
  async forget(...args: Arguments<"forget">) {
    return this.#native("forget", args);
  }
  async link(...args: Arguments<"link">) {
    return this.#native("link", args);
  }
  async unlink(...args: Arguments<"unlink">) {
    return this.#native("unlink", args);
  }
  async batch(...args: Arguments<"batch">) {
    return this.#native("batch", args);
  }

  async exportPage(...args: Arguments<"exportPage">) {
    return this.#native("exportPage", args);
  }
  async runStalenessPass(...args: Arguments<"runStalenessPass">) {
    return this.#native("runStalenessPass", args);
  }

  #native<M extends Method>(method: M, args: readonly unknown[]): Promise<Results[M]> {
    return this.#perform(NATIVE, method, args);
  }

  /** The bindings before and behind the call; without one, the call and nothing else. */
  async #perform<M extends Method>(
    grant: Grant,
    method: M,
    args: readonly unknown[],
  ): Promise<Results[M]> {
    const meaning = this.#meaning;
    if (meaning === null) return this.#sphere.perform(grant, method, args);
    const reads = method === "recall" && grant.role !== "maintainer";
    const aids = reads ? await meaning.ofQuery(args[0]) : undefined;
    const result = this.#sphere.perform(grant, method, args, aids);
    if (method === "runStalenessPass") await meaning.fill();
    else if (reads || WRITE_METHODS.includes(method)) this.ctx.waitUntil(meaning.fill());
    return result;
  }
}
