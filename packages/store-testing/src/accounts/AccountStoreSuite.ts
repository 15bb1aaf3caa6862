/** What every AccountStore does. */
import { assert } from "@effect/vitest"
import { AccountId, newId } from "@runhook/core/shared/Ids"
import { AccountStore } from "@runhook/core/accounts/AccountStore"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeAccount } from "../catalog/CatalogFixtures.ts"
import type { Stores } from "../Fixtures.ts"
import { walk } from "../Paging.ts"
import { suiteOf } from "../SuiteOf.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("AccountStore", { layer, name }, (it) => {
    it.test("gives an account back as it was created", function* () {
      const store = yield* AccountStore
      const account = yield* makeAccount({ name: "Büro für Prüfung 🧾" })

      const found = yield* store.get(account.id)

      assert.deepStrictEqual(found, account)
    })

    it.test("knows no account that was not created", function* () {
      const store = yield* AccountStore
      const id = yield* newId(AccountId)

      const error = yield* store.get(id).pipe(Effect.flip)

      assert.strictEqual(error._tag, "AccountNotFound")
      assert.strictEqual(error.id, id)
    })

    it.test("changes what is named of an account, and nothing else", function* () {
      const store = yield* AccountStore
      const [account, other] = [yield* makeAccount({ maxLive: 7 }), yield* makeAccount()]
      const limits = { rateLimit: { perSecond: 3, burst: 9 }, retentionDays: 90 }

      const changed = yield* store.update({ id: account.id, change: limits })

      assert.deepStrictEqual(changed, { ...account, ...limits })
      assert.deepStrictEqual(yield* store.get(account.id), changed)
      assert.deepStrictEqual(yield* store.get(other.id), other)
      const renamed = yield* store.update({
        id: account.id,
        change: { name: "Bolt", rateLimit: null, retentionDays: null }
      })
      assert.deepStrictEqual(renamed, { ...account, name: "Bolt" })
    })

    it.test("changes no account that was not created", function* () {
      const store = yield* AccountStore
      const id = yield* newId(AccountId)

      const error = yield* Effect.flip(store.update({ id, change: { maxLive: 1 } }))

      assert.strictEqual(error._tag, "AccountNotFound")
    })

    it.test("lists accounts newest first, page by page, each once", function* () {
      const store = yield* AccountStore
      const created = yield* Effect.all(Array.from({ length: 8 }, () => makeAccount()))
      const ids = new Set(created.map(({ id }) => id))

      const listed = yield* walk({ list: (page) => store.list(page), idOf: ({ id }) => id, limit: 3 })

      assert.deepStrictEqual(
        listed.filter(({ id }) => ids.has(id)),
        created.toReversed()
      )
    })
  })
