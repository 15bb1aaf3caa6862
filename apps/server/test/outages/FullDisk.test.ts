import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { eventually } from "../Http.ts"
import { testPostgres } from "../TestPostgres.ts"
import { refusingDatabase } from "./RefusingDatabase.ts"
import { assertOneOutage, servedOn } from "./Served.ts"
import { smallDisk } from "./SmallDisk.ts"

/** A service, and how the disk of its database becomes full and has room again. */
const servedOnSmallDisk = Effect.gen(function* () {
  const disk = yield* smallDisk
  if (disk !== undefined) {
    const served = yield* servedOn({ RUNHOOK_DATA_DIR: disk.directory, RUNHOOK_ARTIFACTS_FREE_SPACE: "off" })
    return { ...served, fill: disk.fill, free: disk.free }
  }
  // What PostgreSQL says then, where no disk can be had.
  const { url } = yield* testPostgres
  const served = yield* servedOn({ RUNHOOK_DATABASE_URL: url })
  const database = yield* refusingDatabase(url)
  return { ...served, fill: database.refuse("53100"), free: database.accept }
})

describe("a service whose database has a full disk", () => {
  it.live("answers 503 until there is room, and then goes on by itself with all that it acknowledged", () =>
    Effect.gen(function* () {
      const { fill, free, ...served } = yield* servedOnSmallDisk
      const create = Effect.promise(served.create)
      const before = yield* create

      yield* fill
      const acknowledged: Array<string> = [String(before.body?.execution_id)]
      const refused = yield* Effect.repeat(
        Effect.tap(create, ({ body, status }) =>
          Effect.sync(() => status === 201 && acknowledged.push(String(body?.execution_id)))
        ),
        { until: ({ status }) => status !== 201, times: 5_000 }
      )
      const isReady = yield* eventually(Effect.promise(served.isReady), (is) => !is)
      yield* free

      assert.deepStrictEqual([refused.status, refused.retryAfter, isReady], [503, "5", false])
      yield* assertOneOutage(served, /the database (has a full disk|cannot be reached|ended)/)
      const found = yield* Effect.forEach(acknowledged, (id) => Effect.promise(() => served.read(id)), {
        concurrency: 8
      })
      assert.isTrue(found.every(({ status }) => status === 200))
    })
  )
})
