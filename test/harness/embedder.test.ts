import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestHarness } from "wrangler";
import { connect } from "../../src/client/index.ts";
import { freshWorkspace, ROOT, SECRET, tokenFor } from "./workers.ts";

/* The whole Worker with an embedder of ours bound as a service: a real vector model in a Worker of its own. */

const server = createTestHarness({
  root: ROOT,
  workers: [
    {
      configPath: "test/harness/embedded.wrangler.toml",
      secrets: { SPHERE_TOKEN_SECRET: SECRET },
    },
    {
      config: {
        name: "embedder",
        main: "test/support/embedder-worker.ts",
        compatibility_date: "2026-10-01",
      },
    },
  ],
});
let url: string;
beforeAll(async () => {
  url = (await server.listen()).url.href;
});
afterAll(() => server.close());

const tell = (what: "break" | "mend") =>
  server.getWorker("embedder").fetch("http://embedder/", { method: "POST", body: what });

async function open() {
  const token = await tokenFor(freshWorkspace());
  return connect({ url, token, transport: "batch" });
}

describe("a service binding as embedder", () => {
  it("[BND-1] finds by meaning what shares no word with the query, after a pass", async () => {
    const memory = await open();
    const { id } = await memory.capture("Harbourmaster on leave.");
    await memory.capture("Coal costs sixty-one.");
    await memory.runStalenessPass();
    const { hits, degraded } = await memory.recall("harbourmaster leaving", {
      explain: true,
    });
    expect(degraded).toEqual([]);
    expect(hits[0]).toMatchObject({ id, why: { ranks: { vector: 1 } } });
    const misspelt = await memory.recall("harbourmasterly", { explain: true });
    expect(misspelt.hits.map((hit) => [hit.id, hit.why?.ranks.keyword])).toEqual([[id, null]]);
  });

  it("[BND-4] answers by words and says so while it is rate-limited, and loses no write", async () => {
    await tell("break");
    const memory = await open();
    const { id } = await memory.capture("The lighthouse keeper retired.");
    const broken = await memory.recall("lighthouse");
    await tell("mend");
    expect(broken.hits.map((hit) => hit.id)).toEqual([id]);
    expect(broken.degraded).toEqual(["embedder"]);
  });
});
