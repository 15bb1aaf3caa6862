import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { eventually } from "../Http.ts"
import { runningServer, temporaryDirectory } from "../RunhookProcess.ts"
import { assertOneOutage, assertRefused, servedOn } from "./Served.ts"
import { promotablePostgres } from "./Standby.ts"

describe("a service and a standby", () => {
  it.live("answers reads and refuses writes when it is led to one, until that is promoted", () =>
    Effect.gen(function* () {
      const postgres = yield* promotablePostgres
      const endPrimary = yield* postgres.startPrimary
      const served = yield* servedOn({ RUNHOOK_DATABASE_URL: postgres.url })
      const { body } = yield* Effect.promise(served.create)
      const read = Effect.promise(() => served.read(String(body?.execution_id)))

      yield* endPrimary
      yield* postgres.startStandby("hot")
      yield* eventually(read, ({ status }) => status === 200)
      yield* assertRefused(served)

      yield* postgres.promote
      yield* assertOneOutage(served, /the database /)
      assert.strictEqual((yield* read).status, 200)
    })
  )

  it.live("waits at its start for one that lets nobody in yet", () =>
    Effect.gen(function* () {
      const postgres = yield* promotablePostgres
      yield* yield* postgres.startPrimary
      yield* postgres.startStandby("closed")
      const starting = yield* Effect.forkChild(
        runningServer({
          RUNHOOK_MODE: "development",
          RUNHOOK_DEMO: "off",
          RUNHOOK_DATA_DIR: yield* temporaryDirectory,
          RUNHOOK_DATABASE_URL: postgres.url
        })
      )

      yield* postgres.hasRefused
      yield* postgres.promote
      const { log } = yield* Fiber.join(starting)

      const waits = log()
        .split("\n")
        .filter((line) => line.includes("Waiting"))
      assert.lengthOf(waits, 1)
      assert.match(waits[0] ?? "", /takes no connections now, .* \(57P03: /)
    })
  )
})
