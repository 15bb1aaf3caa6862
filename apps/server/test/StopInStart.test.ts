import { existsSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { databaseIn, newDirectory } from "./DurableDirectory.ts"
import { runningServer, startingServer } from "./RunhookProcess.ts"

const namesIn = (folder: string) => Effect.promise(() => readdir(folder).catch(() => []))

/** Looks often enough to see what lasts a tenth of a second. */
const soon = (look: Effect.Effect<boolean>) =>
  look.pipe(Effect.repeat({ schedule: Schedule.spaced("10 millis"), until: (isThere) => isThere }))

describe("a server that is told to stop while it starts", () => {
  it.live("stops, at whatever point of its first start, and the next one begins as if nothing had been", () =>
    Effect.gen(function* () {
      const dataDir = yield* newDirectory
      const settings = { RUNHOOK_MODE: "development", RUNHOOK_DATA_DIR: dataDir }
      const postgres = join(dataDir, "postgres")
      const points = {
        "while the cluster is made": Effect.map(namesIn(postgres), (names) =>
          names.some((name) => name.startsWith("unfinished-"))
        ),
        "while its database starts": Effect.map(databaseIn(dataDir), (pid) => pid !== undefined),
        "while it makes its secrets": Effect.sync(() => existsSync(join(dataDir, "secrets.json")))
      }

      const ends = yield* Effect.forEach(Object.values(points), (point) =>
        Effect.gen(function* () {
          const { ended, signal } = yield* startingServer(settings)
          yield* soon(point)
          signal("SIGTERM")
          const { code, stderr } = yield* ended
          return { code, hasFailed: stderr.includes('"level":"error"'), left: yield* databaseIn(dataDir) }
        }).pipe(Effect.scoped)
      )

      assert.deepStrictEqual(
        ends,
        Object.keys(points).map(() => ({ code: 0, hasFailed: false, left: undefined }))
      )
      assert.deepStrictEqual(
        (yield* namesIn(postgres)).filter((name) => name.startsWith("unfinished-")),
        []
      )
      const server = yield* runningServer(settings)
      assert.notInclude(server.log(), "of an earlier service")
    })
  )
})
