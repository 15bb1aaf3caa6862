/** What becomes of messages that nobody fetches, by the clock of the database: that of the caller counts for nothing. */
import { assert, describe, it } from "@effect/vitest"
import { deliveryLifetime } from "@runhook/core/deliveries/Delivery"
import { EndpointStore } from "@runhook/core/endpoints/EndpointStore"
import { timestamptz, uuid } from "@runhook/store-pg/sql/Parameters"
import { fanOutAll, makeEndpoint } from "@runhook/store-testing/endpoints/EndpointFixtures"
import { deliveriesOf, makeExecution, makeTenant, plenty } from "@runhook/store-testing/Fixtures"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { makeProcess } from "../Process.ts"
import { layerMigrated } from "../TestDatabase.ts"

const now = Effect.sync(() => DateTime.makeUnsafe(new Date()))

/** A mailbox with a message of each of two executions. */
const makeMailbox = Effect.fnUntraced(function* () {
  const { does } = yield* makeProcess({ clock: "database" })
  const createdAt = yield* now
  const tenant = yield* does(makeTenant())
  const endpoint = yield* does(makeEndpoint(tenant.accountId, { createdAt, kind: "poll" }))
  const [first, second] = [
    yield* does(makeExecution(tenant, { createdAt })),
    yield* does(makeExecution(tenant, { createdAt }))
  ]
  yield* does(fanOutAll)
  const summaries = does(
    Effect.map(Effect.forEach([first, second], deliveriesOf), (all) =>
      all.flat().map(({ attempts, state }) => [state, attempts])
    )
  )
  const fetch = Effect.flatMap(now, (at) =>
    does(EndpointStore.use((store) => store.fetch(endpoint, { at, limit: 1, bytesMax: plenty })))
  )
  const prune = Effect.flatMap(now, (at) =>
    does(EndpointStore.use((store) => store.prune({ at, limit: 100 })))
  )
  return { does, endpoint, fetch, first, prune, summaries }
})

describe("Messages that nobody fetches", () => {
  it.layer(layerMigrated, { excludeTestServices: true })((it) => {
    it.effect("are cancelled when their endpoint is removed, also those that are out", () =>
      Effect.gen(function* () {
        const { does, endpoint, fetch, prune, summaries } = yield* makeMailbox()
        yield* fetch

        yield* does(
          EndpointStore.use((store) =>
            store.remove({ ...endpoint, apiKeyId: null }, { at: endpoint.createdAt })
          )
        )
        yield* prune

        assert.sameDeepMembers(yield* summaries, [
          ["cancelled", 1],
          ["cancelled", 0]
        ])
      })
    )

    it.effect("are dead when their time is over, and no other is given out for that", () =>
      Effect.gen(function* () {
        const { first, prune, summaries } = yield* makeMailbox()
        const sql = yield* SqlClient
        const longAgo = DateTime.subtractDuration(yield* now, deliveryLifetime)
        yield* sql`
          UPDATE webhook_queue SET due_at = ${timestamptz(longAgo)} WHERE delivery_id IN (
            SELECT id FROM webhook_deliveries WHERE execution_id = ${uuid(first.id)}
          )`
        yield* sql`
          UPDATE webhook_deliveries
          SET next_attempt_at = ${timestamptz(longAgo)}, expires_at = ${timestamptz(longAgo)}
          WHERE execution_id = ${uuid(first.id)}`

        yield* prune

        assert.deepStrictEqual(yield* summaries, [
          ["dead", 0],
          ["pending", 0]
        ])
      })
    )
  })
})
