/** Makes one file of all sources and packages of the service. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { program } from "./built.mjs"

const here = fileURLToPath(new URL(".", import.meta.url))

/** A source that starts a thread names it like this: the module beside it, of whichever kind it is itself. */
const thread = /new URL\(`\.\/(\w+)\$\{extname\(import\.meta\.url\)\}`/g

/**
 * Files that are read, and threads, lie beside the source that names them.
 * `placeOf` gives the expression for where a source lies; `threadFileOf`, if
 * given, the file to make of a thread.
 */
const places = ({ placeOf, threadFileOf }) => ({
  name: "places",
  transform: {
    filter: { id: { exclude: /\/node_modules\// }, code: "import.meta.url" },
    handler(code, id) {
      for (const [, name] of threadFileOf === undefined ? [] : code.matchAll(thread)) {
        const source = join(dirname(id), `${name}.ts`)
        this.emitFile({ type: "chunk", id: source, fileName: threadFileOf(source) })
      }
      return { code: code.replaceAll("import.meta.url", placeOf(id)), map: null }
    }
  }
})

/**
 * An import of a builtin module reads each of its exports, and one of those of `node:http` loads all of Node's own
 * `fetch`, which is a twentieth of a start. `require` reads none.
 */
const builtins = {
  name: "builtins",
  resolveId: {
    filter: { id: /^node:http$/ },
    handler: (id, _importer, { kind }) => (kind === "require-call" ? null : `\0${id}`)
  },
  load: {
    filter: { id: /^\0node:/ },
    handler: (id) => `module.exports = require("${id.slice(1)}")`
  }
}

/** One character beyond ASCII makes V8 keep two bytes for every character of the file. */
const ascii = (code) =>
  code.replaceAll(/[^\p{ASCII}]/gu, (character) =>
    character.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
  )

/** Answers the files that it was made of. */
export const bundle = async (folder, options) => {
  const { rolldown } = await import("rolldown")
  const made = await rolldown({
    input: join(here, "src/main.ts"),
    platform: "node",
    tsconfig: false,
    // It takes calls such as `decodeURIComponent(path)` for harmless, and a check that only has to throw is gone.
    treeshake: false,
    plugins: [places(options), builtins]
  })
  const { output } = await made.generate({
    format: "esm",
    entryFileNames: program,
    chunkFileNames: "[name]-[hash].mjs",
    minify: false,
    comments: { annotation: false, jsdoc: false, legal: false }
  })
  for (const { code, fileName } of output) {
    mkdirSync(dirname(join(folder, fileName)), { recursive: true })
    writeFileSync(join(folder, fileName), ascii(code))
  }
  const files = await made.watchFiles
  await made.close()
  return files
}
