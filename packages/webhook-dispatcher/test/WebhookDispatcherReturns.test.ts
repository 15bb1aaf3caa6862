import { assert, describe } from "@effect/vitest"
import { DispatcherId, newId } from "@runhook/core/shared/Ids"
import { ApiKeyStore } from "@runhook/core/keys/ApiKeyStore"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { type Heard, Signals } from "@runhook/core/signals/Signals"
import { start } from "@runhook/test-support/receivers/Receiver"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import { beatEvery, silentBeatsMax } from "../src/DispatcherHeartbeats.ts"
import { optionsDefault, type DispatcherOptions } from "../src/DispatcherOptions.ts"
import { Sender } from "../src/Sender.ts"
import { hanging } from "./Answers.ts"
import { answered, passing, scripted } from "./faults/Scripted.ts"
import { current, makeDelivery, makeDispatcher, makeKey, StoreProbe, test } from "./World.ts"

/** A dispatcher whose receivers answer at once; tells the attempt of each request. */
const makeSendingDispatcher = Effect.fnUntraced(function* (options?: Partial<DispatcherOptions>) {
  const { requests, sender } = scripted(() => Effect.succeed(answered(200)))
  yield* makeDispatcher(options).pipe(Effect.provideService(Sender, sender))
  return () => requests.map(({ headers }) => headers["X-Webhook-Attempt"])
})

/** What a dispatcher has claimed that nobody will hear of again, but for the signs of life that are given for it. */
const makeForeignClaim = Effect.fnUntraced(function* () {
  const store = yield* DeliveryStore
  const dispatcher = yield* newId(DispatcherId)
  yield* store.beat(dispatcher)
  const at = yield* DateTime.now
  const { deliveries } = yield* store.claimDue({
    dispatcher,
    room: roomFor(10),
    lease: optionsDefault.lease,
    at
  })
  assert.lengthOf(deliveries, 1)
  return dispatcher
})

/** Seconds until a dispatcher that is silent counts as ended, and one for the beat that first heard of it. */
const untilEnded = Duration.toSeconds(beatEvery) * (silentBeatsMax + 1)

