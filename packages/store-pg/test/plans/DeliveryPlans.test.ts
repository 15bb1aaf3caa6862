/** What is done with deliveries looks at about what it takes. */
import { DispatcherId, newId } from "@runhook/core/domain/Ids"
import { DeliveryStore, roomFor } from "@runhook/core/ports/DeliveryStore"
import { RunStore } from "@runhook/core/ports/RunStore"
import { SweepStore } from "@runhook/core/ports/SweepStore"
import { attemptOf, lease } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { second } from "@runhook/store-testing/Fixtures"
import { startDeadline } from "@runhook/store-testing/runs/RunFixtures"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Filled } from "./Filled.ts"
import { limit, suite, type Verb } from "./FullTables.ts"

const retention = { delivered: Duration.days(30), dead: Duration.days(90) }

/** As after an outage: all that waits has failed, and all that is settled has died of it. */
const failAll = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    INSERT INTO webhook_failing (bucket, account_id, delivery_id, cause)
    SELECT bucket, account_id, id, 'server_error' FROM webhook_deliveries WHERE state = 'pending'`
  yield* sql`
    INSERT INTO webhook_dead (bucket, account_id, delivery_id, origin, cause, type)
    SELECT bucket, account_id, id, 'https://example.com', 'server_error', type
    FROM webhook_deliveries
    WHERE state = 'delivered'`
})

const makeVerbs = Effect.gen(function* () {
  yield* failAll
  const { session } = yield* Filled
  const deliveries = yield* DeliveryStore
  const runs = yield* RunStore
  const sweeps = yield* SweepStore
  const claim = deliveries.claimDue({ room: roomFor(limit), lease, at: second(2) })
  const settle = Effect.flatMap(claim, (claimed) =>
    deliveries.settle(
      claimed.deliveries.map(({ delivery }) => ({
        accountId: delivery.accountId,
        attempt: attemptOf(delivery),
        verdict: { _tag: "Delivered" },
        move: { _tag: "Pause", until: second(9) }
      })),
      second(2)
    )
  )
  const dispatcher = yield* newId(DispatcherId)
  const claimed = deliveries.claimDue({ dispatcher, room: roomFor(limit), lease, at: second(2) })
  const giveBack = Effect.andThen(
    claimed,
    deliveries.giveBack({ dispatcher, which: { _tag: "AllBut", ids: [] }, at: second(2) })
  )
  const from = { _tag: "One", dispatcher } as const
  const takeBack = Effect.andThen(claimed, deliveries.takeBack({ from, at: second(2) }))
  const forget = sweeps.forgetDeliveries({ retention, at: DateTime.add(second(2), { days: 31 }), limit })
  const verbs: ReadonlyArray<Verb> = [
    { name: "claim", run: claim },
    { name: "settle", run: settle },
    { name: "give back", run: giveBack },
    { name: "take back", run: takeBack },
    { name: "forget", run: forget },
    {
      name: "claim of executions",
      run: runs.claim({ session, claimId: "of-plans", limit: 10, startDeadline, at: second(2) })
    }
  ]
  return verbs
})

suite("deliveries, and claims of executions, by the clock of the database", "database", makeVerbs)
