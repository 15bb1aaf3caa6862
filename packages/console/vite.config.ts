/** How the page is built: one file for the first view, one more for each other view. */
import { fileURLToPath } from "node:url"
import { defineConfig } from "vite"

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/integrations/",
  logLevel: "warn",
  // JSX without a plugin: the compiler that Vite has knows Preact's.
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2023",
    outDir: "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // One sheet: together they compress to less than the first view and two others do apart.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The service says which of them there are; nobody else needs the list.
    manifest: "manifest.json"
  }
})
