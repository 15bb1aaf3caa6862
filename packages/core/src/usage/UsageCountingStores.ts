/** The stores of executions as the use cases see them: they count what they have stored. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import type { Change } from "../runs/Run.ts"
import { CancelStore } from "../cancels/CancelStore.ts"
import { ExecutionStore } from "../executions/ExecutionStore.ts"
import { RunStore } from "../runs/RunStore.ts"
import { ScheduleStore } from "../schedules/ScheduleStore.ts"
import { SweepStore } from "../sweeps/SweepStore.ts"
import { UsageCounter } from "./UsageCounter.ts"
import { WorkInlets } from "../runs/claim/WorkInlets.ts"

/** The same store, with those verbs that count what they have stored. */
const counting = <I, Store extends object>(
  tag: Context.Key<I, Store>,
  verbs: (store: Store, count: Count, changed: UsageCounter["Service"]["changed"]) => Partial<Store>
) =>
  Layer.effect(
    tag,
    Effect.gen(function* () {
      const store = yield* tag
      const { changed } = yield* UsageCounter
      const count: Count = (verb, changesOf) =>
        Effect.tap(verb, (done) => Effect.sync(() => changed(changesOf(done))))
      return { ...store, ...verbs(store, count, changed) }
    })
  )

type Count = <A, E, R>(
  verb: Effect.Effect<A, E, R>,
  changesOf: (done: A) => ReadonlyArray<Change>
) => Effect.Effect<A, E, R>

const one = (change: Change) => [change]
const all = identity<ReadonlyArray<Change>>

const executions = counting(ExecutionStore, (store, count) => ({
  create: (options) => count(store.create(options), ({ change }) => [change]),
  stop: (options) => count(store.stop(options), one),
  answer: (options) => count(store.answer(options), one)
}))

const polls = counting(WorkInlets, (inlets, _, changed) => ({
  open: (inlet) =>
    inlets.open({
      ...inlet,
      reservePlace: () => {
        const kept = inlet.reservePlace()
        return (
          kept && {
            ...kept,
            begin: (change) => {
              changed([change])
              kept.begin(change)
            }
          }
        )
      }
    })
}))

const runs = counting(RunStore, (store, count) => ({
  start: (options) => count(store.start(options), one),
  finish: (options) => count(store.finish(options), one)
}))

const sweeps = counting(SweepStore, (store, count) => ({
  expireLeases: (round) => count(store.expireLeases(round), all),
  timeOutRuns: (round) => count(store.timeOutRuns(round), all),
  expireInputs: (round) => count(store.expireInputs(round), all),
  expireExecutions: (round) => count(store.expireExecutions(round), all)
}))

const cancels = counting(CancelStore, (store, count) => ({
  advance: (job, bite) => count(store.advance(job, bite), (done) => done?.changes ?? [])
}))

const schedules = counting(ScheduleStore, (store, count) => ({
  fire: (firings) => count(store.fire(firings), (fired) => fired.flatMap(({ changes }) => changes))
}))

/** Nothing else that changes runs is counted. */
export const layer = Layer.mergeAll(cancels, executions, polls, runs, schedules, sweeps).pipe(
  Layer.provide(UsageCounter.layer)
)
