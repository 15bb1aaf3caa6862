/** What every ApiKeyStore does. */
import { assert } from "@effect/vitest"
import { ApiKeyId, newId, TaskId } from "@runhook/core/shared/Ids"
import { acceptedHashes, isUsable } from "@runhook/core/keys/ApiKeyRecord"
import { ApiKeyStore } from "@runhook/core/keys/ApiKeyStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeAccount, makeApiKey, newApiKey, newSigningSecret } from "../catalog/CatalogFixtures.ts"
import type { Stores } from "../Fixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("ApiKeyStore", { layer, name }, (it) => {
    it.test("gives a key back as it was created, by its id and by its prefix", function* () {
      const store = yield* ApiKeyStore
      const { id: accountId } = yield* makeAccount()
      const at = yield* DateTime.now
      const key = yield* makeApiKey(accountId, {
        allowedTaskIds: [yield* newId(TaskId)],
        allowedAgentIds: [],
        capabilities: ["executions:read"],
        maxLive: 5,
        rateLimit: { perSecond: 10, burst: 20 },
        expiresAt: DateTime.add(at, { days: 30 })
      })

      const found = yield* Effect.all([store.get(accountId, key.id), store.findByPrefix(key.prefix)])

      assert.deepStrictEqual(found, [key, key])
    })

    it.test("finds nothing by a prefix that no key has", function* () {
      const store = yield* ApiKeyStore

      const found = yield* store.findByPrefix(yield* newId(ApiKeyId))

      assert.isUndefined(found)
    })

    it.test("hides a key from another account in every method", function* () {
      const store = yield* ApiKeyStore
      const { id: owner } = yield* makeAccount()
      const { id: accountId } = yield* makeAccount()
      const key = yield* makeApiKey(owner)
      const { id } = key
      const at = yield* DateTime.now
      const secret = yield* newSigningSecret(id)

      const errors = yield* Effect.all([
        store.get(accountId, id).pipe(Effect.flip),
        store.update({ accountId, id, change: { name: "Mine" }, at }).pipe(Effect.flip),
        store.revoke({ accountId, id, at }).pipe(Effect.flip),
        store.rotate({ accountId, id, secretHash: "mine", previousExpiresAt: at, at }).pipe(Effect.flip),
        store.rotateSigningSecret({ accountId, id, secret, previousExpiresAt: at }).pipe(Effect.flip),
        store.signingSecrets({ accountId, id, at }).pipe(Effect.flip)
      ])

      assert.deepStrictEqual([...new Set(errors.map(({ _tag }) => _tag))], ["ApiKeyNotFound"])
      assert.deepStrictEqual(yield* store.get(owner, id), key)
    })

    it.test("changes what it is told to and nothing else", function* () {
      const store = yield* ApiKeyStore
      const { id: accountId } = yield* makeAccount()
      const key = yield* makeApiKey(accountId, { maxLive: 5 })
      const at = DateTime.add(key.createdAt, { minutes: 1 })

      const changed = yield* store.update({
        accountId,
        id: key.id,
        change: { name: "Front office", allowedTaskIds: [], maxLive: null },
        at
      })

      assert.deepStrictEqual(changed, {
        ...key,
        name: "Front office",
        allowedTaskIds: [],
        maxLive: null,
        updatedAt: at
      })
      assert.deepStrictEqual(yield* store.get(accountId, key.id), changed)
    })

    it.test("revokes a key for good and keeps the first moment", function* () {
      const store = yield* ApiKeyStore
      const { id: accountId } = yield* makeAccount()
      const key = yield* makeApiKey(accountId)
      const at = DateTime.add(key.createdAt, { minutes: 1 })
      yield* store.revoke({ accountId, id: key.id, at })

      const again = yield* store.revoke({ accountId, id: key.id, at: DateTime.add(at, { hours: 1 }) })

      assert.deepStrictEqual(again, { ...key, revokedAt: at, updatedAt: at })
      assert.deepStrictEqual(yield* store.findByPrefix(key.prefix), again)
      assert.isFalse(isUsable(again, at))
    })

    it.test("rotates the secret under the same prefix and accepts the old one for a while", function* () {
      const store = yield* ApiKeyStore
      const { id: accountId } = yield* makeAccount()
      const key = yield* makeApiKey(accountId, { secretHash: "old" })
      const at = DateTime.add(key.createdAt, { minutes: 1 })
      const previousExpiresAt = DateTime.add(at, { hours: 1 })

      const rotated = yield* store.rotate({
        accountId,
        id: key.id,
        secretHash: "new",
        previousExpiresAt,
        at
      })

      assert.deepStrictEqual(yield* store.findByPrefix(key.prefix), rotated)
      assert.deepStrictEqual(acceptedHashes(rotated, at), ["new", "old"])
      assert.deepStrictEqual(acceptedHashes(rotated, previousExpiresAt), ["new"])
      assert.deepStrictEqual(rotated.updatedAt, at)
    })

    it.test("forgets the secret before the last when it rotates again", function* () {
      const store = yield* ApiKeyStore
      const { id: accountId } = yield* makeAccount()
      const key = yield* makeApiKey(accountId, { secretHash: "first" })
      const at = yield* DateTime.now
      const rotation = { accountId, id: key.id, previousExpiresAt: DateTime.add(at, { hours: 1 }), at }
      yield* store.rotate({ ...rotation, secretHash: "second" })

      const rotated = yield* store.rotate({ ...rotation, secretHash: "third" })

      assert.deepStrictEqual(acceptedHashes(rotated, at), ["third", "second"])
    })

    it.test("makes nothing new for a revoked key", function* () {
      const store = yield* ApiKeyStore
      const { id: accountId } = yield* makeAccount()
      const key = yield* newApiKey(accountId)
      const { id } = key
      const old = yield* newSigningSecret(id)
      yield* store.create(key, old)
      const at = yield* DateTime.now
      const revoked = yield* store.revoke({ accountId, id, at })
      const secret = yield* newSigningSecret(id)

      const errors = yield* Effect.all([
        store.rotate({ accountId, id, secretHash: "new", previousExpiresAt: at, at }).pipe(Effect.flip),
        store.rotateSigningSecret({ accountId, id, secret, previousExpiresAt: at }).pipe(Effect.flip)
      ])

      assert.deepStrictEqual(
        errors.map(({ _tag }) => _tag),
        ["ApiKeyRevoked", "ApiKeyRevoked"]
      )
      assert.deepStrictEqual(yield* store.get(accountId, id), revoked)
      assert.deepStrictEqual(yield* store.signingSecrets({ accountId, id, at }), [old])
    })
  })
