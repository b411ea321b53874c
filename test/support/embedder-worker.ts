import { WorkerEntrypoint } from "cloudflare:workers";
import type { Embedded } from "../../src/bindings/embedder.ts";
import { ngrams } from "./ngrams.ts";

let broken = false;

/** An embedder as another team would bind it; a POST breaks it or mends it. */
export default class extends WorkerEntrypoint {
  async embed(texts: string[]): Promise<Embedded> {
    if (broken) throw new Error("429: too many requests");
    return ngrams(texts);
  }

  override async fetch(request: Request): Promise<Response> {
    broken = (await request.text()) === "break";
    return new Response();
  }
}
