import { assert, describe, it } from "@effect/vitest"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import * as PgStore from "@runhook/store-pg/PgStore"
import { attemptOf, makeSender } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { second } from "@runhook/store-testing/Fixtures"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { queueMany } from "../deliveries/queue/Queued.ts"
import { layerMigrated } from "../TestDatabase.ts"

const stores = PgStore.layerStores.pipe(
  Layer.provideMerge(SecureRandom.layerWebCrypto),
  Layer.provideMerge(layerMigrated)
)

/** What a dispatcher takes for now. The database's now is none of these. */
const rightly = second(0)
const hourAhead = second(3_600)
const hourBehind = second(-3_600)

/** So long that none runs out, however slow the machine is. */
const lease = Duration.minutes(30)

const url = "https://receiver.example/hook"

const claim = (at: DateTime.Utc) =>
  DeliveryStore.use((store) => store.claimDue({ room: roomFor(100), lease, at }))

/** How long after `at` to look again. */
const waitOf = (at: DateTime.Utc, nextDueAt: DateTime.Utc | null): number =>
  nextDueAt === null ? Number.POSITIVE_INFINITY : Duration.toSeconds(DateTime.distance(at, nextDueAt))

describe("Dispatchers whose clocks differ", () => {
  it.layer(stores)((it) => {
    it.effect.each([
      { clock: "an hour ahead", at: hourAhead },
      { clock: "an hour behind", at: hourBehind }
    ])("agree on what is due with one that is $clock", ({ at }) =>
      Effect.gen(function* () {
        yield* queueMany(yield* makeSender(), { count: 3, url })

        const taken = yield* claim(at)
        const left = yield* claim(rightly)

        assert.lengthOf(taken.deliveries, 3)
        assert.isEmpty(left.deliveries)
      })
    )

    it.effect.each([
      { clock: "ahead", at: hourAhead },
      { clock: "behind", at: hourBehind }
    ])("take nothing that another holds, and look again by their own clock: an hour $clock", ({ at }) =>
      Effect.gen(function* () {
        yield* queueMany(yield* makeSender(), { count: 3, url })
        yield* claim(rightly)

        const { deliveries, nextDueAt } = yield* claim(at)

        assert.isEmpty(deliveries)
        assert.isAbove(waitOf(at, nextDueAt), 0)
        assert.isAtMost(waitOf(at, nextDueAt), Duration.toSeconds(lease))
      })
    )

    it.effect.each([
      { clock: "ahead", at: hourAhead },
      { clock: "behind", at: hourBehind }
    ])("put off a retry for as long as they say, an hour $clock", ({ at }) =>
      Effect.gen(function* () {
        const store = yield* DeliveryStore
        yield* queueMany(yield* makeSender(), { count: 1, url: "https://elsewhere.example/hook" })
        const { deliveries } = yield* claim(at)
        const nextAttemptAt = DateTime.add(at, { minutes: 10 })

        yield* store.settle(
          deliveries.map(({ delivery }) => ({
            accountId: delivery.accountId,
            attempt: attemptOf(delivery),
            verdict: { _tag: "Retry", nextAttemptAt }
          })),
          at
        )

        const [ahead, behind] = [yield* claim(hourAhead), yield* claim(hourBehind)]
        assert.deepStrictEqual([ahead.deliveries, behind.deliveries], [[], []])
      })
    )
  })
})
