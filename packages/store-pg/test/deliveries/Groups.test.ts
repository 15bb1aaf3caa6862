/** Deliveries that are claimed or settled together: no others are looked at, whatever PostgreSQL takes a young table for. */
import { assert, describe, it } from "@effect/vitest"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { decodedFirst } from "@runhook/store-pg/sql/SqlErrors"
import { attemptOf, lease } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { makeInlet } from "@runhook/store-testing/deliveries/queue/InletFixtures"
import { callbackUrl, makeExecution, makeTenant, second } from "@runhook/store-testing/Fixtures"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { makeProcess } from "../Process.ts"
import { layerMigrated } from "../TestDatabase.ts"

/** Deliveries of one bucket, far more than are claimed or settled at once. */
const ofBucket = 2_000
const together = 8

/** Each is read, found once more where it is changed, and changed. */
const pagesMax = 10 * together

const executions = (tenant: Effect.Success<ReturnType<typeof makeTenant>>) =>
  Effect.replicateEffect(makeExecution(tenant, { callbackUrl }), ofBucket, { concurrency: 64 })

/** Pages of deliveries that this connection has lately read. */
const pagesRead = SqlClient.use((sql) =>
  Effect.map(
    decodedFirst(Schema.Struct({ pages: Schema.Int }))(sql`
      SELECT pg_stat_get_xact_blocks_fetched('webhook_deliveries'::regclass)::integer AS pages`),
    (row) => row?.pages ?? 0
  )
)

/** Pages of deliveries that something reads. */
const pagesOf = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  SqlClient.use((sql) =>
    sql.withTransaction(
      Effect.gen(function* () {
        const before = yield* pagesRead
        yield* work
        return (yield* pagesRead) - before
      })
    )
  )

describe("Deliveries together", () => {
  it.layer(layerMigrated)((it) => {
    it.effect("are settled without a look at others of their bucket", () =>
      Effect.gen(function* () {
        const { does } = yield* makeProcess()
        const pages = yield* does(
          Effect.gen(function* () {
            const store = yield* DeliveryStore
            const tenant = yield* makeTenant()
            const { begun } = yield* makeInlet(tenant, { places: Infinity })
            yield* executions(tenant)
            const settlements = begun.slice(0, together).map((delivery) => ({
              accountId: tenant.accountId,
              attempt: attemptOf(delivery, { status: 200, error: null }),
              sent: delivery,
              verdict: { _tag: "Delivered" } as const
            }))
            return yield* pagesOf(store.settle(settlements, second(9)))
          })
        )

        assert.isAtLeast(pages, together)
        assert.isAtMost(pages, pagesMax)
      })
    )

    it.effect("are claimed without a look at others of their bucket", () =>
      Effect.gen(function* () {
        const { does } = yield* makeProcess()
        const pages = yield* does(
          Effect.gen(function* () {
            const store = yield* DeliveryStore
            yield* executions(yield* makeTenant())
            return yield* pagesOf(store.claimDue({ room: roomFor(together), lease, at: second(9) }))
          })
        )

        assert.isAtLeast(pages, together)
        assert.isAtMost(pages, pagesMax)
      })
    )
  })
})
