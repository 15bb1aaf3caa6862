import { assert, describe, it } from "@effect/vitest"
import { AccountStore } from "@runhook/core/accounts/AccountStore"
import { ApiKeyStore } from "@runhook/core/keys/ApiKeyStore"
import { StoreUnavailable } from "@runhook/core/engine/StoreUnavailable"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as PgStore from "@runhook/store-pg/PgStore"
import * as Cause from "effect/Cause"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"

/** Nobody listens on the discard port of this machine. */
const away = PgDatabase.layerWithoutMigrations({
  url: Redacted.make("postgres://runhook@127.0.0.1:9/runhook")
})

describe("PostgreSQL that is away", () => {
  it.layer(Layer.provide(PgStore.layerStores, [away, SecureRandom.layerWebCrypto]), {
    excludeTestServices: true
  })((it) => {
    it.effect("ends methods with the defect StoreUnavailable", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeyStore
        const accounts = yield* AccountStore

        const causes = yield* Effect.all([
          Effect.sandbox(keys.findByPrefix("none")).pipe(Effect.flip),
          Effect.sandbox(accounts.list({ after: null, limit: 1 })).pipe(Effect.flip)
        ])

        for (const cause of causes) assert.instanceOf(Cause.squash(cause), StoreUnavailable)
      })
    )
  })
})
