/** What a callback costs PostgreSQL does not grow with what is kept of those before it. */
import { assert, describe, it } from "@effect/vitest"
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { attemptOf, lease } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { makeInlet } from "@runhook/store-testing/deliveries/queue/InletFixtures"
import { callbackUrl, makeExecution, second, type Tenant } from "@runhook/store-testing/Fixtures"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { layerOf } from "./ExplainedStores.ts"
import { ExplainingServer } from "./ExplainingServer.ts"
import { keepNothing, renewStatistics, unhurried } from "./Past.ts"
import { makeSamples } from "./Samples.ts"
import { together } from "./Verb.ts"

const at = second(2)

const [few, many] = [1_000, 100_000]

/** How many blocks more it may ask for: each key of many rows lies one level deeper than that of few. */
const growthMax = 1.1

/** So often is done what is counted: some of it lets PostgreSQL clear up, which is not the price of each. */
const rounds = 4

const timeout = 120_000

const settleAll = Effect.fnUntraced(function* (deliveries: ReadonlyArray<Delivery>) {
  const store = yield* DeliveryStore
  yield* store.settle(
    deliveries.map((delivery) => ({
      accountId: delivery.accountId,
      attempt: attemptOf(delivery, { status: 200, error: null }),
      sent: delivery,
      verdict: { _tag: "Delivered" }
    })),
    at
  )
})

const createMany = (tenant: Tenant) =>
  Effect.forEach(Array.from({ length: together }), () => makeExecution(tenant, { callbackUrl }), {
    concurrency: "unbounded"
  })

/** Events that are handed over and settled, and as many that are found, taken and settled. */
const callbacks = Effect.fnUntraced(function* (tenant: Tenant) {
  const store = yield* DeliveryStore
  const { begun } = yield* makeInlet(tenant, { places: together })
  yield* createMany(tenant)
  yield* settleAll(begun)
  yield* createMany(tenant)
  const { deliveries } = yield* store.claimDue({ room: roomFor(together), lease, at })
  yield* settleAll(deliveries.map(({ delivery }) => delivery))
  if (begun.length + deliveries.length !== 2 * together)
    return yield* Effect.die(new Error("Not all were sent"))
}, Effect.scoped)

/** Keeps so many copies of what was delivered, each with an id that says when it was made: before the others. */
const keep = Effect.fnUntraced(function* (tenant: Tenant, count: number) {
  const sql = yield* SqlClient
  const id = `(lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint - ${count} + place), 12, '0') || '70008'
    || lpad(to_hex(place), 15, '0'))::uuid`
  const columns = yield* sql<{ readonly name: string }>`
    SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'webhook_deliveries'`
  const names = columns.map(({ name }) => name)
  yield* unhurried(
    sql.unsafe(
      `INSERT INTO webhook_deliveries (${names.join(", ")})
    SELECT ${names.map((name) => (name === "id" || name === "execution_id" ? id : `t.${name}`)).join(", ")}
    FROM generate_series(1, ${count}) AS place
    CROSS JOIN (SELECT * FROM webhook_deliveries WHERE state = 'delivered' AND account_id = $1::uuid LIMIT 1) AS t`,
      [tenant.accountId]
    )
  )
  yield* renewStatistics
})

describe("A callback", () => {
  it.layer(layerOf("newest"), { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "asks for as many blocks with 100,000 deliveries kept beside it as with 1,000",
      () =>
        Effect.gen(function* () {
          const { plan, ranBy } = yield* ExplainingServer
          const { tenant } = yield* makeSamples
          yield* keepNothing
          yield* plan("force_generic_plan")
          const blocksOfRounds = Effect.gen(function* () {
            // What is made with them has its second level by then.
            yield* Effect.repeat(callbacks(tenant), { times: rounds })
            const ran = yield* ranBy(Effect.repeat(callbacks(tenant), { times: rounds - 1 }))
            return ran.flatMap(({ steps }) => steps).reduce((all, { blocks }) => all + blocks, 0)
          })

          yield* keep(tenant, few)
          const besideFew = yield* blocksOfRounds
          yield* keep(tenant, many)
          const besideMany = yield* blocksOfRounds

          assert.isAtMost(besideMany / besideFew, growthMax, `${besideFew} blocks became ${besideMany}`)
        }),
      timeout
    )
  })
})
