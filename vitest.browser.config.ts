import { defineConfig } from "vitest/config";

/** `npm run test:browser`: the inspector in a real browser, apart from `npm test`, which needs none. */
export default defineConfig({
  test: {
    environment: "node",
    include: ["test/browser/**/*.test.ts"],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
