import { LIMITS } from "../../contracts/index.ts";
import { checked } from "../bindings/embedder.ts";
import type { Embedded, Embedder } from "../bindings/embedder.ts";
import type { Aids } from "./aids.ts";
import { NO_AIDS } from "./aids.ts";
import type { Sphere } from "./sphere.ts";

/** Milliseconds that a recall waits for its query's vector. */
const QUERY_MS = 1_000;
/** Milliseconds for a batch of texts; nobody waits for it. */
const BATCH_MS = 20_000;
/** After a failure the binding is left alone for so long, so that one that hangs does not delay each recall. */
const REST_MS = 30_000;
/** Texts at a time; Workers AI takes 100. */
const BATCH = 32;
/** Batches of one fill: 128 texts behind a call or in a pass. */
const BATCHES = 4;

export interface MeaningOptions {
  embedder: Embedder;
  sphere: Sphere;
  clock: () => number;
  /** Rejects after so many milliseconds, until it is cancelled. */
  timeout: (ms: number) => { expired: Promise<never>; cancel: () => void };
  /** Hears why the binding failed; the reason never holds content. */
  failed: (reason: string) => void;
}

/** The embedder at work, outside every transaction: a write neither waits for it nor depends on it ([BND-2]). */
export class Meaning {
  readonly #options: MeaningOptions;
  #restUntil = 0;
  #filling: Promise<number> | null = null;

  constructor(options: MeaningOptions) {
    this.#options = options;
  }

  /** The query's vector, or that there is none; never throws ([BND-4]). */
  async ofQuery(query: unknown): Promise<Aids> {
    if (typeof query !== "string" || query.trim() === "" || query.length > LIMITS.queryChars)
      return NO_AIDS;
    const answer = await this.#embed([query], QUERY_MS);
    const [vector] = answer?.vectors ?? [];
    if (answer === null || vector === undefined) return { meaning: null, degraded: ["embedder"] };
    return { meaning: { model: answer.model, vector }, degraded: [] };
  }

  /** Embeds some of what waits; answers how many. One at a time: a second call shares the first ([BND-3]). */
  fill(): Promise<number> {
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = null;
    });
    return this.#filling;
  }

  async #fill(): Promise<number> {
    const { sphere } = this.#options;
    let filled = 0;
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const { model, missing } = sphere.missingVectors(BATCH);
      if (missing.length === 0) break;
      const answer = await this.#embed(
        missing.map(({ content }) => content),
        BATCH_MS,
      );
      if (answer === null) break;
      if (model !== null && answer.model !== model) {
        sphere.startVectors(answer.model);
        continue;
      }
      const embedded = missing.map((of, at) => ({ of, vector: answer.vectors[at] ?? [] }));
      if (!sphere.saveVectors(answer.model, embedded)) break;
      filled += embedded.length;
    }
    return filled;
  }

  async #embed(texts: string[], ms: number): Promise<Embedded | null> {
    const { embedder, sphere, clock, timeout, failed } = this.#options;
    if (clock() < this.#restUntil) return null;
    const { expired, cancel } = timeout(ms);
    try {
      const answer = await Promise.race([embedder.embed(texts), expired]);
      return checked(answer, texts.length, (model) => sphere.vectorDimensions(model));
    } catch (error) {
      this.#restUntil = clock() + REST_MS;
      failed(error instanceof Error ? error.name : "unknown");
      return null;
    } finally {
      cancel();
    }
  }
}
