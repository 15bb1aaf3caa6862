/**
 * Makes one file of all sources and packages of the service, when they are
 * newer than what is there:
 *
 *     node apps/server/build.mjs
 *
 * Twelve hundred modules are four fifths of a start, and two thirds of what the
 * service has in memory while nothing happens.
 */
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { dist, isCurrent, list, listOf, program } from "./built.mjs"

const here = fileURLToPath(new URL(".", import.meta.url))

/** Files that are read, and threads, lie beside the source that names them. */
const places = {
  name: "places",
  transform: {
    filter: { code: "import.meta.url" },
    handler: (code, id) => ({
      code: code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href)),
      map: null
    })
  }
}

/** One character beyond ASCII makes V8 keep two bytes for every character of the file. */
const ascii = (code) =>
  code.replaceAll(/[^\p{ASCII}]/gu, (character) =>
    character.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
  )

const bundle = async (folder) => {
  const { rolldown } = await import("rolldown")
  const made = await rolldown({
    input: join(here, "src/main.ts"),
    platform: "node",
    tsconfig: false,
    plugins: [places]
  })
  const { output } = await made.generate({
    format: "esm",
    entryFileNames: program,
    chunkFileNames: "[name]-[hash].mjs",
    comments: { annotation: false, jsdoc: false, legal: false }
  })
  mkdirSync(folder)
  for (const { code, fileName } of output) writeFileSync(join(folder, fileName), ascii(code))
  const files = (await made.watchFiles).filter((file) => !file.includes("/node_modules/"))
  await made.close()
  return files
}

if (!isCurrent()) {
  // Made aside: a service that starts meanwhile finds what was there or what is, and never a half.
  const aside = join(here, `dist.${process.pid}`)
  const before = join(here, `dist.${process.pid}.before`)
  try {
    const begun = new Date()
    const sources = await bundle(aside)
    // What was changed meanwhile is in it or not: the next start makes it anew.
    if (sources.every((file) => statSync(file).mtime < begun)) {
      writeFileSync(join(aside, list), JSON.stringify(listOf(sources)))
      if (existsSync(dist)) renameSync(dist, before)
      renameSync(aside, dist)
    }
  } finally {
    for (const folder of [aside, before]) rmSync(folder, { recursive: true, force: true })
  }
}
