import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { testPostgres } from "../TestPostgres.ts"
import { refusingDatabase } from "./RefusingDatabase.ts"
import { assertOneOutage, assertRefused, servedOn } from "./Served.ts"
import { assertAway } from "./Verbs.ts"

const states =
  "25006 53100 53200 53300 53400 55P03 57014 57P01 57P02 57P03 58030 08000 08003 08006 08P01".split(" ")

describe("a service whose database refuses every write", { concurrent: true }, () => {
  it.live("answers 503 to everything that writes, whatever the refusal, and loses nothing", () =>
    Effect.gen(function* () {
      const { url } = yield* testPostgres
      const served = yield* servedOn({ RUNHOOK_DATABASE_URL: url })
      const database = yield* refusingDatabase(url)
      const { body } = yield* Effect.promise(served.create)

      for (const state of states) {
        yield* database.refuse(state)
        yield* assertRefused(served, `under ${state}`)
      }
      const read = yield* Effect.promise(() => served.read(String(body?.execution_id)))
      assert.strictEqual(read.status, 200)

      yield* database.accept
      yield* assertOneOutage(served, /the database is read-only, .* \(25006: refused by a test\)/)
    })
  )

  it.live("answers a poll that is parked when it begins", () =>
    Effect.gen(function* () {
      const { url } = yield* testPostgres
      const served = yield* servedOn({ RUNHOOK_DATABASE_URL: url })
      const database = yield* refusingDatabase(url)
      const polling = yield* Effect.forkChild(
        Effect.promise(() => served.poll(25_000)),
        { startImmediately: true }
      )

      yield* database.refuse("53100")
      const answer = yield* Fiber.join(polling)

      assertAway("poll", answer)
    })
  )

  it.live("answers 500 to a fault that is no outage, and stays ready", () =>
    Effect.gen(function* () {
      const { url } = yield* testPostgres
      const served = yield* servedOn({ RUNHOOK_DATABASE_URL: url })
      const database = yield* refusingDatabase(url)

      yield* database.refuse("54000")
      const { body, retryAfter, status } = yield* Effect.promise(served.create)

      assert.deepStrictEqual([status, retryAfter, body?.error?.code], [500, null, "internal_error"])
      assert.include(served.log(), "Request failed")
      assert.notInclude(served.log(), "The store is away")
    })
  )
})
