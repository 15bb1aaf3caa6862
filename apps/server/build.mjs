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
import { createInterface } from "node:readline"
import { fileURLToPath, pathToFileURL } from "node:url"
import { dist, isCurrent, list, listOf } from "./built.mjs"
import { bundle } from "./bundle.mjs"

const here = fileURLToPath(new URL(".", import.meta.url))

/** It stays in this folder, so what lies beside a source is where it is. */
const placeOf = (id) => JSON.stringify(pathToFileURL(id).href)

/** A whole start and stop leaves what Node compiled for it beside the program, for all later ones. */
const startOnce = async () => {
  const data = mkdtempSync(join(tmpdir(), "runhook-build-"))
  const service = spawn(process.execPath, [join(here, "start.mjs"), "start"], {
    env: {
      PATH: process.env.PATH,
      RUNHOOK_MODE: "development",
      RUNHOOK_STORE: "memory",
      RUNHOOK_DATA_DIR: data,
      RUNHOOK_PORT: "0"
    },
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 30_000,
    killSignal: "SIGKILL"
  })
  const closed = once(service, "close")
  for await (const line of createInterface({ input: service.stdout }))
    if (line.includes("Start here")) service.kill("SIGTERM")
  await closed
  rmSync(data, { recursive: true, force: true })
}

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
      await startOnce()
    }
  } finally {
    for (const folder of [aside, before]) rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await setup()
