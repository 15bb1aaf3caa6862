/** How the page is built: a file for its frame with the first view, and one for all others. */
import { fileURLToPath } from "node:url"
import { defineConfig, type Plugin } from "vite"

/** What stands in the page in place of modules, by how their names end. */
const replaced: { readonly [ending: string]: string } = {
  // Vite's own way to load a view also looks for sheets that come with it. Here there is one, which is loaded already.
  "\0vite/preload-helper.js": "export const __vitePreload = (load) => load()",
  // The page follows changes by itself (live/ChangeStream.ts), and shows how it stands with the stream.
  "/sdk/src/admin/Changes.ts": "export const follow = undefined",
  // Browsers have no environment variables, and name themselves.
  "/sdk/src/call/Environment.ts": `
    export const environment = () => undefined
    export const userAgent = () => undefined`,
  // Who signs in has no key that a message could show.
  "/sdk/src/call/Log.ts": "export const withoutKey = (text) => text",
  // The names of its changes are all random.
  "/sdk/src/call/RandomName.ts": `
    export const randomName = () => crypto.getRandomValues(new Uint32Array(4)).join("-")
    export const checkedKey = (key) => key`,
  // The page sends what its forms have read, and that is JSON.
  "/sdk/src/call/Json.ts": `
    export const jsonText = (body) => JSON.stringify(body)
    export const queryText = (name, value) => String(value)`
}

/** What the compiler is told apart from its settings. */
const smaller: Plugin = {
  name: "smaller",
  enforce: "pre",
  load: (id) => Object.entries(replaced).find(([ending]) => id.endsWith(ending))?.[1] ?? null,
  // As calls of `h`, whose children are no member of an object, elements are a hundredth smaller than by `jsx`.
  transform: (code, id) =>
    id.endsWith(".tsx") ? `import { h as jsxElement, Fragment as JsxFragment } from "preact"; ${code}` : null
}

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/integrations/",
  logLevel: "warn",
  plugins: [smaller],
  // JSX without a plugin: the compiler that Vite has knows Preact's.
  oxc: { jsx: { runtime: "classic", pragma: "jsxElement", pragmaFrag: "JsxFragment" } },
  build: {
    target: "es2023",
    // They know light-dark(), which the theme that a user chooses needs.
    cssTarget: ["chrome123", "firefox125", "safari17.5"],
    outDir: "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // One sheet: together they compress to less than the first view and two others do apart.
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
    // The service says which of them there are; nobody else needs the list.
    manifest: "manifest.json",
    // What of others is in it, and on which terms: whoever is given the page is given these too.
    license: { fileName: "licenses.md" },
    // Two files, as what lies in one is compressed together: one for each view would weigh a fifth more in all.
    rolldownOptions: { treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false } }
  }
})
