/** What every RunnerKeyStore does. */
import { assert } from "@effect/vitest"
import { AgentId, newId, RunnerKeyId } from "@runhook/core/shared/Ids"
import { RunnerKeyStore } from "@runhook/core/keys/RunnerKeyStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeAccount, makeRunnerKey } from "../catalog/CatalogFixtures.ts"
import type { Stores } from "../Fixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("RunnerKeyStore", { layer, name }, (it) => {
    it.test("finds a key by its prefix as it was created", function* () {
      const store = yield* RunnerKeyStore
      const { id: accountId } = yield* makeAccount()
      const key = yield* makeRunnerKey(accountId, { agentIds: [yield* newId(AgentId)] })

      const found = yield* store.findByPrefix(key.prefix)

      assert.deepStrictEqual(found, key)
    })

    it.test("finds nothing by a prefix that no key has", function* () {
      const store = yield* RunnerKeyStore

      const found = yield* store.findByPrefix(yield* newId(RunnerKeyId))

      assert.isUndefined(found)
    })

    it.test("revokes a key for good and keeps the first moment", function* () {
      const store = yield* RunnerKeyStore
      const { id: accountId } = yield* makeAccount()
      const key = yield* makeRunnerKey(accountId)
      const at = DateTime.add(key.createdAt, { minutes: 1 })
      yield* store.revoke({ accountId, id: key.id, at })

      yield* store.revoke({ accountId, id: key.id, at: DateTime.add(at, { hours: 1 }) })

      assert.deepStrictEqual(yield* store.findByPrefix(key.prefix), { ...key, revokedAt: at })
    })

    it.test("does not let another account revoke a key", function* () {
      const store = yield* RunnerKeyStore
      const { id: owner } = yield* makeAccount()
      const { id: accountId } = yield* makeAccount()
      const key = yield* makeRunnerKey(owner)

      const error = yield* store.revoke({ accountId, id: key.id, at: key.createdAt }).pipe(Effect.flip)

      assert.strictEqual(error._tag, "RunnerKeyNotFound")
      assert.deepStrictEqual(yield* store.findByPrefix(key.prefix), key)
    })
  })
