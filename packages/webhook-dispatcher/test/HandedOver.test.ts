/** Deliveries that the process of a dispatcher causes itself. */
import { assert, describe } from "@effect/vitest"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { DispatcherOptions } from "../src/DispatcherOptions.ts"
import { Sender } from "../src/Sender.ts"
import { makeExecution, stop } from "./Executions.ts"
import { answered, passing, scripted } from "./faults/Scripted.ts"
import { makeDispatcher, makeKey, nextSettled, StoreProbe, test } from "./World.ts"

const url = "https://receiver.example/hook"

/** A dispatcher, with what its receivers were sent and how often it has looked for something to send. */
const makeWatchedDispatcher = Effect.fnUntraced(function* (
  script: Parameters<typeof scripted>[0] = () => Effect.succeed(answered(200)),
  options: Partial<DispatcherOptions> = {}
) {
  const store = yield* DeliveryStore
  let looks = 0
  const watched = DeliveryStore.of({
    ...store,
    claimDue: (claim) =>
      Effect.suspend(() => {
        looks += 1
        return store.claimDue(claim)
      })
  })
  const { requests, sender } = scripted(script)
  yield* makeDispatcher(options).pipe(
    Effect.provideService(DeliveryStore, watched),
    Effect.provideService(Sender, sender)
  )
  yield* passing(1)
  return {
    looks: () => looks,
    /** Events and the numbers of their attempts, as they were sent. */
    sent: () =>
      requests.map(({ body, headers }) => {
        const [, type = ""] = /"type":"execution\.([a-z]+)"/.exec(body) ?? []
        return `${type} ${headers["X-Webhook-Attempt"]}`
      })
  }
})

describe("What a process causes itself", () => {
  test("is sent and settled without a look", function* () {
    const { record } = yield* makeKey()
    const { looks, sent } = yield* makeWatchedDispatcher()
    const before = looks()

    const executions = yield* Effect.replicateEffect(makeExecution(record, url), 3)
    const settlements = yield* Effect.forEach(executions, (execution) =>
      Effect.tap(nextSettled, stop(execution))
    )
    yield* Effect.replicateEffect(nextSettled, 3)

    assert.deepStrictEqual(sent().toSorted(), [...Array(3).fill("aborted 1"), ...Array(3).fill("queued 1")])
    assert.deepStrictEqual([settlements.length, looks() - before], [3, 0])
  })

  test("is sent in its order, each event once", function* () {
    const { record } = yield* makeKey()
    const isAnswering = yield* Deferred.make<void>()
    const { sent } = yield* makeWatchedDispatcher(() => Effect.as(Deferred.await(isAnswering), answered(200)))
    const execution = yield* makeExecution(record, url)
    yield* stop(execution)
    yield* passing(1)
    const early = sent()

    yield* Deferred.succeed(isAnswering, undefined)
    yield* passing(1)

    assert.deepStrictEqual([early, sent()], [["queued 1"], ["queued 1", "aborted 1"]])
  })

  test("is tried again when the receiver fails", function* () {
    const { record } = yield* makeKey()
    let times = 0
    const { sent } = yield* makeWatchedDispatcher(() =>
      Effect.sync(() => answered(times++ === 0 ? 500 : 200))
    )

    yield* makeExecution(record, url)
    yield* passing(10)

    assert.deepStrictEqual(sent(), ["queued 1", "queued 2"])
  })

  test("waits for what the dispatcher has to wait for itself", function* () {
    const { record } = yield* makeKey()
    const begins = yield* Deferred.make<void>()
    const { sent } = yield* makeWatchedDispatcher(undefined, { startsAfter: Deferred.await(begins) })
    yield* makeExecution(record, url)
    yield* passing(3)
    const early = sent()

    yield* Deferred.succeed(begins, undefined)
    yield* passing(3)

    assert.deepStrictEqual([early, sent()], [[], ["queued 1"]])
  })

  test("is left to others once the dispatcher stops: what was broken off with its attempt, and the rest", function* () {
    const { record } = yield* makeKey()
    const scope = yield* Scope.make()
    const hanging = yield* Scope.provide(
      makeWatchedDispatcher(() => Effect.never, { stopGrace: Duration.seconds(1) }),
      scope
    )
    yield* makeExecution(record, url)
    yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
    yield* makeExecution(record, url)
    yield* passing(3)
    const { sent } = yield* makeWatchedDispatcher()
    yield* passing(3)

    assert.deepStrictEqual([hanging.sent(), sent().toSorted()], [["queued 1"], ["queued 1", "queued 2"]])
  })

  test("is not handed over while a lost answer is looked into, which would take it back", function* () {
    const { record } = yield* makeKey()
    const probe = yield* StoreProbe
    const store = yield* DeliveryStore
    const [isLooking, mayEnd] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const slow = DeliveryStore.of({
      ...store,
      giveBack: (options) =>
        Deferred.succeed(isLooking, undefined).pipe(
          Effect.andThen(Deferred.await(mayEnd)),
          Effect.andThen(store.giveBack(options))
        )
    })
    probe.losesClaims = true
    const { sent } = yield* makeWatchedDispatcher().pipe(Effect.provideService(DeliveryStore, slow))
    probe.losesClaims = false
    yield* passing(3)
    yield* Deferred.await(isLooking)

    yield* makeExecution(record, url)
    yield* passing(1)
    const during = sent()
    yield* Deferred.succeed(mayEnd, undefined)
    yield* passing(3)

    assert.deepStrictEqual([during, sent()], [[], ["queued 1"]])
  })
})
