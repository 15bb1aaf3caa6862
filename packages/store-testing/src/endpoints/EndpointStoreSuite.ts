/** How every store keeps standing endpoints. */
import { assert } from "@effect/vitest"
import {
  endpointCreated,
  endpointRemoved,
  endpointRotated,
  endpointUpdated
} from "@runhook/core/audit/EndpointEvents"
import { EndpointStore } from "@runhook/core/endpoints/EndpointStore"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { by, entriesOf, jana } from "../audit/AuditFixtures.ts"
import { makeTenant, second, type Stores } from "../Fixtures.ts"
import { suiteOf } from "../SuiteOf.ts"
import { makeEndpoint, makeNewEndpoint } from "./EndpointFixtures.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("EndpointStore", { layer, name }, (it) => {
    it.test("shows an account all of its endpoints, and a key those that it has made", function* () {
      const store = yield* EndpointStore
      const [{ accountId, apiKeyId }, other] = [yield* makeTenant(), yield* makeTenant()]
      const own = yield* makeEndpoint(accountId, { apiKeyId, eventTypes: ["execution.failed"], taskIds: [] })
      const shared = yield* makeEndpoint(accountId, { kind: "poll", removeAfterSeconds: 90 })

      const listed = yield* store.list({ accountId, apiKeyId: null })
      const ofKey = yield* store.list({ accountId, apiKeyId })

      assert.deepStrictEqual(listed, [own, shared])
      assert.deepStrictEqual(ofKey, [own])
      assert.deepStrictEqual(yield* store.get({ accountId, apiKeyId, id: own.id }), own)
      const missing = yield* Effect.forEach(
        [
          { accountId, apiKeyId, id: shared.id },
          { accountId: other.accountId, apiKeyId: null, id: own.id },
          { accountId, apiKeyId: other.apiKeyId, id: own.id }
        ],
        (ref) => Effect.flip(store.get(ref))
      )
      assert.deepStrictEqual(new Set(missing.map(({ _tag }) => _tag)), new Set(["EndpointNotFound"]))
    })

    it.test("keeps no more endpoints than the limit, however many come at once", function* () {
      const store = yield* EndpointStore
      const { accountId } = yield* makeTenant()
      const endpoints = yield* Effect.forEach([1, 2, 3, 4, 5], () => makeNewEndpoint(accountId))

      const results = yield* Effect.forEach(
        endpoints,
        (endpoint) => Effect.result(store.create(endpoint, { limit: 3 })),
        { concurrency: "unbounded" }
      )

      assert.lengthOf(
        results.filter((result) => result._tag === "Success"),
        3
      )
      assert.lengthOf(yield* store.list({ accountId, apiKeyId: null }), 3)
      const [first] = yield* store.list({ accountId, apiKeyId: null })
      if (first !== undefined) yield* store.remove({ ...first, apiKeyId: null }, { at: second(1) })
      yield* store.create(yield* makeNewEndpoint(accountId), { limit: 3 })
    })

    it.test("changes, rotates and removes an endpoint, and records each", function* () {
      const store = yield* EndpointStore
      const { accountId } = yield* makeTenant()
      const endpoint = yield* makeNewEndpoint(accountId)
      const ref = { accountId, apiKeyId: null, id: endpoint.id }
      yield* store.create(endpoint, { limit: 1, audit: by(jana, endpointCreated) })

      const paused = yield* store.update(ref, {
        change: { isEnabled: false, description: "The shop" },
        at: second(1),
        audit: by(jana, endpointUpdated)
      })
      const rotated = yield* store.rotate(ref, {
        ciphertext: "sealed anew",
        previousExpiresAt: second(90),
        at: second(2),
        audit: by(jana, endpointRotated)
      })
      assert.deepStrictEqual(yield* store.get(ref), rotated)
      yield* store.remove(ref, { at: second(3), audit: by(jana, endpointRemoved) })

      assert.deepStrictEqual(paused, {
        ...endpoint,
        isEnabled: false,
        description: "The shop",
        updatedAt: second(1)
      })
      assert.deepStrictEqual(rotated, {
        ...paused,
        ciphertext: "sealed anew",
        previousCiphertext: "sealed",
        previousExpiresAt: second(90),
        updatedAt: second(2)
      })
      assert.strictEqual((yield* Effect.flip(store.get(ref)))._tag, "EndpointNotFound")
      const entries = yield* entriesOf(accountId)
      assert.deepStrictEqual(entries.map(({ action }) => action).toSorted(), [
        "endpoint.created",
        "endpoint.removed",
        "endpoint.rotated",
        "endpoint.updated"
      ])
      assert.notInclude(JSON.stringify(entries), "token=secret")
    })
  })
