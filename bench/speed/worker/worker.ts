import { DurableObject } from "cloudflare:workers";
import type { Method, Stats } from "../../../contracts/index.ts";
import { Sphere } from "../../../src/gadget/sphere.ts";
import { CLOCK } from "../../support/protocol.ts";
import { idOf } from "../ids.ts";
import type {
  BareRequest,
  Call,
  FillAnswer,
  FillRequest,
  How,
  PlainRequest,
  Rows,
  RunRequest,
  Sample,
  Timed,
} from "../protocol.ts";
import { BareStore } from "./bare-store.ts";
import { Stopwatch } from "./stopwatch.ts";

const OWNER = { role: "owner", actor: "bench" } as const;
const PLAIN_HITS = 10;

interface Env {
  SPEED: DurableObjectNamespace<SpeedSphere>;
}

/**
 * One workspace under the stopwatch: the real gadget over a real object's storage, held open between calls as
 * the deployed object holds it, and beside it a bare store of the same texts.
 */
export class SpeedSphere extends DurableObject<Env> {
  #now = CLOCK;
  #captured = 0;
  #warm: Sphere | undefined;
  // Both not before they are needed: what an evicted object does first is to be measured.
  #bareStore: BareStore | undefined;
  #stopwatch: Stopwatch | undefined;

  async fill({ items }: FillRequest): Promise<FillAnswer> {
    const sphere = this.#held();
    this.#now = CLOCK;
    const filled = await this.#untilCommitted(() => sphere.perform(OWNER, "captureMany", [items]));
    const ids = filled.result.results.map(({ id }) => id);
    const entries = items.map(({ content }, index) => ({ id: ids[index] ?? "", content }));
    const bare = await this.#untilCommitted(() => this.#bare().addMany(entries));
    return { captureMany: filled.ms, bare: bare.ms, ids };
  }

  async run({ calls, repeats, ...how }: RunRequest): Promise<Sample[]> {
    const samples: Sample[] = [];
    for (const call of calls) {
      const sample: Sample = { ms: [], openMs: [], rows: {} };
      for (let n = 0; n < repeats; n++) await this.#once(call, how, sample);
      samples.push(sample);
    }
    return samples;
  }

  plain({ queries, repeats }: PlainRequest): Sample[] {
    return queries.map((query) => {
      const runs = Array.from({ length: repeats }, () =>
        this.#timed(() => this.#bare().search(query, PLAIN_HITS)),
      );
      return { ms: runs.map(({ ms }) => ms), openMs: [], rows: {}, hits: runs[0]?.result ?? [] };
    });
  }

  async bare({ texts }: BareRequest): Promise<Timed> {
    const entries = texts.map((content) => ({ id: "bare", content }));
    return { ms: (await this.#untilCommitted(() => this.#bare().addMany(entries))).ms };
  }

  /** A call of an object that has just come up, opening its sphere included. */
  first(call: Call): Timed {
    return { ms: this.#timed(() => this.#perform(this.#open(), call)).ms };
  }

  /** Collects garbage; the bench starts workerd with the flag that makes it callable. */
  collect(): null {
    (globalThis as { gc?: () => void }).gc?.();
    return null;
  }

  /** Ends the object; the call itself fails with it. */
  abort(): void {
    this.ctx.abort("The bench evicts this object.");
  }

  async #once(call: Call, { state, committed }: How, sample: Sample): Promise<void> {
    const opened = state === "woken" ? this.#timed(() => this.#open()) : undefined;
    // The one that was held is left: two over one database would not hear of each other's writes.
    if (opened) this.#warm = opened.result;
    const sphere = this.#held();
    const before = opened ? {} : usage(sphere, call.method);
    const perform = () => this.#perform(sphere, call);
    const { result, ms } = committed ? await this.#untilCommitted(perform) : this.#timed(perform);
    if (sample.ms.length === 0) {
      sample.rows = difference(before, usage(sphere, call.method));
      if (call.method === "recall") sample.hits = idsOf(result);
    }
    sample.ms.push(ms);
    if (opened) sample.openMs.push(opened.ms);
  }

  #perform(sphere: Sphere, { method, args, now }: Call): unknown {
    this.#now = now;
    return sphere.perform(OWNER, method, args);
  }

  #held(): Sphere {
    if (this.#warm === undefined) {
      this.#warm = this.#open();
      // After an eviction ids go on where they were.
      this.#captured = this.#warm.perform(OWNER, "getCount", []);
    }
    return this.#warm;
  }

  #open(): Sphere {
    return new Sphere({
      storage: this.ctx.storage,
      clock: () => this.#now,
      newId: () => idOf(this.#captured++),
    });
  }

  #timed<T>(work: () => T): { result: T; ms: number } {
    return this.#watch().measure(work);
  }

  /** With what the caller waits for as well: FTS5 writes its index, and SQLite its pages, at the commit. */
  #untilCommitted<T>(work: () => T): Promise<{ result: T; ms: number }> {
    return this.#watch().measureAsync(async () => {
      const result = work();
      await this.ctx.storage.sync();
      return result;
    });
  }

  #bare(): BareStore {
    return (this.#bareStore ??= new BareStore(this.ctx.storage));
  }

  #watch(): Stopwatch {
    return (this.#stopwatch ??= new Stopwatch());
  }
}

function usage(sphere: Sphere, method: Method): Rows {
  const stats: Stats = sphere.perform(OWNER, "getStats", []);
  return { ...stats.usage[method] };
}

/** A call. Between the two looks at getStats there is one more of it: the first look. */
function difference(before: Rows, after: Rows): Rows {
  const calls = (after["calls"] ?? 0) - (before["calls"] ?? 0);
  const figures = Object.entries(after).filter(([name]) => name !== "calls");
  return Object.fromEntries(
    figures.map(([name, value]) => [name, (value - (before[name] ?? 0)) / calls]),
  );
}

const idsOf = (result: unknown) => (result as { hits: { id: string }[] }).hits.map(({ id }) => id);

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const [, workspace = "", what = ""] = new URL(request.url).pathname.split("/");
    const stub = env.SPEED.getByName(workspace);
    const body = await request.json();
    switch (what) {
      case "fill":
        return Response.json(await stub.fill(body as FillRequest));
      case "run":
        return Response.json(await stub.run(body as RunRequest));
      case "plain":
        return Response.json(await stub.plain(body as PlainRequest));
      case "bare":
        return Response.json(await stub.bare(body as BareRequest));
      case "first":
        return Response.json(await stub.first(body as Call));
      case "collect":
        return Response.json(await stub.collect());
      case "abort":
        await stub.abort().catch(() => undefined);
        return Response.json(null);
      default:
        return new Response(`No ${what}`, { status: 404 });
    }
  },
} satisfies ExportedHandler<Env>;
