import { assert, describe, it } from "@effect/vitest"
import { AccountId, newId } from "@runhook/core/shared/Ids"
import { AccountStore } from "@runhook/core/accounts/AccountStore"
import { StoreUnavailable } from "@runhook/core/engine/StoreUnavailable"
import * as PgStore from "@runhook/store-pg/PgStore"
import * as Cause from "effect/Cause"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { SqlClient } from "effect/sql/SqlClient"
import { layerMigrated } from "./TestDatabase.ts"

const stores = PgStore.layerStores.pipe(
  Layer.provideMerge(SecureRandom.layerWebCrypto),
  Layer.provideMerge(layerMigrated)
)

/** What becomes of a method of accounts whose connection ends after its statement was sent, before it is answered. */
const cutOff = Effect.fnUntraced(function* <A, E, R>(method: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient
  const isLocked = yield* Latch.make()
  const fiber = yield* Effect.forkChild(Effect.exit(Effect.andThen(isLocked.await, method)))
  const ended = sql`
    SELECT pg_terminate_backend(pid)
    FROM pg_locks
    JOIN pg_database d ON d.oid = database
    WHERE d.datname = current_database() AND NOT granted`
  yield* Effect.gen(function* () {
    yield* sql`LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE`
    yield* isLocked.open
    yield* Effect.repeat(ended, {
      schedule: Schedule.spaced("10 millis"),
      until: ({ length }) => length > 0
    })
  }).pipe(sql.withTransaction)
  return yield* Fiber.join(fiber)
})

describe("a method whose connection is lost", () => {
  it.layer(stores, { excludeTestServices: true })((it) => {
    it.effect("answers all the same when it only reads", () =>
      Effect.gen(function* () {
        const accounts = yield* AccountStore

        const exit = yield* cutOff(accounts.list({ after: null, limit: 1 }))

        assert.isTrue(Exit.isSuccess(exit))
      })
    )

    it.effect("ends with StoreUnavailable when it writes, for nobody knows what was written", () =>
      Effect.gen(function* () {
        const accounts = yield* AccountStore
        const account = {
          id: yield* newId(AccountId),
          name: "Acme",
          rateLimit: null,
          maxLive: null,
          retentionDays: null,
          createdAt: yield* DateTime.now
        }

        const exit = yield* cutOff(accounts.create(account))

        assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof StoreUnavailable)
      })
    )
  })
})
