/** A small disk for a database, which can be filled. */
import { execFile } from "node:child_process"
import { mkdir, rm, statfs, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import { refusingDatabase } from "../../outages/RefusingDatabase.ts"
import { temporaryDirectory } from "../../RunhookProcess.ts"

export interface Volume {
  readonly directory: string
  /** Leaves no room to the database at that URL. */
  fill(url: string): Promise<void>
  /** Gives it back. */
  empty(): Promise<void>
}

/** Room for a new database, its log, and what a load of minutes adds to them. */
const size = "600m"

const run = promisify(execFile)

/** It ends with the scope. A volume of its own where this process may mount one. */
export const volume = Effect.gen(function* () {
  const directory = join(yield* temporaryDirectory, "volume")
  const isMounted = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      await mkdir(directory)
      return mount(directory)
    }),
    (mounted) => Effect.promise(async () => void (mounted && (await run("umount", ["--lazy", directory]))))
  )
  return isMounted ? mountedOn(directory) : pretended(directory)
})

const mount = (directory: string): Promise<boolean> =>
  run("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", directory]).then(
    () => true,
    // Only root may, and not in every container.
    () => false
  )

const mountedOn = (directory: string): Volume => {
  const filler = join(directory, "filler")
  return {
    directory,
    fill: async () => {
      const { bavail, bsize } = await statfs(directory)
      // Another process may take the last of it meanwhile.
      await writeFile(filler, Buffer.alloc(bavail * bsize)).catch(() => undefined)
    },
    empty: () => rm(filler, { force: true })
  }
}

/** Every write is refused with the code that PostgreSQL has for a full disk. */
export const pretended = (directory: string): Volume => {
  let refusing: ReturnType<typeof refusingWrites> | undefined
  return {
    directory,
    fill: async (url) => {
      refusing ??= refusingWrites(url)
      await Effect.runPromise((await refusing).refuse("53100"))
    },
    empty: async () => {
      if (refusing !== undefined) await Effect.runPromise((await refusing).accept)
    }
  }
}

const refusingWrites = (url: string) => Effect.runPromise(refusingDatabase(url))
