import { DurableObject } from "cloudflare:workers";
import { Sphere } from "../src/gadget/sphere.ts";
import { DEFAULT_PARAMS } from "../src/retrieval/params.ts";
import type { RankingParams } from "../src/retrieval/params.ts";
import { PlainFts } from "./support/plain-fts.ts";
import { CLOCK } from "./support/protocol.ts";
import type {
  CallRequest,
  DeepPartial,
  LinkRequest,
  LoadRequest,
  SearchAnswer,
  SearchRequest,
} from "./support/protocol.ts";

const OWNER = { role: "owner", actor: "bench" } as const;

interface Env {
  BENCH: DurableObjectNamespace<BenchSphere>;
}

/** One workspace under measurement: the real gadget over a real object's storage, and two plain indexes. */
export class BenchSphere extends DurableObject<Env> {
  #now = CLOCK;
  #captured = 0;
  readonly #plain = new PlainFts(this.ctx.storage);

  #open(params: RankingParams): Sphere {
    return new Sphere({
      storage: this.ctx.storage,
      clock: () => this.#now,
      // Ids break ties: the same ones in each run, in no order.
      newId: () => (Math.imul(++this.#captured, 0x9e37_79b1) >>> 0).toString(16).padStart(8, "0"),
      params,
    });
  }

  load({ items }: LoadRequest): string[] {
    const sphere = this.#open(DEFAULT_PARAMS);
    const { results } = sphere.perform(OWNER, "captureMany", [
      items.map(({ plain: _plain, ...item }) => item),
    ]);
    results.forEach(({ id, created }, index) => {
      if (created) this.#plain.add(id, items[index]?.plain ?? "");
    });
    return results.map((each) => each.id);
  }

  link({ links }: LinkRequest): number {
    const sphere = this.#open(DEFAULT_PARAMS);
    for (const { src, dst, type } of links) sphere.perform(OWNER, "link", [src, dst, type]);
    return links.length;
  }

  call({ now, method, args }: CallRequest): string {
    this.#now = now;
    return JSON.stringify(this.#open(DEFAULT_PARAMS).perform(OWNER, method, args));
  }

  search({ queries, options, params, engine, limit }: SearchRequest): SearchAnswer {
    const sphere = this.#open(merge(DEFAULT_PARAMS, params));
    const answer: SearchAnswer = { hits: [], chars: [], ms: 0 };
    for (const { text, now } of queries) {
      this.#now = now;
      if (engine !== "recall") {
        answer.hits.push(this.#plain.search(engine, text, limit));
        answer.chars.push(0);
        continue;
      }
      const found = sphere.perform(OWNER, "recall", [text, { ...options, observe: true }]);
      answer.hits.push(found.hits.map((hit) => hit.id));
      answer.chars.push(found.hits.reduce((sum, hit) => sum + hit.content.length, 0));
    }
    return answer;
  }
}

function merge<T extends object>(base: T, over: DeepPartial<T>): T {
  const result = { ...base } as Record<string, unknown>;
  for (const [key, value] of Object.entries(over)) {
    const below = result[key];
    result[key] =
      typeof value === "object" && value !== null && typeof below === "object" && below !== null
        ? merge(below as object, value)
        : value;
  }
  return result as T;
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const [, workspace = "", method = ""] = new URL(request.url).pathname.split("/");
    const stub = env.BENCH.getByName(decodeURIComponent(workspace));
    const body = await request.json();
    switch (method) {
      case "load":
        return Response.json(await stub.load(body as LoadRequest));
      case "link":
        return Response.json(await stub.link(body as LinkRequest));
      case "call":
        return new Response(await stub.call(body as CallRequest));
      case "search":
        return Response.json(await stub.search(body as SearchRequest));
      default:
        return new Response(`No method ${method}`, { status: 404 });
    }
  },
} satisfies ExportedHandler<Env>;
