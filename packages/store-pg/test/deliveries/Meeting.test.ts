/** A delivery and its place in the queue change together, whoever comes in between the read and the write. */
import { assert, describe, it } from "@effect/vitest"
import { testDelivery } from "@runhook/core/deliveries/TestDelivery"
import { DispatcherId, EventId, newId } from "@runhook/core/shared/Ids"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import * as PgStore from "@runhook/store-pg/PgStore"
import {
  attemptOf,
  lease,
  makeDelivery,
  makeSender,
  stored
} from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { second } from "@runhook/store-testing/Fixtures"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { waitsForLock } from "../runs/moves/HeldOpen.ts"
import { layerMigrated } from "../TestDatabase.ts"

const stores = PgStore.layerStores.pipe(
  Layer.provideMerge(SecureRandom.layerWebCrypto),
  Layer.provideMerge(Layer.merge(layerMigrated, Layer.succeed(StoreClock, "caller")))
)

/** A delivery that a dispatcher has claimed at second 1, and nothing else is due. */
const makeClaim = Effect.fnUntraced(function* () {
  const store = yield* DeliveryStore
  const sender = yield* makeSender()
  const { id } = yield* makeDelivery(sender)
  const dispatcher = yield* newId(DispatcherId)
  const { deliveries } = yield* store.claimDue({ dispatcher, room: roomFor(9), lease, at: second(1) })
  const claimed = deliveries[0]?.delivery
  assert(claimed?.id === id)
  return { sender, dispatcher, claimed }
})

/** Does the first in a transaction, which ends when the second waits for it. */
const meeting = Effect.fnUntraced(function* <A, B, E, F, R, S>(
  first: Effect.Effect<A, E, R>,
  waiting: Effect.Effect<B, F, S>
) {
  const sql = yield* SqlClient
  const isDone = yield* Latch.make()
  const fiber = yield* Effect.forkChild(Effect.andThen(isDone.await, waiting))
  const done = yield* Effect.gen(function* () {
    const answer = yield* first
    yield* isDone.open
    yield* waitsForLock(fiber)
    return answer
  }).pipe(sql.withTransaction)
  return { done, waited: yield* Fiber.join(fiber) }
})

const queued = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* sql`SELECT delivery_id FROM webhook_queue`
})

describe("a delivery that two change at once", () => {
  it.layer(stores, { excludeTestServices: true })((it) => {
    it.effect("is settled though its dispatcher is declared dead meanwhile, and leaves the queue", () =>
      Effect.gen(function* () {
        const store = yield* DeliveryStore
        const { claimed, dispatcher, sender } = yield* makeClaim()
        const attempt = attemptOf(claimed, { status: 204, error: null, responseBody: null })
        const { accountId } = sender

        const { done } = yield* meeting(
          store.takeBack({ from: { _tag: "One", dispatcher }, at: second(2) }),
          store.settle([{ accountId, attempt, verdict: { _tag: "Delivered" } }], second(3))
        )

        const { attempts, delivery } = yield* stored(sender, claimed.id)
        assert.strictEqual(done, 1)
        assert.deepStrictEqual([delivery.state, attempts], ["delivered", [attempt]])
        assert.deepStrictEqual(yield* queued, [])
      })
    )

    it.effect("is settled once, and recorded once, though both attempts are the same", () =>
      Effect.gen(function* () {
        const store = yield* DeliveryStore
        const { claimed, sender } = yield* makeClaim()
        const attempt = attemptOf(claimed)
        const { accountId } = sender
        const verdict = { _tag: "Retry", nextAttemptAt: second(30) } as const
        const settle = store.settle([{ accountId, attempt, verdict }], second(3))

        yield* meeting(settle, settle)

        const { attempts, delivery } = yield* stored(sender, claimed.id)
        assert.deepStrictEqual([delivery.nextAttemptAt, attempts], [second(30), [attempt]])
        assert.lengthOf(yield* queued, 1)
        const dead = store.settle([{ accountId, attempt, verdict: { _tag: "Dead" } }], second(4))
        yield* dead
        assert.deepStrictEqual((yield* stored(sender, claimed.id)).delivery, delivery)
        yield* store.claimDue({ room: roomFor(9), lease, at: second(60) })
      })
    )

    it.effect("is passed by a claim while somebody settles it, and by the return of claims", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const store = yield* DeliveryStore
        const { claimed, dispatcher, sender } = yield* makeClaim()
        const attempt = attemptOf(claimed, { status: 204, error: null, responseBody: null })
        const { accountId } = sender
        const settle = store.settle([{ accountId, attempt, verdict: { _tag: "Delivered" } }], second(50))
        const others = Effect.all([
          store.claimDue({ room: roomFor(9), lease, at: second(50) }),
          store.takeBack({ from: { _tag: "One", dispatcher }, at: second(50) })
        ])
        const isSettled = yield* Latch.make()
        const fiber = yield* Effect.forkChild(Effect.andThen(isSettled.await, others))

        const [claim, takenBack] = yield* Effect.gen(function* () {
          yield* settle
          yield* isSettled.open
          return yield* Fiber.join(fiber)
        }).pipe(sql.withTransaction)

        assert.deepStrictEqual([claim.deliveries, takenBack], [[], 0])
        assert.strictEqual((yield* stored(sender, claimed.id)).delivery.state, "delivered")
      })
    )

    it.effect("goes past an open breaker alone, though another test is queued meanwhile", () =>
      Effect.gen(function* () {
        const store = yield* DeliveryStore
        const { claimed, sender } = yield* makeClaim()
        const { accountId } = sender
        const { url } = claimed
        const move = { _tag: "Open", openings: 1, until: second(100) } as const
        const verdict = { _tag: "Retry", nextAttemptAt: second(30) } as const
        yield* store.settle([{ accountId, attempt: attemptOf(claimed), verdict, move }], second(2))
        const queueTest = Effect.flatMap(newId(EventId), (id) =>
          store.enqueue(testDelivery({ ...sender, id, url, requestId: "req_test" }))
        )

        const { done, waited } = yield* meeting(queueTest, queueTest)

        assert.deepStrictEqual([done.waitingFor, waited.waitingFor], [null, "breaker_open"])
      })
    )
  })
})
