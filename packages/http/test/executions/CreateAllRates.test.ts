import { assert, it } from "@effect/vitest"
import { batchMax } from "@runhook/contract/executions/BatchWire"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { defaultRateLimits, RateLimits } from "../../src/limits/RateLimits.ts"
import { service } from "../Service.ts"
import { makeTenant, type Tenant } from "../Tenant.ts"
import { answersOf, itemOf, sendItems } from "./Batch.ts"

const manyOf = (tenant: Tenant, count: number) => Arr.replicate(itemOf(tenant), count)

/** How many items of an answer have each status. */
const statusesIn = (data: ReadonlyArray<{ readonly status: number }>) => {
  const counts: Record<number, number> = {}
  for (const { status } of data) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const sendMany = (tenant: Tenant, count: number) =>
  Effect.flatMap(sendItems(tenant, manyOf(tenant, count)), answersOf)

it.layer(service)("the rate of items", (it) => {
  it.effect("takes a whole batch of an idle key, and gives each item of the next its place in line", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()

      const first = yield* sendMany(tenant, batchMax)
      const second = yield* sendMany(tenant, batchMax)

      assert.deepStrictEqual(statusesIn(first.data), { 201: batchMax })
      assert.deepStrictEqual(statusesIn(second.data), { 429: batchMax })
      assert.deepStrictEqual(
        second.data.map(({ error }) => [error?.code, error?.details]),
        second.data.map((_, place) => [
          "rate_limited",
          // 20 a second.
          { limit: batchMax, retry_after_seconds: Math.floor(place / 20) + 1 }
        ])
      )
      yield* TestClock.adjust("25 seconds")
      assert.deepStrictEqual(statusesIn((yield* sendMany(tenant, batchMax)).data), { 201: batchMax })
    })
  )

  it.effect("leaves the requests of the key as they were, and these leave the items", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()
      yield* Effect.replicateEffect(tenant.integration.key.me(), defaultRateLimits.integration?.burst ?? 0)
      yield* TestClock.adjust("50 millis")

      const { data } = yield* sendMany(tenant, batchMax)

      assert.deepStrictEqual(statusesIn(data), { 201: batchMax })
    })
  )

  it.effect("is that of the account where its keys together bring more", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()
      const { admin, params } = tenant
      const keys = yield* Effect.forEach(["b", "c", "d", "e"], (name) =>
        admin.keys.create({ params, payload: { name } })
      )

      const answers = yield* Effect.forEach([tenant.key, ...keys], (key) =>
        sendMany({ ...tenant, key }, batchMax)
      )

      assert.deepStrictEqual(
        answers.map(({ data }) => statusesIn(data)),
        [...Arr.replicate({ 201: batchMax }, 4), { 429: batchMax }]
      )
      assert.deepStrictEqual(answers[4]?.data.at(-1)?.error?.details, {
        reason: "account_rate",
        limit: 4 * batchMax,
        // 100 a second.
        retry_after_seconds: 5
      })
    })
  )
})

const few = Layer.succeed(RateLimits, { ...defaultRateLimits, integration: { perSecond: 1, burst: 4 } })

it.layer(service.pipe(Layer.provide(few)))("the rate of a key", (it) => {
  it.effect("counts a batch as one request, however many items it has", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()

      const answers = yield* Effect.replicateEffect(sendItems(tenant, manyOf(tenant, 6)), 5)

      assert.deepStrictEqual(
        answers.map(({ headers, status }) => [
          status,
          headers.get("ratelimit-remaining"),
          headers.get("retry-after")
        ]),
        [
          [200, "3", null],
          [200, "2", null],
          [200, "1", null],
          [200, "0", null],
          [429, "0", "1"]
        ]
      )
    })
  )
})
