import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestHarness } from "wrangler";
import { CONTRACT_VERSION } from "../../contracts/api.ts";
import { ROOT } from "./workers.ts";

/** The host is a Worker that has none of the source: what it runs is what would be deployed. */
const server = createTestHarness({
  root: ROOT,
  workers: [
    {
      config: {
        name: "host",
        main: "test/support/loading-host.ts",
        compatibility_date: "2026-10-01",
        worker_loaders: [{ binding: "LOADER" }],
        durable_objects: { bindings: [{ name: "HOSTS", class_name: "LoadingHost" }] },
        exports: { LoadingHost: { type: "durable-object", storage: "sqlite" } },
      },
    },
  ],
});
let modules: Record<string, string | { text: string }>;

beforeAll(async () => {
  [modules] = await Promise.all([buildBundle(), server.listen()]);
});
afterAll(() => server.close());

it("[STO-9] a host runs the built bundle as a facet, with an empty environment and no network", async () => {
  const { id } = await call("a", "capture", "the harbour closes at nine", { tags: ["port"] });
  const { hits } = await call("a", "recall", "harbour");
  expect(hits).toMatchObject([{ id, tags: ["port"] }]);
  expect(await call("a", "getStats")).toMatchObject({
    entries: 1,
    contractVersion: CONTRACT_VERSION,
  });
});

it("[STO-9] each host's facet is a memory of its own", async () => {
  await call("b", "capture", "only in b");
  expect(await call("c", "getCount")).toBe(0);
  expect(await call("b", "getCount")).toBe(1);
});

async function call(host: string, method: string, ...args: unknown[]) {
  const body = JSON.stringify({ host, modules, method, args });
  const response = await server.fetch("/", { method: "POST", body });
  expect(response.status).toBe(200);
  return (await response.json()) as { id: string; hits: unknown[] };
}

/** The files that a deployment would upload. */
async function buildBundle(): Promise<typeof modules> {
  const directory = await mkdtemp(join(tmpdir(), "mini-sphere-bundle-"));
  try {
    const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
    const build = [wrangler, "deploy", "--dry-run", "-c", "wrangler.toml", "--outdir", directory];
    await promisify(execFile)(process.execPath, build, { cwd: ROOT });
    const names = (await readdir(directory)).filter((name) => /\.(js|sql)$/.test(name));
    const files = names.map(async (name) => {
      const text = await readFile(join(directory, name), "utf8");
      return [name, name.endsWith(".js") ? text : { text }] as const;
    });
    return Object.fromEntries(await Promise.all(files));
  } finally {
    await rm(directory, { recursive: true });
  }
}
