/** A disk of its own for a test to fill: a small file system in memory, where the machine lets us mount one. */
import { execFile } from "node:child_process"
import { open, rm, statfs } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { copyCluster } from "@runhook/test-support/postgres/TestServer"
import * as Effect from "effect/Effect"
import { endDatabase } from "../DurableDirectory.ts"
import { temporaryDirectory } from "../RunhookProcess.ts"

const run = promisify(execFile)

/** Enough for PostgreSQL and a service beside it. */
const size = "256m"

const ballastBlock = Buffer.alloc(64 * 1024)

/** Writes to the file until there is no room for another byte. */
const fillUp = async (directory: string, file: string): Promise<void> => {
  const { bavail, bsize } = await statfs(directory)
  await using ballast = await open(file, "a")
  for (let written = 0; written < bavail * bsize + ballastBlock.length;) {
    try {
      written += (await ballast.write(ballastBlock)).bytesWritten
    } catch (cause) {
      if (cause instanceof Error && "code" in cause && cause.code === "ENOSPC") return
      throw cause
    }
  }
}

/** With an empty database; undefined where nothing may be mounted, as in most containers. It is there until the scope ends, which ends a database on it too. */
export const smallDisk = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const isMounted = yield* Effect.acquireRelease(
    Effect.promise(() =>
      run("mount", ["-t", "tmpfs", "-o", `size=${size},mode=0755`, "tmpfs", directory]).then(
        () => true,
        () => false
      )
    ),
    (is) => (is ? Effect.promise(() => run("umount", ["--lazy", directory])) : Effect.void)
  )
  if (!isMounted) return undefined
  yield* Effect.addFinalizer(() => endDatabase(directory))
  yield* Effect.promise(() => copyCluster(join(directory, "postgres")))
  const ballast = join(directory, "ballast")
  return {
    directory,
    fill: Effect.promise(() => fillUp(directory, ballast)),
    free: Effect.promise(() => rm(ballast))
  }
})
