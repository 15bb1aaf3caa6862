import { assert, describe, it } from "@effect/vitest"
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import * as PgStore from "@runhook/store-pg/PgStore"
import { makeExecution, makeTenant, second } from "@runhook/store-testing/Fixtures"
import { claimUpTo, idsOf, makeSession } from "@runhook/store-testing/runs/RunFixtures"
import * as Array from "effect/Array"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestDatabase from "../../TestDatabase.ts"

/** More than come due in one claim. */
const many = 251

const layer = PgStore.layerStores.pipe(
  Layer.provide(Layer.succeed(StoreClock, "caller")),
  Layer.provideMerge(Layer.merge(TestDatabase.layerMigrated, SecureRandom.layerWebCrypto))
)

describe("Deferred runs that have become due", () => {
  it.layer(layer)((it) => {
    it.effect("are ready from the first claim on, however many go before what is more urgent", () =>
      Effect.gen(function* () {
        const tenant = yield* makeTenant({ capacity: many + 1 })
        const session = yield* makeSession(tenant)
        const early = yield* Effect.forEach(
          Array.range(1, many),
          () => makeExecution(tenant, { scheduledAt: second(10) }),
          { concurrency: "unbounded" }
        )
        const urgent = yield* makeExecution(tenant, { scheduledAt: second(11), priority: 9 })

        const claims = yield* Effect.forEach([1, 1, many], (limit) =>
          Effect.map(claimUpTo(session, { limit, at: second(20) }), (answer) => idsOf(answer.claims))
        )

        assert.deepStrictEqual(claims[1], [urgent.id])
        assert.sameMembers(
          claims.flat(),
          [...early, urgent].map(({ id }) => id)
        )
      })
    )
  })
})
