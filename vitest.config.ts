import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";

const SECRET = "a development secret for tests only, 32+ bytes";

// Three projects: pure code in Node, everything with SQL or RPC inside workerd, and whole Workers from
// their real configs (createTestHarness), which must be started from Node.
export default defineConfig({
  test: {
    // Two files at once also on two cores, where the default is one: half of a file's time is waiting.
    maxWorkers: 2,
    // Refusals are what many tests are about; those about the log read it themselves.
    onConsoleLog: (log) => (log.includes('"event":"call_failed"') ? false : undefined),
    projects: [
      {
        test: {
          name: "pure",
          environment: "node",
          env: { TZ: "UTC" },
          include: ["test/{analysis,client,importers,retrieval,structure}/**/*.test.ts"],
        },
      },
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: { bindings: { SPHERE_TOKEN_SECRET: SECRET } },
          }),
        ],
        test: {
          name: "workerd",
          include: ["test/{contract,storage,gadget,access,staleness,worker}/**/*.test.ts"],
          testTimeout: 60_000,
          // One workerd for all files: starting one for each was half the time of a run. Tests name
          // their own workspaces, so they share nothing.
          isolate: false,
        },
      },
      {
        test: {
          name: "harness",
          environment: "node",
          include: ["test/{harness,cli}/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
