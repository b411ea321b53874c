import { fileURLToPath } from "node:url";
import { unstable_startWorker } from "wrangler";
import type {
  BareRequest,
  Call,
  FillAnswer,
  FillRequest,
  PlainRequest,
  RunRequest,
  Sample,
  Timed,
} from "./protocol.ts";
import { Inspector } from "./inspector.ts";

/** Calls that go into one request. */
const BATCH = 20;

/**
 * The speed Worker in workerd, driven from Node. Not by the test harness: only this way has the inspector, which
 * alone knows the heap. Storage is a directory of its own that goes with it.
 */
export class SpeedWorker {
  readonly #worker: Awaited<ReturnType<typeof unstable_startWorker>>;

  private constructor(worker: Awaited<ReturnType<typeof unstable_startWorker>>) {
    this.#worker = worker;
  }

  static async start(): Promise<SpeedWorker> {
    // `gc()` in the Worker, so that a heap is measured without its garbage.
    process.env["MINIFLARE_WORKERD_V8_FLAGS"] = "--expose-gc";
    const local = { hostname: "127.0.0.1", port: 0 };
    const worker = await unstable_startWorker({
      config: fileURLToPath(new URL("wrangler.toml", import.meta.url)),
      dev: { persist: false, watch: false, logLevel: "none", server: local, inspector: local },
    });
    await worker.ready;
    return new SpeedWorker(worker);
  }

  async close(): Promise<void> {
    await this.#worker.dispose();
  }

  async inspector(): Promise<Inspector> {
    const url = await this.#worker.inspectorUrl;
    if (url === undefined) throw new Error("workerd runs without its inspector.");
    return Inspector.attach(url);
  }

  fill(workspace: string, body: FillRequest): Promise<FillAnswer> {
    return this.#post(workspace, "fill", body);
  }

  async run(workspace: string, { calls, ...how }: RunRequest): Promise<Sample[]> {
    const samples: Sample[] = [];
    for (const batch of batches(calls)) {
      samples.push(...(await this.#post<Sample[]>(workspace, "run", { calls: batch, ...how })));
    }
    return samples;
  }

  async plain(workspace: string, { queries, ...how }: PlainRequest): Promise<Sample[]> {
    const samples: Sample[] = [];
    for (const batch of batches(queries)) {
      samples.push(...(await this.#post<Sample[]>(workspace, "plain", { queries: batch, ...how })));
    }
    return samples;
  }

  bare(workspace: string, body: BareRequest): Promise<Timed> {
    return this.#post(workspace, "bare", body);
  }

  first(workspace: string, call: Call): Promise<Timed> {
    return this.#post(workspace, "first", call);
  }

  async collect(workspace: string): Promise<void> {
    await this.#post(workspace, "collect", {});
  }

  async abort(workspace: string): Promise<void> {
    await this.#post(workspace, "abort", {});
  }

  async #post<T>(workspace: string, what: string, body: unknown): Promise<T> {
    const response = await this.#worker.fetch(`http://speed/${workspace}/${what}`, {
      method: "POST",
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${what} on ${workspace}: ${await response.text()}`);
    return (await response.json()) as T;
  }
}

function* batches<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += BATCH) yield all.slice(at, at + BATCH);
}
