/** The stores of executions as the use cases see them: they count what they have stored. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Change } from "../domain/run/Run.ts"
import { CancelStore } from "../ports/CancelStore.ts"
import { ExecutionStore } from "../ports/ExecutionStore.ts"
import { RunStore } from "../ports/RunStore.ts"
import { ScheduleStore } from "../ports/ScheduleStore.ts"
import { SweepStore } from "../ports/SweepStore.ts"
import { UsageCounter } from "./UsageCounter.ts"

const countingOf = ({ changed }: UsageCounter["Service"]) => {
  const all = <E, R>(verb: Effect.Effect<ReadonlyArray<Change>, E, R>) =>
    Effect.tap(verb, (changes) => Effect.sync(() => changed(changes)))
  return {
    all,
    one: <E, R>(verb: Effect.Effect<Change, E, R>) =>
      Effect.tap(verb, (change) => Effect.sync(() => changed([change]))),
    within: <A extends { readonly change: Change }, E, R>(verb: Effect.Effect<A, E, R>) =>
      Effect.tap(verb, ({ change }) => Effect.sync(() => changed([change])))
  }
}

const executions = Layer.effect(
  ExecutionStore,
  Effect.gen(function* () {
    const store = yield* ExecutionStore
    const { one, within } = countingOf(yield* UsageCounter)
    return ExecutionStore.of({
      ...store,
      create: (options) => within(store.create(options)),
      stop: (options) => one(store.stop(options)),
      answer: (options) => one(store.answer(options))
    })
  })
)

const runs = Layer.effect(
  RunStore,
  Effect.gen(function* () {
    const store = yield* RunStore
    const counter = yield* UsageCounter
    const { one } = countingOf(counter)
    return RunStore.of({
      ...store,
      handOver: (inlet) =>
        store.handOver({
          ...inlet,
          reservePlace: () => {
            const kept = inlet.reservePlace()
            return kept === null
              ? null
              : {
                  ...kept,
                  begin: (change) => {
                    counter.changed([change])
                    kept.begin(change)
                  }
                }
          }
        }),
      start: (options) => one(store.start(options)),
      finish: (options) => one(store.finish(options))
    })
  })
)

const sweeps = Layer.effect(
  SweepStore,
  Effect.gen(function* () {
    const store = yield* SweepStore
    const { all } = countingOf(yield* UsageCounter)
    return SweepStore.of({
      ...store,
      expireLeases: (round) => all(store.expireLeases(round)),
      timeOutRuns: (round) => all(store.timeOutRuns(round)),
      expireInputs: (round) => all(store.expireInputs(round)),
      expireExecutions: (round) => all(store.expireExecutions(round))
    })
  })
)

const cancels = Layer.effect(
  CancelStore,
  Effect.gen(function* () {
    const store = yield* CancelStore
    const { changed } = yield* UsageCounter
    return CancelStore.of({
      ...store,
      advance: (job, bite) =>
        Effect.tap(store.advance(job, bite), (done) => Effect.sync(() => changed(done?.changes ?? [])))
    })
  })
)

const schedules = Layer.effect(
  ScheduleStore,
  Effect.gen(function* () {
    const store = yield* ScheduleStore
    const { changed } = yield* UsageCounter
    return ScheduleStore.of({
      ...store,
      fire: (firings) =>
        Effect.tap(store.fire(firings), (fired) =>
          Effect.sync(() => changed(fired.flatMap(({ changes }) => changes)))
        )
    })
  })
)

/** Nothing else that changes runs is counted. */
export const layer = Layer.mergeAll(cancels, executions, runs, schedules, sweeps).pipe(
  Layer.provide(UsageCounter.layer)
)