describe("WebhookDispatcher: what comes back", () => {
  test("sends at once what it claimed without hearing of it, as its first attempt", function* () {
    const { record } = yield* makeKey()
    const probe = yield* StoreProbe
    probe.losesClaims = true
    yield* makeDelivery(record, "https://receiver.example/hook")
    const attempts = yield* makeSendingDispatcher()
    yield* passing(1)

    probe.losesClaims = false
    yield* passing(2)

    assert.deepStrictEqual(attempts(), ["1"])
  })

  test("sends what a claim took that came through long after it had failed", function* () {
    const { record } = yield* makeKey()
    const probe = yield* StoreProbe
    const store = yield* DeliveryStore
    const asked: Array<Parameters<typeof store.claimDue>[0]> = []
    const watched = DeliveryStore.of({
      ...store,
      claimDue: (options) =>
        Effect.andThen(
          Effect.sync(() => asked.push(options)),
          store.claimDue(options)
        )
    })
    probe.losesClaims = true
    const attempts = yield* makeSendingDispatcher().pipe(Effect.provideService(DeliveryStore, watched))
    yield* passing(1)
    probe.losesClaims = false
    yield* passing(20)
    const [failed] = asked
    if (failed === undefined) return yield* Effect.die("Nothing was claimed")

    yield* makeDelivery(record, "https://receiver.example/hook")
    const { deliveries } = yield* store.claimDue({ ...failed, at: yield* DateTime.now })
    yield* passing(3)

    assert.deepStrictEqual([deliveries.length, attempts()], [1, ["1"]])
  })

  test("sends nothing twice that was under way when a claim failed", function* () {
    const { record } = yield* makeKey()
    const probe = yield* StoreProbe
    const { received, url } = yield* start(hanging)
    yield* makeDispatcher()
    yield* makeDelivery(record, url)
    yield* Queue.take(received)

    probe.losesClaims = true
    yield* passing(2)
    probe.losesClaims = false
    yield* passing(8)

    assert.strictEqual(yield* Queue.size(received), 0)
  })

  test("does not take for unsent whose result the store refused", function* () {
    const { record } = yield* makeKey()
    const probe = yield* StoreProbe
    const store = yield* DeliveryStore
    const choosy = DeliveryStore.of({ ...store, settle: () => Effect.die(new Error("a bad byte")) })
    const attempts = yield* makeSendingDispatcher().pipe(Effect.provideService(DeliveryStore, choosy))
    probe.losesClaims = true
    yield* passing(2)
    probe.losesClaims = false
    yield* makeDelivery(record, "https://receiver.example/hook")

    yield* passing(30)
    const meanwhile = attempts()
    yield* passing(20)

    assert.deepStrictEqual([meanwhile, attempts()], [["1"], ["1", "2"]])
  })

  test("leaves what it breaks off to others, due at once and with its attempt", function* () {
    const { record } = yield* makeKey()
    const { received, url } = yield* start(hanging)
    const scope = yield* Scope.make()
    yield* Scope.provide(makeDispatcher({ stopGrace: Duration.zero }), scope)
    const delivery = yield* makeDelivery(record, url)
    yield* Queue.take(received)

    yield* Scope.close(scope, Exit.void)

    const attempts = yield* makeSendingDispatcher()
    yield* passing(1)
    assert.deepStrictEqual(attempts(), ["2"])
    assert.strictEqual((yield* current(delivery)).delivery.state, "delivered")
  })

  test("is not taken for ended while it waits for what is under way", function* () {
    const { record } = yield* makeKey()
    const { requests, sender } = scripted(() => Effect.never)
    const scope = yield* Scope.make()
    yield* Scope.provide(makeDispatcher({ stopGrace: Duration.seconds(untilEnded + 5) }), scope).pipe(
      Effect.provideService(Sender, sender)
    )
    const attempts = yield* makeSendingDispatcher()
    yield* makeDelivery(record, "https://receiver.example/hook")
    yield* passing(2)

    const stopping = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
    yield* passing(untilEnded + 2)
    const meanwhile = attempts()
    yield* passing(5)
    yield* Fiber.join(stopping)

    assert.deepStrictEqual([requests.length, meanwhile, attempts()], [1, [], ["2"]])
  })

  test("leaves what it has not begun to send to others without the attempt", function* () {
    const { record } = yield* makeKey()
    const keys = yield* ApiKeyStore
    const scope = yield* Scope.make()
    const silent = ApiKeyStore.of({ ...keys, signingSecrets: () => Effect.never })
    yield* Scope.provide(makeDispatcher({ stopGrace: Duration.zero }), scope).pipe(
      Effect.provideService(ApiKeyStore, silent)
    )
    const delivery = yield* makeDelivery(record, "https://receiver.example/hook")
    yield* passing(1)
    const claimed = (yield* current(delivery)).delivery

    yield* Scope.close(scope, Exit.void)

    assert.deepStrictEqual(
      [claimed.attempts, (yield* current(delivery)).delivery],
      [1, { ...claimed, attempts: 0, attemptedAt: null, nextAttemptAt: yield* DateTime.now }]
    )
  })

  test("stops all the same when the store does not take back what it leaves", function* () {
    const { record } = yield* makeKey()
    const store = yield* DeliveryStore
    const { received, url } = yield* start(hanging)
    const scope = yield* Scope.make()
    const silent = DeliveryStore.of({ ...store, giveBack: () => Effect.never })
    yield* Scope.provide(makeDispatcher({ stopGrace: Duration.zero }), scope).pipe(
      Effect.provideService(DeliveryStore, silent)
    )
    yield* makeDelivery(record, url)
    yield* Queue.take(received)

    const stopping = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
    yield* passing(1)

    assert.isTrue(Exit.isSuccess(yield* Fiber.await(stopping)))
  })

  test("sends at once what another had claimed when it is alone in the store, however long that is away", function* () {
    const { record } = yield* makeKey()
    const probe = yield* StoreProbe
    yield* makeDelivery(record, "https://receiver.example/hook")
    yield* makeForeignClaim()
    probe.isAway = true
    const attempts = yield* makeSendingDispatcher({ isAlone: true })
    yield* passing(10)

    probe.isAway = false
    yield* passing(3)

    assert.deepStrictEqual(attempts(), ["2"])
  })

  test("sends what another had claimed once that one has ended without a word", function* () {
    const { record } = yield* makeKey()
    yield* makeDelivery(record, "https://receiver.example/hook")
    yield* makeForeignClaim()
    const attempts = yield* makeSendingDispatcher()
    yield* passing(untilEnded - 4)
    const early = attempts()

    yield* passing(4)

    assert.deepStrictEqual([early, attempts()], [[], ["2"]])
  })

  test("says of one that ended without a word that its last changes may be lost", function* () {
    const { record } = yield* makeKey()
    yield* (yield* DeliveryStore).beat(yield* newId(DispatcherId))
    const heard = yield* Queue.unbounded<Heard>()
    yield* (yield* Signals).watch(record.accountId, (each) => void Queue.offerUnsafe(heard, each))
    yield* makeSendingDispatcher()
    yield* passing(untilEnded - 4)
    const early = yield* Queue.clear(heard)

    yield* passing(4)

    assert.deepStrictEqual([early, yield* Queue.clear(heard)], [[], ["changes_lost"]])
  })

  test("leaves what another has claimed that gives signs of life", function* () {
    const { record } = yield* makeKey()
    const store = yield* DeliveryStore
    yield* makeDelivery(record, "https://receiver.example/hook")
    const another = yield* makeForeignClaim()
    const attempts = yield* makeSendingDispatcher()

    for (let round = 0; round < 5; round++) {
      yield* passing(8)
      yield* store.beat(another)
    }

    assert.deepStrictEqual(attempts(), [])
  })

  test("takes nobody for ended because the store was away", function* () {
    const { record } = yield* makeKey()
    const probe = yield* StoreProbe
    yield* makeDelivery(record, "https://receiver.example/hook")
    yield* makeForeignClaim()
    const attempts = yield* makeSendingDispatcher()
    yield* passing(4)
    probe.isAway = true
    yield* passing(30)

    probe.isAway = false
    yield* passing(4)

    assert.deepStrictEqual(attempts(), [])
  })
})
