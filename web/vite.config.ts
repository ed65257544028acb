import { defineConfig } from "vite";
import { compressed } from "./build/compressed.ts";
import { licences } from "./build/licences.ts";

export default defineConfig({
  build: {
    outDir: "../src/aforesaid/ui/dist",
    emptyOutDir: true,
    target: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    license: false,
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [licences(), compressed()],
  server: { proxy: { "/api": "http://127.0.0.1:8765" } },
  test: { include: ["tests/**/*.test.ts"], environment: "node", css: true },
});
