/** A place among the workers: when the worker in it ends, or is about to, another takes over. */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { begin, type WorkerProcess, type Options as MemberOptions } from "./WorkerProcess.ts"
import { type Measured, mergedMetrics } from "./MergedMetrics.ts"

export interface Options extends Omit<MemberOptions, "isJoining"> {
  /** Whether workers of other places answer requests. */
  readonly isOtherServing: () => boolean
}

/** Milliseconds before the next worker is started: twice as many after each that did not last. */
const [waitMin, waitMax, lasting] = [100, 5_000, 60_000]

export type WorkerSlot = Effect.Success<ReturnType<typeof make>>

/** Begins the first worker of the place. */
export const make = Effect.fnUntraced(function* ({ isOtherServing, ...options }: Options) {
  const { place } = options
  const scope = yield* Effect.scope
  const changing = yield* Semaphore.make(1)
  const living = new Set<WorkerProcess>()
  /** What those counted that have ended. */
  let counted = ""

  const another = Effect.gen(function* () {
    const member = yield* begin({ ...options, isJoining: isOtherServing() })
    living.add(member)
    yield* Deferred.await(member.serving).pipe(
      Effect.andThen(Effect.logInfo(`Worker ${place} answers requests`, { pid: member.pid })),
      Effect.raceFirst(Deferred.await(member.ended)),
      Effect.forkIn(scope)
    )
    return member
  }).pipe(Scope.provide(scope), Effect.uninterruptible)

  let holder = yield* another
  let wait = waitMin

  /** Waits for the end of a worker, and says how it ended. */
  const endOf = (member: WorkerProcess) =>
    Effect.map(Deferred.await(member.ended), (how) => {
      living.delete(member)
      counted = mergedMetrics([counted, member.metrics()].map((text) => ({ worker: null, text })))
      return how
    })

  const keep = Effect.gen(function* () {
    const member = holder
    const begunAt = yield* Clock.currentTimeMillis
    const how = yield* endOf(member)
    const hasLasted = (yield* Clock.currentTimeMillis) - begunAt > lasting
    const follow = Effect.gen(function* () {
      if (holder !== member) return
      wait = hasLasted ? waitMin : Math.min(wait * 2, waitMax)
      yield* Effect.logWarning(`Worker ${place} ended ${how}, and is started again`)
      yield* Effect.sleep(Duration.millis(wait))
      holder = yield* another
    })
    yield* changing.withPermit(follow)
  }).pipe(Effect.forever)

  const renew = Effect.gen(function* () {
    const [before, next] = [holder, yield* another]
    const ended = yield* Effect.raceFirst(Effect.as(Deferred.await(next.serving), null), endOf(next))
    if (ended !== null) {
      yield* Effect.logError(
        `A new worker ${place} ended ${ended} before it answered; the one before goes on`
      )
      return false
    }
    holder = next
    before.retire()
    yield* Deferred.await(before.ended)
    return true
  }).pipe(changing.withPermit)

  return {
    /** Completes with the address when the first worker answers requests, and fails with how it ended before. */
    begun: Effect.suspend(() =>
      Effect.raceFirst(
        Deferred.await(holder.serving),
        Effect.flatMap(Deferred.await(holder.ended), Effect.fail)
      )
    ),
    /** Starts another worker whenever one ends. */
    keep,
    /** Replaces the worker in the slot; false if the new one does not get to answer requests. */
    renew,
    isServing: () => Deferred.isDoneUnsafe(holder.serving) && !Deferred.isDoneUnsafe(holder.ended),
    measured: (): ReadonlyArray<Measured> => [
      { worker: null, text: counted },
      ...[...living].map((each) => ({ worker: each === holder ? place : null, text: each.metrics() }))
    ],
    signal: (name: NodeJS.Signals) => living.forEach((each) => each.signal(name)),
    /** Waits until no worker of the place runs. */
    ended: Effect.suspend(() =>
      Effect.forEach(living, ({ ended }) => Deferred.await(ended), { discard: true })
    )
  }
})
