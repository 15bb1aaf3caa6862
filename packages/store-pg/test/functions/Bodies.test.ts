/** PostgreSQL looks into the body of a function when it gets there: here it gets everywhere, on Citus as well. */
import { assert, describe, it } from "@effect/vitest"
import type { Execution } from "@runhook/core/executions/Execution"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import * as PgStore from "@runhook/store-pg/PgStore"
import { makeInlet } from "@runhook/store-testing/deliveries/queue/InletFixtures"
import { makeEndpoint } from "@runhook/store-testing/endpoints/EndpointFixtures"
import { callbackUrl, makeTenant, newExecution, plenty, second } from "@runhook/store-testing/Fixtures"
import { makeSession, makeWaitingPoll } from "@runhook/store-testing/runs/RunFixtures"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { brokenRules } from "../Invariants.ts"
import { layerMigrated } from "../TestDatabase.ts"

const stores = PgStore.layerStores.pipe(
  Layer.provide(Layer.succeed(StoreClock, "caller")),
  Layer.provideMerge(Layer.merge(layerMigrated, SecureRandom.layerWebCrypto))
)

interface Kind {
  readonly name: string
  readonly fields?: Partial<Execution>
  readonly hasKey?: boolean
  readonly hasInlet?: boolean
  readonly hasEndpoint?: boolean
  readonly isWaitedFor?: boolean
  readonly accountMaxLive?: number
  readonly keyMaxLive?: number
  readonly expected?: "refused"
}

const concurrency = { key: "red", limit: 1, policy: "queue" } as const

const kinds: ReadonlyArray<Kind> = [
  { name: "nothing but what is required" },
  { name: "a time", fields: { scheduledAt: second(99) } },
  { name: "a time that has come", fields: { scheduledAt: second(0) } },
  { name: "an end", fields: { expiresAt: second(99), timeoutSeconds: 9 } },
  { name: "a caller to wait for", fields: { status: "pending", callbackUrl } },
  { name: "a concurrency key", fields: { concurrency } },
  { name: "a concurrency key and a time", fields: { concurrency, scheduledAt: second(99) } },
  { name: "a concurrency key and a caller to wait for", fields: { concurrency, status: "pending" } },
  { name: "an idempotency key", hasKey: true },
  { name: "a callback", fields: { callbackUrl, callbackEvents: ["execution.queued"] } },
  {
    name: "a callback of other events",
    fields: { callbackUrl, callbackEvents: ["execution.queued", "execution.started"] }
  },
  { name: "a callback that begins at once", fields: { callbackUrl }, hasInlet: true },
  { name: "endpoints that listen", hasEndpoint: true },
  { name: "a poll that waits", isWaitedFor: true },
  {
    name: "all of it",
    fields: { callbackUrl, expiresAt: second(99) },
    hasKey: true,
    hasInlet: true,
    hasEndpoint: true,
    isWaitedFor: true
  },
  { name: "an account without room", accountMaxLive: 0, hasKey: true, expected: "refused" },
  { name: "an API key without room", keyMaxLive: 0, expected: "refused" }
]

/** Creates one of each of these kinds at once, and answers which were made. */
const createAll = Effect.fnUntraced(function* (chosen: ReadonlyArray<Kind>) {
  const store = yield* ExecutionStore
  const tenant = yield* makeTenant({ capacity: 50 })
  if (chosen.some(({ hasEndpoint }) => hasEndpoint)) yield* makeEndpoint(tenant.accountId)
  if (chosen.some(({ hasInlet }) => hasInlet)) yield* makeInlet(tenant, { places: chosen.length })
  if (chosen.some(({ isWaitedFor }) => isWaitedFor)) yield* makeWaitingPoll(yield* makeSession(tenant))
  return yield* Effect.forEach(
    chosen,
    Effect.fnUntraced(function* ({ accountMaxLive = plenty, fields, hasKey, keyMaxLive = plenty }) {
      const execution = yield* newExecution(tenant, fields)
      const idempotency =
        hasKey === true ? { key: execution.id, fingerprint: "same", expiresAt: second(1_000) } : null
      const created = yield* Effect.result(
        store.create({ execution, idempotency, accountMaxLive, keyMaxLive })
      )
      if (Result.isFailure(created)) return "refused"
      const stored = yield* store.get(tenant.accountId, execution.id)
      assert.deepStrictEqual(stored.callbackEvents, execution.callbackEvents)
      return "made"
    }),
    { concurrency: "unbounded" }
  )
}, Effect.scoped)

const expectedOf = (chosen: ReadonlyArray<Kind>) => chosen.map(({ expected = "made" }) => expected)

describe("The body of create_executions", () => {
  it.layer(stores)((it) => {
    it.effect.each(kinds)("takes one with $name", (kind) =>
      Effect.gen(function* () {
        const created = yield* createAll([kind])

        assert.deepStrictEqual(created, expectedOf([kind]))
      })
    )

    it.effect("takes two of each kind at once, whatever the others have", () =>
      Effect.gen(function* () {
        for (const kind of kinds) {
          const chosen = [kinds[0] ?? kind, kind, kind]
          assert.deepStrictEqual(yield* createAll(chosen), expectedOf(chosen), kind.name)
        }
      })
    )

    it.effect("takes all kinds at once", () =>
      Effect.gen(function* () {
        const fitting = kinds.filter(({ expected }) => expected === undefined)

        const created = yield* createAll(fitting)

        assert.deepStrictEqual(created, expectedOf(fitting))
        assert.deepStrictEqual(yield* brokenRules, [])
      })
    )
  })
})
