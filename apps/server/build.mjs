/**
 * Makes one file of all sources and packages of the service, when they are
 * newer than what is there:
 *
 *     node apps/server/build.mjs
 *
 * Twelve hundred modules are four fifths of a start, and two thirds of what the
 * service has in memory while nothing happens.
 */
import { spawnSync } from "node:child_process"
import { existsSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { dist, isCurrent, list, listOf } from "./built.mjs"
import { bundle } from "./bundle.mjs"

const here = fileURLToPath(new URL(".", import.meta.url))

/** It stays in this folder, so what lies beside a source is where it is. */
const placeOf = (id) => JSON.stringify(pathToFileURL(id).href)

/** A run of the tests begins with it, so that they run what users run. */
export const setup = async () => {
  if (isCurrent()) return
  // Made aside: a service that starts meanwhile finds what was there or what is, and never a half.
  const aside = join(here, `dist.${process.pid}`)
  const before = join(here, `dist.${process.pid}.before`)
  try {
    const begun = new Date()
    const files = await bundle(aside, { placeOf })
    const sources = files.filter((file) => !file.includes("/node_modules/"))
    // What was changed meanwhile is in it or not: the next start makes it anew.
    if (sources.every((file) => statSync(file).mtime < begun)) {
      writeFileSync(join(aside, list), JSON.stringify(listOf(sources)))
      if (existsSync(dist)) renameSync(dist, before)
      renameSync(aside, dist)
      // Its first start leaves what Node compiled beside it, for all later ones.
      const { NODE_COMPILE_CACHE: _, ...env } = process.env
      spawnSync(process.execPath, [join(here, "start.mjs"), "--version"], { env })
    }
  } finally {
    for (const folder of [aside, before]) rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await setup()
