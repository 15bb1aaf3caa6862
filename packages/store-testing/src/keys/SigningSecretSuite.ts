/** What every ApiKeyStore does with the signing secrets of its keys. */
import { assert } from "@effect/vitest"
import { ApiKeyStore } from "@runhook/core/keys/ApiKeyStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeAccount, makeApiKey, newApiKey, newSigningSecret } from "../catalog/CatalogFixtures.ts"
import type { Stores } from "../Fixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("Signing secrets", { layer, name }, (it) => {
    it.test("replaces a signing secret at once", function* () {
      const store = yield* ApiKeyStore
      const { id: accountId } = yield* makeAccount()
      const { id } = yield* makeApiKey(accountId)
      const at = yield* DateTime.now
      const secret = yield* newSigningSecret(id)

      yield* store.rotateSigningSecret({ accountId, id, secret, previousExpiresAt: at })

      assert.deepStrictEqual(yield* store.signingSecrets({ accountId, id, at }), [secret])
    })

    it.test("stages a signing secret beside the old one, which ends later", function* () {
      const store = yield* ApiKeyStore
      const { id: accountId } = yield* makeAccount()
      const key = yield* newApiKey(accountId)
      const { id } = key
      const old = yield* newSigningSecret(id)
      yield* store.create(key, old)
      const at = yield* DateTime.now
      const staged = yield* newSigningSecret(id, { activeAt: DateTime.add(at, { hours: 1 }) })
      const previousExpiresAt = DateTime.add(at, { hours: 2 })

      yield* store.rotateSigningSecret({ accountId, id, secret: staged, previousExpiresAt })

      assert.deepStrictEqual(yield* store.signingSecrets({ accountId, id, at }), [
        { ...old, expiresAt: previousExpiresAt },
        staged
      ])
      assert.deepStrictEqual(yield* store.signingSecrets({ accountId, id, at: previousExpiresAt }), [staged])
    })

    it.test(
      "shows the secrets of several keys that have not ended, and none of another account",
      function* () {
        const store = yield* ApiKeyStore
        const [{ id: accountId }, { id: foreign }] = [yield* makeAccount(), yield* makeAccount()]
        const at = yield* DateTime.now
        const [rotated, other, unasked] = yield* Effect.replicateEffect(newApiKey(accountId), 3)
        assert(rotated !== undefined && other !== undefined && unasked !== undefined)
        const secrets = yield* Effect.forEach([rotated.id, rotated.id, other.id, unasked.id], (id) =>
          newSigningSecret(id)
        )
        const [ended, current, ofOther, ofUnasked] = secrets
        assert(
          ended !== undefined && current !== undefined && ofOther !== undefined && ofUnasked !== undefined
        )
        yield* store.create(rotated, ended)
        yield* store.create(other, ofOther)
        yield* store.create(unasked, ofUnasked)
        const rotation = { secret: current, previousExpiresAt: at }
        yield* store.rotateSigningSecret({ accountId, id: rotated.id, ...rotation })
        const ids = [rotated.id, other.id]

        const found = yield* store.signingSecretsOf({ accountId, ids, at })
        const ofForeign = yield* store.signingSecretsOf({ accountId: foreign, ids, at })

        assert.sameDeepMembers([...found], [current, ofOther])
        assert.deepStrictEqual(ofForeign, [])
      }
    )

    it.test("lets no rotation prolong a signing secret that ends earlier", function* () {
      const store = yield* ApiKeyStore
      const { id: accountId } = yield* makeAccount()
      const { id } = yield* makeApiKey(accountId)
      const at = yield* DateTime.now
      const soon = DateTime.add(at, { minutes: 1 })
      const second = yield* newSigningSecret(id)
      yield* store.rotateSigningSecret({ accountId, id, secret: second, previousExpiresAt: soon })
      const third = yield* newSigningSecret(id)
      const later = DateTime.add(at, { hours: 1 })

      yield* store.rotateSigningSecret({ accountId, id, secret: third, previousExpiresAt: later })

      assert.deepStrictEqual(yield* store.signingSecrets({ accountId, id, at: soon }), [
        { ...second, expiresAt: later },
        third
      ])
    })
  })
