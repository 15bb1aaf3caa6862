/**
 * Makes one file of all sources and packages of the service, when they are
 * newer than what is there:
 *
 *     node apps/server/build.mjs
 *
 * Twelve hundred modules are four fifths of a start, and two thirds of what the
 * service has in memory while nothing happens.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { dist, isCurrent, list, listOf, program } from "./built.mjs"
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
    const files = await bundle(aside, program, { placeOf })
    const sources = files.filter((file) => !file.includes("/node_modules/"))
    // What was changed meanwhile is in it or not: the next start makes it anew.
    if (sources.every((file) => statSync(file).mtime < begun)) {
      writeFileSync(join(aside, list), JSON.stringify(listOf(sources)))
      if (existsSync(dist)) renameSync(dist, before)
      renameSync(aside, dist)
      await startOnce()
    }
  } finally {
    for (const folder of [aside, before]) rmSync(folder, { recursive: true, force: true })
  }
}

/** The first start leaves what was compiled for it, for all later ones. It is one that keeps nothing and has no setting of the user. */
const startOnce = async () => {
  const folder = mkdtempSync(join(tmpdir(), "runhook-build-"))
  const child = spawn(process.execPath, [join(here, "start.mjs"), "start", "--memory"], {
    env: { PATH: process.env.PATH, RUNHOOK_PORT: "0", RUNHOOK_DATA_DIR: folder },
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 30_000
  })
  let said = ""
  child.stdout.setEncoding("utf8").on("data", (text) => {
    said += text
    if (said.includes("Start here")) child.kill()
  })
  await once(child, "close")
  rmSync(folder, { recursive: true, force: true })
}

if (import.meta.main) await setup()
