/** Folders for tests of the private PostgreSQL, and how to look into one. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { copyCluster } from "@runhook/test-support/postgres/TestServer"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { clusterFolder } from "../src/DataFolder.ts"

/** A folder that is not there yet, in one that is gone afterwards. */
export const temporaryFolder = Effect.map(
  Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "runhook-test-"))),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  ),
  (folder) => join(folder, "database")
)

/** One with a database that was made before, as its making takes longer than all that comes after. */
export const usedFolder = Effect.tap(temporaryFolder, (directory) =>
  Effect.promise(() => copyCluster(directory))
)

/** Process of the server that runs on the folder. */
export const serverOn = (directory: string): Effect.Effect<number> =>
  Effect.promise(async () =>
    Number.parseInt(await readFile(join(clusterFolder(directory), "postmaster.pid"), "utf8"), 10)
  )

export const namesIn = (directory: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => (await readdir(directory)).toSorted())

/** Whether there is such a process. One that ended is there until its parent has noticed. */
export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Looks again and again, for as long as the test may take. */
export const eventually = <E>(found: Effect.Effect<boolean, E>): Effect.Effect<void, E> =>
  Effect.asVoid(Effect.repeat(found, { schedule: Schedule.spaced("10 millis"), until: (yes) => yes }))
