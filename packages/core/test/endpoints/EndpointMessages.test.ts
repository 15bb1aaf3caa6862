import { assert, describe, it } from "@effect/vitest"
import { endpointsMax } from "@runhook/core/endpoints/WebhookEndpoint"
import { newDelivery } from "@runhook/core/deliveries/Delivery"
import { type AccountId, EventId, newId } from "@runhook/core/shared/Ids"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { type EndpointRef, EndpointStore } from "@runhook/core/endpoints/EndpointStore"
import { isStoreUnavailable } from "@runhook/core/engine/StoreUnavailable"
import { Accounts } from "@runhook/core/accounts/Accounts"
import { EndpointMessages, fetchesMax } from "@runhook/core/endpoints/EndpointMessages"
import { WebhookEndpoints } from "@runhook/core/endpoints/WebhookEndpoints"
import { engineOver, stores } from "@runhook/test-support/engine/Engine"
import { newEndpoint } from "@runhook/test-support/engine/Tenant"
import { makeExecution, makeTenant, second } from "@runhook/store-testing/Fixtures"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Record from "effect/Record"
import { TestClock } from "effect/testing"

/** What was asked of the store of endpoints, one word each. */
const asked: Array<string> = []

/** Fetches at the store, which answers none while it is closed. */
const fetching = { gate: Latch.makeUnsafe(true), now: 0, most: 0 }

const watching = Layer.effect(
  EndpointStore,
  Effect.map(EndpointStore, (store) =>
    EndpointStore.of({
      ...Record.map({ ...store }, (verb, name) => (...given: ReadonlyArray<never>) => {
        asked.push(name)
        return Reflect.apply(verb, store, given)
      }),
      fetch: (...given) =>
        Effect.acquireUseRelease(
          Effect.sync(() => {
            asked.push("fetch")
            fetching.now++
            fetching.most = Math.max(fetching.most, fetching.now)
          }),
          () => Effect.andThen(fetching.gate.await, store.fetch(...given)),
          () => Effect.sync(() => fetching.now--)
        )
    } as EndpointStore["Service"])
  )
).pipe(Layer.provideMerge(stores))

const engine = engineOver(watching)

const polled = { kind: "poll", url: null } as const

const waitMs = 60_000

/** A wait for messages, or a look if it is none. */
const fetch = (ref: EndpointRef, waitSeconds: number) =>
  EndpointMessages.use((messages) =>
    messages.fetch({ ref, limit: 5, wait: Duration.seconds(waitSeconds), key: null })
  )

const begin = <A, E, R>(wait: Effect.Effect<A, E, R>) => Effect.forkChild(wait, { startImmediately: true })

const makePolled = (accountId: AccountId) =>
  WebhookEndpoints.use((endpoints) =>
    Effect.map(endpoints.create(newEndpoint({ accountId }, polled)), ({ endpoint }): EndpointRef => ({
      ...endpoint,
      apiKeyId: null
    }))
  )

/** Poll endpoints, each account with as many as it may have. */
const someEndpoints = Effect.fnUntraced(function* (accountsMade: number) {
  const endpoints = yield* WebhookEndpoints
  const made = yield* Effect.forEach(Array.from({ length: accountsMade }), () =>
    Effect.flatMap(
      Accounts.use((accounts) => accounts.create("Acme")),
      ({ id: accountId }) =>
        Effect.replicateEffect(endpoints.create(newEndpoint({ accountId }, polled)), endpointsMax)
    )
  )
  return made.map((ofAccount) =>
    ofAccount.map(({ endpoint }): EndpointRef => ({ ...endpoint, apiKeyId: null }))
  )
})

/** A message that another process has stored, of which this one is told nothing. */
const storedUntold = Effect.fnUntraced(function* ({ accountId, id: endpointId }: EndpointRef) {
  const store = yield* EndpointStore
  const { url } = yield* store.get({ accountId, apiKeyId: null, id: endpointId })
  const at = yield* DateTime.now
  const id = yield* newId(EventId)
  yield* DeliveryStore.use((deliveries) =>
    deliveries.enqueue(
      newDelivery(
        {
          id,
          accountId,
          apiKeyId: null,
          endpointId,
          executionId: null,
          revision: null,
          type: "webhook.test",
          url,
          requestId: "req_test",
          reference: null,
          body: "{}"
        },
        at
      )
    )
  )
  return id
})

describe("A fetch that does not wait", () => {
  it.effect("finds what was answered before it, of which endpoints are yet to be told", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(second(9).epochMilliseconds)
      const tenant = yield* makeTenant()
      const other = yield* makeTenant()
      const ref = yield* makePolled(tenant.accountId)
      yield* makePolled(other.accountId)
      const executions = [yield* makeExecution(tenant), yield* makeExecution(tenant)]
      yield* makeExecution(other)

      const found = yield* fetch(ref, 0)

      assert.deepStrictEqual(
        found.map(({ delivery }) => delivery.executionId),
        executions.map(({ id }) => id)
      )
      const left = yield* EndpointStore.use((store) => store.fanOut({ limit: 10, at: second(9) }))
      assert.deepStrictEqual(
        left.events.map(({ accountId }) => accountId),
        [other.accountId]
      )
    }).pipe(Effect.provide(engineOver(stores)))
  )
})

