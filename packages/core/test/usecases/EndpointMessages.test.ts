import { assert, describe, it } from "@effect/vitest"
import { endpointsMax } from "@runhook/core/domain/endpoint/WebhookEndpoint"
import { EndpointStore } from "@runhook/core/ports/EndpointStore"
import { Accounts } from "@runhook/core/usecases/Accounts"
import { EndpointMessages } from "@runhook/core/usecases/EndpointMessages"
import { WebhookEndpoints } from "@runhook/core/usecases/WebhookEndpoints"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Record from "effect/Record"
import { TestClock } from "effect/testing"
import { adapters, stores, useCases } from "./Engine.ts"

/** What was asked of the store of endpoints, one word each. */
const asked: Array<string> = []

const counting = Layer.effect(
  EndpointStore,
  Effect.map(EndpointStore, (store) =>
    EndpointStore.of(
      Record.map({ ...store }, (verb, name) => (...given: ReadonlyArray<never>) => {
        asked.push(name)
        return Reflect.apply(verb, store, given)
      }) as EndpointStore["Service"]
    )
  )
).pipe(Layer.provideMerge(stores))

const engine = useCases.pipe(Layer.provideMerge(adapters), Layer.provideMerge(counting))

const polled = {
  apiKeyId: null,
  kind: "poll",
  url: null,
  description: "",
  eventTypes: null,
  taskIds: null,
  agentIds: null,
  isEnabled: true,
  removeAfterSeconds: null
} as const

const waitMs = 60_000

/** Each with as many endpoints as it may have. */
const accountsMade = 10

describe("Many polls that wait for messages", () => {
  it.effect("ask the store together, and each is woken by its own message", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const messages = yield* EndpointMessages
      const made = yield* Effect.forEach(Array.from({ length: accountsMade }), () =>
        Effect.flatMap(
          Accounts.use((accounts) => accounts.create("Acme")),
          ({ id: accountId }) =>
            Effect.replicateEffect(endpoints.create({ ...polled, accountId }), endpointsMax)
        )
      )
      const refs = made.flat().map(({ endpoint }) => ({ ...endpoint, apiKeyId: null }))
      const waiting = yield* Effect.forEach(refs, (ref) =>
        Effect.forkChild(messages.fetch({ ref, limit: 5, wait: Duration.millis(waitMs), key: null }), {
          startImmediately: true
        })
      )
      asked.length = 0

      yield* TestClock.adjust(waitMs / 2)
      const whileParked = [...asked]
      const [ref] = refs
      assert(ref !== undefined && waiting[0] !== undefined)
      yield* endpoints.test(ref, "req_test")
      const woken = yield* Fiber.join(waiting[0])
      yield* TestClock.adjust(waitMs)
      const rest = yield* Effect.forEach(waiting.slice(1), Fiber.join)

      assert.deepStrictEqual(new Set(whileParked), new Set(["due"]))
      assert.isAtMost(whileParked.length / (waitMs / 2_000), 1)
      assert.lengthOf(woken, 1)
      assert.deepStrictEqual(rest.flat(), [])
    }).pipe(Effect.provide(engine))
  )

  it.effect("are woken by the look for all of them where a signal was lost", () =>
    Effect.gen(function* () {
      const { id: accountId } = yield* Accounts.use((accounts) => accounts.create("Acme"))
      const endpoints = yield* WebhookEndpoints
      const messages = yield* EndpointMessages
      const { endpoint } = yield* endpoints.create({ ...polled, accountId })
      const ref = { ...endpoint, apiKeyId: null }
      yield* endpoints.test(ref, "req_test")
      const fetch = (wait: number) =>
        messages.fetch({ ref, limit: 5, wait: Duration.seconds(wait), key: null })
      const [first] = yield* fetch(0)
      const waiting = yield* Effect.forkChild(fetch(60), { startImmediately: true })

      // Its lease ends, of which nobody is told.
      yield* TestClock.adjust("60 seconds")

      const [again] = yield* Fiber.join(waiting)
      assert.deepStrictEqual([first?.delivery.attempts, again?.delivery.attempts], [1, 2])
      assert.strictEqual(again?.request.body, first?.request.body)
      assert.strictEqual(yield* messages.acknowledge(ref, again === undefined ? [] : [again.delivery.id]), 1)
    }).pipe(Effect.provide(engine))
  )
})
