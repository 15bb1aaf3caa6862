/** Data directories for servers. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { copyCluster } from "@runhook/test-support/postgres/TestServer"
import * as Effect from "effect/Effect"
import { eventually } from "./Http.ts"
import { temporaryDirectory } from "./RunhookProcess.ts"

/** A data directory that is gone afterwards, with the database that a killed server may have left in it. */
export const newDirectory = Effect.gen(function* () {
  const dataDir = yield* temporaryDirectory
  yield* Effect.addFinalizer(() => endDatabase(dataDir))
  return dataDir
})

/** The same with an empty database, for what is not about the first start. */
export const durableDirectory = Effect.tap(newDirectory, (dataDir) =>
  Effect.promise(() => copyCluster(join(dataDir, "postgres")))
)

/** The process of the database in a data directory; undefined when there is none. */
export const databaseIn = (dataDir: string): Effect.Effect<number | undefined> =>
  Effect.promise(async () => {
    const text = await readFile(join(dataDir, "postgres", "cluster", "postmaster.pid"), "utf8").catch(
      () => ""
    )
    return text === "" ? undefined : Number.parseInt(text, 10)
  })

/** Ends the database that a killed server has left running in a data directory, if it has. */
export const endDatabase = Effect.fnUntraced(function* (dataDir: string) {
  const pid = yield* databaseIn(dataDir)
  if (pid === undefined) return
  // It may be ending by itself.
  yield* Effect.ignore(Effect.try(() => process.kill(pid, "SIGQUIT")))
  yield* eventually(databaseIn(dataDir), (left) => left === undefined)
})
