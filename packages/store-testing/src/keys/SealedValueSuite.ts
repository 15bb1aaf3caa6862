/** What every store does with what it keeps sealed. It sees all accounts. */
import { assert } from "@effect/vitest"
import { PepperStore } from "@runhook/core/keys/sealing/PepperStore"
import { AlertStore } from "@runhook/core/alerts/AlertStore"
import { ApiKeyStore } from "@runhook/core/keys/ApiKeyStore"
import { EndpointStore } from "@runhook/core/endpoints/EndpointStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { type SealedKind, type SealedValue, SealedValues } from "@runhook/core/keys/sealing/SealedValues"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Record from "effect/Record"
import { makeTarget } from "../alerts/AlertFixtures.ts"
import { newApiKey, newSigningSecret } from "../catalog/CatalogFixtures.ts"
import { makeEndpoint } from "../endpoints/EndpointFixtures.ts"
import { makeExecution, makeTenant, second, type Stores, type Tenant } from "../Fixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

/** Something with a value of a kind that is sealed so; `read` reads the whole of it. */
type Make = (
  tenant: Tenant,
  sealed: string
) => Effect.Effect<
  { readonly id: string; readonly read: Effect.Effect<unknown, unknown, Stores> },
  unknown,
  Stores
>

const kinds: { readonly [Kind in Exclude<SealedKind, "pepper">]: Make } = {
  signingSecret: Effect.fnUntraced(function* ({ accountId }, ciphertext) {
    const store = yield* ApiKeyStore
    const key = yield* newApiKey(accountId)
    const secret = yield* newSigningSecret(key.id, { ciphertext })
    yield* store.create(key, secret)
    return { id: secret.id, read: store.signingSecrets({ accountId, id: key.id, at: key.createdAt }) }
  }),
  alertTarget: Effect.fnUntraced(function* ({ accountId }, ciphertext) {
    const store = yield* AlertStore
    const { id } = yield* makeTarget({ accountId, ciphertext })
    return { id, read: store.getTarget({ owner: accountId, id }) }
  }),
  endpoint: Effect.fnUntraced(function* ({ accountId }, ciphertext) {
    const store = yield* EndpointStore
    const { id } = yield* makeEndpoint(accountId, { ciphertext })
    return { id, read: store.get({ accountId, apiKeyId: null, id }) }
  }),
  previousOfEndpoint: Effect.fnUntraced(function* ({ accountId }, previousCiphertext) {
    const store = yield* EndpointStore
    const { id } = yield* makeEndpoint(accountId, { previousCiphertext, previousExpiresAt: second(9) })
    return { id, read: store.get({ accountId, apiKeyId: null, id }) }
  }),
  params: Effect.fnUntraced(function* (tenant, sealedParams) {
    const store = yield* ExecutionStore
    const { accountId, id } = yield* makeExecution(tenant, { sealedParams })
    return { id, read: store.get(accountId, id) }
  })
}

const all = Record.toEntries(kinds).map(([kind, make]) => ({ kind, make }))

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("SealedValues", { layer, name }, (it) => {
    it.effect.each(all)(
      "finds those that are sealed otherwise, of all accounts, page by page: $kind",
      ({ kind, make }) =>
        Effect.gen(function* () {
          const store = yield* SealedValues
          const [tenant, other] = [yield* makeTenant(), yield* makeTenant()]
          const [first, next] = [yield* make(tenant, "otherwise.1"), yield* make(other, "otherwise.2")]
          const newest = yield* make(tenant, "newest.3")
          const last = yield* make(tenant, "otherwise.4")
          const find = (after: string | null, limit: number) =>
            store.sealedOtherwise({ kind, prefix: "newest.", after, limit })

          const found = yield* find(null, 100_000)
          const rest = yield* find(first.id, 100_000)
          const one = yield* find(first.id, 1)

          const own = new Set([first, next, newest, last].map(({ id }) => id))
          const named = found.filter(({ id }) => own.has(id))
          assert.deepStrictEqual(
            named.map(({ id, sealed }) => [id, sealed]),
            [
              [first.id, "otherwise.1"],
              [next.id, "otherwise.2"],
              [last.id, "otherwise.4"]
            ]
          )
          assert.deepStrictEqual(rest, found.slice(found.findIndex(({ id }) => id === first.id) + 1))
          assert.deepStrictEqual(one, rest.slice(0, 1))
        })
    )

    it.effect.each(all)(
      "changes a seal once, for the first caller, and nothing else: $kind",
      ({ kind, make }) =>
        Effect.gen(function* () {
          const store = yield* SealedValues
          const { id, read } = yield* make(yield* makeTenant(), "sealed before")
          const before = JSON.stringify(yield* read)
          const found = yield* store.sealedOtherwise({ kind, prefix: "anew", after: null, limit: 100_000 })
          const values = found.filter((each) => each.id === id)

          yield* Effect.forEach(values, (value) => store.reseal(value, "anew"))
          yield* Effect.forEach(values, (value) => store.reseal(value, "too late"))

          assert.lengthOf(values, 1)
          assert.strictEqual(JSON.stringify(yield* read), before.replace("sealed before", "anew"))
        })
    )

    it.test("changes the seal of the pepper once, for the first caller", function* () {
      const store = yield* SealedValues
      const pepper = yield* PepperStore
      const sealed = yield* pepper.findOrKeep("pepper")
      const value: SealedValue = { kind: "pepper", accountId: null, id: "pepper", sealed }
      yield* store.reseal(value, "sealed anew")

      yield* store.reseal(value, "sealed by another process")

      assert.strictEqual(yield* pepper.find, "sealed anew")
    })
  })
