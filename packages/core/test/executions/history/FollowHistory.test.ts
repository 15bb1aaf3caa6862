import { assert, describe, it } from "@effect/vitest"
import type { ToldEvent } from "@runhook/core/executions/history/HistoryEvent"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { HistoryStore } from "@runhook/core/executions/history/HistoryStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { Draining } from "@runhook/core/engine/Draining"
import { Executions } from "@runhook/core/executions/Executions"
import { type FollowedHistory, streamsMax } from "@runhook/core/executions/history/FollowHistory"
import { History } from "@runhook/core/executions/history/History"
import { second } from "@runhook/store-testing/Fixtures"
import { engineOver, stores } from "@runhook/test-support/engine/Engine"
import { test } from "@runhook/test-support/engine/Test"
import { makeRunner, makeStartedRun } from "@runhook/test-support/engine/Runner"
import { makeExecution, makeTenant } from "@runhook/test-support/engine/Tenant"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"

type Ref = Effect.Success<ReturnType<typeof makeExecution>>

const follow = (execution: Pick<Ref, "accountId" | "id">, after = 0) =>
  History.use((history) => history.follow({ ...execution, after, key: null }))

const toldBy = ({ next }: FollowedHistory<ToldEvent>) =>
  Effect.map(next, (told) =>
    Option.match(told, {
      onNone: () => ["over"],
      onSome: (events) => events.map(({ sequence, type }) => `${sequence} ${type}`)
    })
  )

/** Stops it without a word to anybody. */
const stopUnheard = ({ accountId, id }: Ref) =>
  ExecutionStore.use((store) => store.stop({ accountId, id, to: "aborted", reason: null, at: second(1) }))

