/**
 * Creates the executions of schedules when they are due. Any number of processes do so: each claims some schedules for a
 * few seconds. One that dies or hangs meanwhile is followed by another, and what it still does then changes nothing.
 */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { dueStep } from "./DueStep.ts"
import { afterDue, firesAt, type Schedule } from "./Schedule.ts"
import { type Fired, type Firing, ScheduleStore } from "./ScheduleStore.ts"
import { Signals } from "../signals/Signals.ts"
import { changeOf, makeAnnounce } from "../signals/ChangeSignals.ts"
import * as Loop from "../engine/Loop.ts"
import { Admission } from "../executions/create/Admission.ts"
import { makeScheduledCreates } from "./ScheduledCreates.ts"
import { spanned } from "../engine/UseCase.ts"

/** Schedules that are claimed and fired together. */
const biteMax = 25

/** Requests that are checked at once: checks of large params use threads that callers need too. */
const checksMax = 4

/** Many times what a bite takes. A process that was killed delays what it had claimed by this. */
const claimed = Duration.seconds(15)

const failure = "A schedule could not be fired"

export const makeDueSchedules = Effect.gen(function* () {
  const signals = yield* Signals
  const store = yield* ScheduleStore
  const announce = yield* makeAnnounce
  const { wantedOrRefused } = yield* makeScheduledCreates

  /** Undefined if it is not due by now, or cannot be checked now: it is claimed again. */
  const firingOf = Effect.fnUntraced(function* (schedule: Schedule) {
    const { nextAt } = schedule
    if (nextAt === null) return undefined
    // The store's clock has said that it is due, and this process's may be a little behind.
    const at = DateTime.max(yield* DateTime.now, firesAt(schedule, nextAt))
    const step = dueStep(schedule, at)
    if (step === null) return undefined
    const { due, isMissed, nextAt: next } = step
    const wanted = isMissed
      ? { outcome: "missed" as const }
      : yield* wantedOrRefused(schedule, `req_${schedule.id.replaceAll("-", "")}`)
    const firing: Firing = {
      schedule,
      at,
      wanted,
      becomes: (came) => afterDue(schedule, { came, due, nextAt: next })
    }
    return firing
  })

  /** Together; if that fails, each by itself, so that none stops the others. */
  const fire = (firings: ReadonlyArray<Firing>): Effect.Effect<ReadonlyArray<Fired>> =>
    firings.length < 2
      ? store.fire(firings).pipe(Loop.surviving(failure, Effect.succeed<ReadonlyArray<Fired>>([])))
      : Loop.surviving(
          "Schedules could not be fired together",
          Effect.map(
            Effect.forEach(firings, (firing) => fire([firing])),
            (fired) => fired.flat()
          )
        )(store.fire(firings))

  /** Fires some of the schedules that are due; answers how many it has claimed. */
  const bite = Effect.gen(function* () {
    const at = yield* DateTime.now
    const due = yield* store.claimDue({ at, until: DateTime.addDuration(at, claimed), limit: biteMax })
    const firings = yield* Effect.forEach(
      due,
      (schedule) => firingOf(schedule).pipe(Loop.surviving(failure, Effect.succeed(undefined))),
      { concurrency: checksMax }
    )
    const fired = yield* fire(firings.filter((firing) => firing !== undefined))
    yield* announce(fired.flatMap(({ changes }) => changes))
    const accounts = new Set(fired.map(({ schedule }) => schedule.accountId))
    yield* signals.notify([...accounts].map((accountId) => changeOf(accountId, "schedule", null)))
    return due.length
  }).pipe(spanned("DueSchedules.bite"))

  return { bite }
})

/** Until the scope ends. Without anything due it asks the store every few seconds, and whenever a signal says so. */
export const layerLoop = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* ScheduleStore
    const { bite } = yield* makeDueSchedules

    const turn = Effect.gen(function* () {
      const at = yield* DateTime.now
      const untilDue = Loop.untilDue(at, yield* store.nextWakeAt(at))
      if (!Duration.isPositive(untilDue)) {
        const [took] = yield* Effect.timed(bite)
        yield* Effect.sleep(Loop.restAfter(took))
      }
      return untilDue
    })

    yield* Loop.signalled({ topic: "schedules", turn, failure: "Schedules could not be looked for" })
  })
).pipe(Layer.provide(Admission.layer))
