import { defineConfig } from "vite";

/** The inspector's static assets, which the Worker serves below /inspector/ (`[assets]` in wrangler.toml). */
export default defineConfig({
  root: "src",
  publicDir: "inspector/public",
  logLevel: "warn",
  build: {
    outDir: "../dist/public",
    emptyOutDir: true,
    assetsDir: "inspector/assets",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: { input: "src/inspector/index.html" },
  },
});