describe("Following an execution", () => {
  test("tells what happened, then what happens, to its end, whatever comes together", function* () {
    const tenant = yield* makeTenant()
    const { execution } = yield* makeStartedRun(tenant, yield* makeRunner(tenant))
    const following = yield* follow(execution)

    const first = yield* toldBy(following)
    const waiting = yield* Effect.forkChild(toldBy(following), { startImmediately: true })
    const before = waiting.pollUnsafe()
    yield* (yield* Executions).stop({ ...execution, to: "aborted", reason: "enough" })
    const next = yield* Fiber.join(waiting)

    assert.deepStrictEqual(first, ["1 created", "2 claimed", "3 started"])
    assert.isUndefined(before)
    assert.deepStrictEqual(next, ["4 aborted"])
    assert.deepStrictEqual(yield* toldBy(following), ["over"])
  })

  test("goes on behind a number, and is over for who has seen all of a finished one", function* () {
    const execution = yield* makeExecution(yield* makeTenant())
    yield* (yield* Executions).stop({ ...execution, to: "aborted", reason: null })

    const resumed = yield* follow(execution, 1)
    const seen = yield* follow(execution, 2)

    assert.deepStrictEqual(
      [resumed.isOver, yield* toldBy(resumed), yield* toldBy(resumed)],
      [false, ["2 aborted"], ["over"]]
    )
    assert.isTrue(seen.isOver)
  })

  test("hears within five seconds of what no signal told", function* () {
    const execution = yield* makeExecution(yield* makeTenant())
    const following = yield* follow(execution, 1)
    const waiting = yield* Effect.forkChild(toldBy(following), { startImmediately: true })

    yield* stopUnheard(execution)
    yield* TestClock.adjust("4 seconds")
    const before = waiting.pollUnsafe()
    yield* TestClock.adjust("1 second")

    assert.isUndefined(before)
    assert.deepStrictEqual(yield* Fiber.join(waiting), ["2 aborted"])
  })

  it.effect("costs one look in five seconds for a thousand followers, and none when they have left", () =>
    Effect.gen(function* () {
      const asked: Array<number> = []
      const counted = Layer.effect(
        HistoryStore,
        Effect.map(HistoryStore, (store) =>
          HistoryStore.of({
            ...store,
            changedSince: (seen) => Effect.suspend(() => (asked.push(seen.length), store.changedSince(seen)))
          })
        )
      ).pipe(Layer.provideMerge(stores))
      yield* Effect.gen(function* () {
        const execution = yield* makeExecution(yield* makeTenant())
        yield* Effect.scoped(
          Effect.gen(function* () {
            const all = yield* Effect.replicateEffect(follow(execution, 1), streamsMax.account)
            yield* Effect.forEach(all, ({ next }) => Effect.forkScoped(next))
            yield* TestClock.adjust("1 minute")
          })
        )
        yield* TestClock.adjust("1 minute")
      }).pipe(Effect.provide(engineOver(counted)))

      assert.deepStrictEqual(
        asked,
        Array.from({ length: 12 }, () => streamsMax.account)
      )
    })
  )

  const wait = Duration.seconds(28)
  const awaitNews = (execution: Ref, isNews?: () => boolean) =>
    Executions.use((executions) =>
      executions.awaitNews(execution, wait, { key: null, show: Effect.succeed, isNews })
    )
  const behind = (execution: Ref) => ({ ...execution, wait, key: null, after: 3, limit: 1 })

  it.effect.each([
    { what: "the end", begin: (execution: Ref) => awaitNews(execution) },
    { what: "what they define", begin: (execution: Ref) => awaitNews(execution, () => false) },
    {
      what: "events",
      begin: (execution: Ref) => History.use((history) => history.events(behind(execution)))
    },
    {
      what: "lines of the log",
      begin: (execution: Ref) => History.use((history) => history.lines(behind(execution)))
    }
  ])(
    "costs no look of its own for those who wait for $what, who hear within five seconds as well",
    ({ begin }) =>
      Effect.gen(function* () {
        const asked = { alone: 0, together: 0 }
        const counted = Layer.mergeAll(
          Layer.effect(
            HistoryStore,
            Effect.map(HistoryStore, (store) =>
              HistoryStore.of({
                ...store,
                changedSince: (seen) => Effect.suspend(() => (asked.together++, store.changedSince(seen)))
              })
            )
          ),
          Layer.effect(
            RunStore,
            Effect.map(RunStore, (store) =>
              RunStore.of({ ...store, get: (ref) => Effect.suspend(() => (asked.alone++, store.get(ref))) })
            )
          )
        ).pipe(Layer.provideMerge(stores))
        const over = yield* Effect.gen(function* () {
          const tenant = yield* makeTenant()
          const { execution } = yield* makeStartedRun(tenant, yield* makeRunner(tenant))
          asked.alone = 0
          const begins = Effect.forkScoped(begin(execution), { startImmediately: true })
          const begun = yield* Effect.replicateEffect(begins, 100)
          yield* TestClock.adjust("28 seconds")
          const timedOut = begun.filter((each) => each.pollUnsafe() !== undefined)
          const last = yield* begins
          yield* stopUnheard(execution)
          yield* TestClock.adjust("5 seconds")
          return [timedOut.length, last.pollUnsafe() !== undefined]
        }).pipe(Effect.scoped, Effect.provide(engineOver(counted)))

        assert.deepStrictEqual(over, [100, true])
        // Each of them once at its beginning, and the last at its end.
        assert.deepStrictEqual(asked, { alone: 102, together: 6 })
      })
  )

  test("is done when the service begins to stop, and is refused to one more than there may be", function* () {
    const execution = yield* makeExecution(yield* makeTenant())
    const waiting = yield* Effect.forkChild(toldBy(yield* follow(execution, 1)), { startImmediately: true })
    yield* Effect.replicateEffect(follow(execution, 1), streamsMax.account - 1)

    const refusal = yield* Effect.flip(follow(execution, 1))
    yield* (yield* Draining).begin

    assert.deepInclude(refusal, { _tag: "TooManyFollowers", scope: "account" })
    assert.deepStrictEqual(yield* Fiber.join(waiting), ["over"])
  })
})