describe("Many polls that wait for messages", () => {
  it.effect("ask the store together, and each is woken by its own message", () =>
    Effect.gen(function* () {
      const refs = (yield* someEndpoints(10)).flat()
      const waiting = yield* Effect.forEach(refs, (each) => begin(fetch(each, waitMs / 1_000)))
      asked.length = 0

      yield* TestClock.adjust(waitMs / 2)
      const whileParked = [...asked]
      const [ref] = refs
      assert(ref !== undefined && waiting[0] !== undefined)
      yield* WebhookEndpoints.use((endpoints) => endpoints.test(ref, "req_test"))
      const woken = yield* Fiber.join(waiting[0])
      yield* TestClock.adjust(waitMs)
      const rest = yield* Effect.forEach(waiting.slice(1), Fiber.join)

      assert.deepStrictEqual(new Set(whileParked), new Set(["changed"]))
      assert.isAtMost(whileParked.length / (waitMs / 2_000), 1)
      assert.lengthOf(woken, 1)
      assert.deepStrictEqual(rest.flat(), [])
    }).pipe(Effect.provide(engine))
  )

  it.effect("ask nothing by themselves when they begin again and nothing has come", () =>
    Effect.gen(function* () {
      const [refs = []] = yield* someEndpoints(1)
      const all = Effect.forEach(refs, (ref) => fetch(ref, 30), { concurrency: "unbounded" })
      const first = yield* begin(all)
      yield* TestClock.adjust("30 seconds")
      yield* Fiber.join(first)
      asked.length = 0

      const again = yield* begin(all)
      yield* TestClock.adjust("30 seconds")
      const found = yield* Fiber.join(again)
      const words = [...asked]
      const [ref] = refs
      assert(ref !== undefined)
      yield* storedUntold(ref)
      const [late] = yield* Fiber.join(yield* begin(fetch(ref, 0)))

      assert.deepStrictEqual(found.flat(), [])
      assert.deepStrictEqual(new Set(words), new Set(["changed"]))
      assert.isDefined(late)
    }).pipe(Effect.provide(engine))
  )

  it.effect("end within a second when another process stored a message or removed the endpoint, untold", () =>
    Effect.gen(function* () {
      const [[one, other] = []] = yield* someEndpoints(1)
      assert(one !== undefined && other !== undefined)
      const told = yield* begin(fetch(one, 60))
      const refused = yield* begin(Effect.flip(fetch(other, 60)))
      yield* TestClock.adjust("10 seconds")

      const id = yield* storedUntold(one)
      yield* EndpointStore.use((store) => Effect.flatMap(DateTime.now, (at) => store.remove(other, { at })))
      yield* TestClock.adjust("1 second")

      assert.isTrue([told, refused].every((wait) => wait.pollUnsafe() !== undefined))
      assert.deepStrictEqual(
        (yield* Fiber.join(told)).map(({ delivery }) => delivery.id),
        [id]
      )
      assert.deepInclude(yield* Fiber.join(refused), { _tag: "EndpointNotFound", id: other.id })
    }).pipe(Effect.provide(engine))
  )

  it.effect("ask the store a few at a time when all begin at once, and accounts take turns", () =>
    Effect.gen(function* () {
      const [many = [], [single] = []] = yield* someEndpoints(2)
      assert(single !== undefined)
      asked.length = 0
      fetching.most = 0
      fetching.gate.closeUnsafe()
      const waiting = yield* Effect.forEach(many, (ref) => begin(Effect.exit(fetch(ref, 30))))
      const alone = yield* begin(fetch(single, 30))
      yield* TestClock.adjust("20 seconds")
      const before = fetching.now
      yield* storedUntold(single)
      yield* fetching.gate.open
      const [first] = yield* Fiber.join(alone)
      yield* TestClock.adjust("30 seconds")
      const ends = yield* Effect.forEach(waiting, Fiber.join)

      assert.strictEqual(before, fetchesMax)
      assert.strictEqual(fetching.most, fetchesMax)
      assert.isDefined(first)
      assert.deepStrictEqual(
        ends.map((end) => Exit.isSuccess(end) && end.value),
        many.map(() => [])
      )
    }).pipe(Effect.provide(engine))
  )

  it.effect("are told that the store has no time, when their turn does not come as long as they wait", () =>
    Effect.gen(function* () {
      const [refs = []] = yield* someEndpoints(1)
      fetching.gate.closeUnsafe()
      const held = yield* Effect.forEach(refs.slice(0, fetchesMax), (ref) =>
        begin(Effect.exit(fetch(ref, 60)))
      )
      const [late] = refs.slice(fetchesMax)
      assert(late !== undefined)
      const waiting = yield* begin(Effect.exit(fetch(late, 30)))

      yield* TestClock.adjust("30 seconds")

      const atItsEnd = waiting.pollUnsafe()
      yield* fetching.gate.open
      const end = yield* Fiber.join(waiting)
      yield* Effect.forEach(held, Fiber.interrupt)
      assert.isDefined(atItsEnd)
      assert.isTrue(Exit.isFailure(end) && isStoreUnavailable(Cause.squash(end.cause)))
    }).pipe(Effect.provide(engine))
  )

  it.effect("are woken by the look for all of them where a signal was lost", () =>
    Effect.gen(function* () {
      const { id: accountId } = yield* Accounts.use((accounts) => accounts.create("Acme"))
      const endpoints = yield* WebhookEndpoints
      const messages = yield* EndpointMessages
      const { endpoint } = yield* endpoints.create(newEndpoint({ accountId }, polled))
      const ref = { ...endpoint, apiKeyId: null }
      yield* endpoints.test(ref, "req_test")
      const [first] = yield* fetch(ref, 0)
      const waiting = yield* begin(fetch(ref, 60))

      // Its lease ends, of which nobody is told.
      yield* TestClock.adjust("60 seconds")

      const [again] = yield* Fiber.join(waiting)
      assert.deepStrictEqual([first?.delivery.attempts, again?.delivery.attempts], [1, 2])
      assert.strictEqual(again?.request.body, first?.request.body)
      assert.strictEqual(yield* messages.acknowledge(ref, again === undefined ? [] : [again.delivery.id]), 1)
    }).pipe(Effect.provide(engine))
  )
})
