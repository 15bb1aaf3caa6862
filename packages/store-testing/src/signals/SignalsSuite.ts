/**
 * How every Signals wakes those who wait in its own process. What it tells to other
 * processes is the matter of each adapter.
 */
import { assert, describe, it } from "@effect/vitest"
import { AccountId, AgentId, ExecutionId, newId, SessionId } from "@runhook/core/shared/Ids"
import { Signals, type Topic } from "@runhook/core/signals/Signals"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"

const makeExecutionTopic = () => Effect.map(newId(ExecutionId), (id): Topic => `execution:${id}`)
const makeSessionTopic = () => Effect.map(newId(SessionId), (id): Topic => `session:${id}`)

/** Whether a wait returns without anything more happening. */
const isSignalled = (wait: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(wait, { startImmediately: true })
    yield* Effect.yieldNow
    const exit = fiber.pollUnsafe()
    yield* Fiber.interrupt(fiber)
    return exit !== undefined
  })

/** Those whom the layer tells that it begins must have heard it already: a signal for nothing fails the suite. */
export const suite = (name: string, layer: Layer.Layer<Signals, unknown>): void => {
  describe(`Signals: ${name}`, () => {
    it.layer(Layer.merge(layer, layerWebCrypto), { excludeTestServices: true })((it) => {
      it.effect("wakes everyone who waits for the topic and no one else", () =>
        Effect.gen(function* () {
          const signals = yield* Signals
          const topic = yield* makeExecutionTopic()
          const otherTopic = yield* makeExecutionTopic()
          const waits = yield* Effect.all([
            signals.subscribe([topic]),
            signals.subscribe([topic]),
            signals.subscribe([otherTopic])
          ])

          yield* signals.notify([topic])

          assert.deepStrictEqual(yield* Effect.forEach(waits, isSignalled), [true, true, false])
        })
      )

      it.effect("wakes who is already waiting", () =>
        Effect.gen(function* () {
          const signals = yield* Signals
          const topic = yield* makeExecutionTopic()
          const wait = yield* signals.subscribe([topic])
          const waiter = yield* Effect.forkChild(wait, { startImmediately: true })

          yield* signals.notify([topic])

          yield* Fiber.join(waiter)
        })
      )

      it.effect("wakes for any of the topics subscribed to", () =>
        Effect.gen(function* () {
          const signals = yield* Signals
          const topics = yield* Effect.all([makeExecutionTopic(), makeSessionTopic()])
          const wait = yield* signals.subscribe(topics)

          const woken = yield* Effect.forEach(topics, (topic) =>
            Effect.andThen(signals.notify([topic]), isSignalled(wait))
          )

          assert.deepStrictEqual(woken, [true, true])
        })
      )

      it.effect("wakes everyone when anything may have happened", () =>
        Effect.gen(function* () {
          const signals = yield* Signals
          const waits = yield* Effect.all([
            signals.subscribe([yield* makeExecutionTopic()]),
            signals.subscribe(["deliveries", yield* makeSessionTopic()])
          ])

          yield* signals.notify(["anything"])

          assert.deepStrictEqual(yield* Effect.forEach(waits, isSignalled), [true, true])
        })
      )

      it.effect("remembers a signal that comes before the wait, and takes many as one", () =>
        Effect.gen(function* () {
          const signals = yield* Signals
          const topic = yield* makeExecutionTopic()
          const wait = yield* signals.subscribe([topic])
          yield* signals.notify([topic, topic])
          yield* signals.notify([topic])

          const woken = [yield* isSignalled(wait), yield* isSignalled(wait)]

          assert.deepStrictEqual(woken, [true, false])
        })
      )

      it.effect("remembers a signal that comes while the waiter looks again", () =>
        Effect.gen(function* () {
          const signals = yield* Signals
          const topic = yield* makeExecutionTopic()
          const wait = yield* signals.subscribe([topic])
          yield* signals.notify([topic])
          yield* wait

          yield* signals.notify([topic])

          assert.isTrue(yield* isSignalled(wait))
        })
      )

      it.effect("keeps a signal for the next wait when the wait before was given up", () =>
        Effect.gen(function* () {
          const signals = yield* Signals
          const topic = yield* makeExecutionTopic()
          const wait = yield* signals.subscribe([topic])
          const given = yield* Effect.timeoutOption(wait, 0)

          yield* signals.notify([topic])

          assert.isTrue(Option.isNone(given))
          assert.isTrue(yield* isSignalled(wait))
        })
      )

      it.effect("hears nothing of what was before the subscription", () =>
        Effect.gen(function* () {
          const signals = yield* Signals
          const topic = yield* makeExecutionTopic()
          yield* signals.notify([topic])

          const wait = yield* signals.subscribe([topic])

          assert.isFalse(yield* isSignalled(wait))
        })
      )

      it.effect("does not hear the signal that woke it when it listens again", () =>
        Effect.gen(function* () {
          const signals = yield* Signals
          const topic = yield* makeExecutionTopic()
          const again = signals.subscribe([topic])
          const anew = yield* Effect.andThen(yield* again, again).pipe(
            Effect.forkChild({ startImmediately: true })
          )

          yield* signals.notify([topic])

          assert.isFalse(yield* isSignalled(yield* Fiber.join(anew)))
        })
      )

      it.effect("hears nothing after its scope has ended, while others go on", () =>
        Effect.gen(function* () {
          const signals = yield* Signals
          const topic = yield* makeExecutionTopic()
          const scope = yield* Scope.make()
          const ended = yield* Scope.provide(signals.subscribe([topic]), scope)
          const living = yield* signals.subscribe([topic])
          yield* Scope.close(scope, Exit.void)

          yield* signals.notify([topic])

          assert.deepStrictEqual([yield* isSignalled(ended), yield* isSignalled(living)], [false, true])
        })
      )

      it.effect("gives work to who has waited longest, and to the next when that one leaves or fails", () =>
        Effect.gen(function* () {
          const signals = yield* Signals
          const options = { topics: [], accountId: yield* newId(AccountId), agentIds: null }
          const work: Topic = `work:${options.accountId}:${yield* newId(AgentId)}`
          const scope = yield* Scope.make()
          const leaving = yield* Scope.provide(signals.queue(options), scope)
          const failing = yield* Effect.andThen(Scope.make(), (own) =>
            Effect.map(Scope.provide(signals.queue(options), own), (place) => ({ own, place }))
          )
          const last = yield* signals.queue(options)
          const places = [leaving, failing.place, last]
          const signalled = Effect.suspend(() => Effect.forEach(places, ({ woken }) => isSignalled(woken)))

          yield* signals.notify([work])
          const first = yield* signalled
          yield* Scope.close(scope, Exit.void)
          const second = yield* signalled
          yield* Effect.exit(failing.place.looking(Effect.fail("the store is away")))
          yield* Scope.close(failing.own, Exit.void)
          const third = yield* signalled

          assert.deepStrictEqual(
            [first, second, third],
            [
              [true, false, false],
              [false, true, false],
              [false, false, true]
            ]
          )
        })
      )

      it.effect(
        "wakes as many as there is work, and passes by those who were woken and have not looked",
        () =>
          Effect.gen(function* () {
            const signals = yield* Signals
            const options = { topics: [], accountId: yield* newId(AccountId), agentIds: null }
            const work: Topic = `work:${options.accountId}:${yield* newId(AgentId)}`
            const places = yield* Effect.replicateEffect(signals.queue(options), 3)

            yield* signals.notify([work, work])

            assert.deepStrictEqual(yield* Effect.forEach(places, ({ woken }) => isSignalled(woken)), [
              true,
              true,
              false
            ])
          })
      )

      it.effect(
        "misses nothing: every count written before a signal is seen by a waiter that looks again",
        () =>
          Effect.gen(function* () {
            const signals = yield* Signals
            const topic = yield* makeExecutionTopic()
            const last = 1_000
            let written = 0
            const wait = yield* signals.subscribe([topic])
            const reader = yield* Effect.forkChild(
              Effect.whileLoop({
                while: () => written < last,
                body: () => wait,
                step: () => undefined
              })
            )

            yield* Effect.forEach(Array.from({ length: last }), () =>
              Effect.sync(() => written++).pipe(
                Effect.andThen(signals.notify([topic])),
                Effect.andThen(Effect.yieldNow)
              )
            )

            yield* Fiber.join(reader)
          })
      )
    })
  })
}
