import { assert, it } from "@effect/vitest"
import { PeopleStore } from "@runhook/core/people/PeopleStore"
import * as PgStore from "@runhook/store-pg/PgStore"
import { cachedFor } from "@runhook/core/engine/LookupCache"
import { makeAccount } from "@runhook/store-testing/catalog/CatalogFixtures"
import { end, makeSession } from "@runhook/store-testing/people/PeopleFixtures"
import { second } from "@runhook/store-testing/Fixtures"
import * as Context from "effect/Context"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import * as TestDatabase from "../TestDatabase.ts"

it.layer(Layer.provideMerge(TestDatabase.layerMigrated, layerWebCrypto))("sessions", (it) => {
  it.effect(
    "that end at one process open nothing at another within five seconds, and nothing here at once",
    () =>
      Effect.gen(function* () {
        const [here, there] = yield* Effect.replicateEffect(Layer.build(Layer.fresh(PgStore.layerStores)), 2)
        if (here === undefined || there === undefined) return assert.fail("there are two processes")
        const session = yield* Effect.flatMap(makeAccount(), ({ id }) => makeSession(id)).pipe(
          Effect.provide(here)
        )
        const endedAt = (process: Context.Context<PeopleStore>) =>
          Effect.map(
            Context.get(process, PeopleStore).find(session.tokenHash),
            ([found]) => found?.endedAt ?? null
          )
        const before = yield* Effect.forEach([here, there], endedAt)

        yield* Effect.provide(end({ sessions: [session.id] }), here)
        const atOnce = yield* endedAt(here)
        yield* TestClock.adjust(cachedFor)

        assert.deepStrictEqual(before, [null, null])
        assert.deepStrictEqual(atOnce, second(9))
        assert.deepStrictEqual(yield* endedAt(there), second(9))
        assert.isAtMost(Duration.toMillis(cachedFor), 5_000)
      })
  )
})
