import { assert, describe, it } from "@effect/vitest"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { isStoreUnavailable } from "@runhook/core/engine/StoreUnavailable"
import { patient } from "@runhook/store-pg/connections/Deadline"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as PgStore from "@runhook/store-pg/PgStore"
import { makeTenant, newExecution, unlimited } from "@runhook/store-testing/Fixtures"
import * as Cause from "effect/Cause"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { makeLine } from "../../connections/Line.ts"
import { layerMigrated } from "../../TestDatabase.ts"

const storesOn = (url: Redacted.Redacted) =>
  PgStore.layerStores.pipe(
    Layer.provideMerge(SecureRandom.layerWebCrypto),
    Layer.provide(PgDatabase.layerWithoutMigrations({ url, maxConnections: 4, timeout: Duration.seconds(1) }))
  )

/** Waits for an answer that does not come, for longer than a caller does and shorter than two, one after the other. */
const longerThanOne = (url: Redacted.Redacted) =>
  Effect.exit(SqlClient.use((sql) => sql`SELECT 1`)).pipe(
    Effect.provide(PgDatabase.layerWithoutMigrations({ url, timeout: Duration.millis(1_600) }), {
      local: true
    })
  )

/** What is to be answered, however slow the machine is. */
const answered = patient(Duration.minutes(2))

const nextTurn = () => Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

describe("creates on a database that says nothing", () => {
  it.layer(layerMigrated, { excludeTestServices: true })((it) => {
    it.effect(
      "are answered in time, also those that wait for the batches before them, and go on afterwards",
      () =>
        Effect.gen(function* () {
          const line = yield* makeLine()
          yield* Effect.gen(function* () {
            const store = yield* ExecutionStore
            const tenant = yield* answered(makeTenant())
            const create = Effect.flatMap(newExecution(tenant), (execution) =>
              store.create({ ...unlimited, execution })
            )
            yield* answered(create)
            line.fallSilent()

            const creates = yield* Effect.replicateEffect(
              // After a turn of the event loop the batch of a create is on its way: the third waits for two.
              Effect.tap(Effect.forkChild(Effect.exit(create)), () => nextTurn()),
              5
            )
            yield* longerThanOne(line.url)
            // Who stood still has as many turns as it takes to hear of it.
            yield* Effect.repeat(nextTurn(), { times: 100 })
            const exits = creates.map((fiber) => fiber.pollUnsafe())

            for (const exit of exits) {
              const created = exit && Exit.isSuccess(exit) ? exit.value : undefined
              assert.isTrue(
                created && Exit.isFailure(created) && isStoreUnavailable(Cause.squash(created.cause))
              )
            }
            line.recover()
            assert.isFalse((yield* answered(create)).isDuplicate)
          }).pipe(Effect.provide(storesOn(line.url), { local: true }))
        })
    )
  })
})
