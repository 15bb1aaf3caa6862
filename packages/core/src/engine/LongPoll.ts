/** Looks again and again, woken by signals, until there is an answer or no time is left. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { ApiKeyId, PersonSessionId, RunnerKeyId } from "../shared/Ids.ts"
import type { Signals, Topic } from "../signals/Signals.ts"
import { StoreUnavailable } from "./StoreUnavailable.ts"
import type { Draining } from "./Draining.ts"
import * as ServiceMetrics from "./ServiceMetrics.ts"

/** A wait looks again after this long even without a signal, since signals are hints. */
export const lookEvery = Duration.seconds(5)

/** How long a look may still take when the service begins to stop, unless it is the first. */
export const lastLookMax = Duration.millis(500)

/** What a look found: `isFinal` ends the wait; `lookAgainAt` is when something may have changed by itself. */
export interface Look<Found> {
  readonly found: Found
  readonly isFinal: boolean
  readonly lookAgainAt?: DateTime.Utc | null
}

/** What wakes a wait, and what ends it at once with what was found so far. */
export interface Listening {
  readonly woken: ReadonlyArray<Effect.Effect<void>>
  readonly ended?: Effect.Effect<void>
}

interface Wait<Found, E, R, L> {
  readonly listen: Effect.Effect<Listening, never, L>
  readonly wait: Duration.Duration
  readonly look: Effect.Effect<Look<Found>, E, R>
  /** Whether a look may take what it finds: then nothing is known after a look that was cut short. Default: no. */
  readonly isTaking?: boolean
}

/**
 * Answers what the first final look found, or the last look when the time is up.
 * Looks once more at the end, so that nothing that came in time is missed.
 *
 * When the service drains, it answers at once what the last look found: many polls
 * wait then, and the database they would ask may be slow or away. A look that has
 * already begun gets a moment to end.
 */
export const lookUntil = <Found, E, R, L>(
  // Not from the context: to provide it below a request copies all that the request has.
  draining: Draining["Service"],
  options: Wait<Found, E, R, L>
): Effect.Effect<Found, E, Exclude<L | R, Scope.Scope>> =>
  Effect.gen(function* () {
    const { ended, woken } = yield* options.listen
    // Thousands wait, so they are one race, not some within others.
    const next = [
      ...[draining.begun, ...(ended ? [ended] : [])].map((each) => Effect.as(each, true)),
      ...woken.map((each) => Effect.as(each, false))
    ]
    const end = DateTime.addDuration(yield* DateTime.now, options.wait)
    const cut = Effect.andThen(draining.begun, Effect.sleep(lastLookMax))
    let last = Option.none<Found>()
    while (true) {
      const seen = yield* Option.isNone(last) ? Effect.asSome(options.look) : lookingUntil(cut, options.look)
      if (Option.isNone(seen)) return yield* answerWithout(last, options)
      const { found, isFinal, lookAgainAt } = seen.value
      last = Option.some(found)
      const now = yield* DateTime.now
      if (isFinal || DateTime.isGreaterThanOrEqualTo(now, end)) return found
      const until = [end, DateTime.addDuration(now, lookEvery), ...(lookAgainAt ? [lookAgainAt] : [])]
      const pause = DateTime.distance(
        now,
        until.reduce((first, second) => DateTime.min(first, second))
      )
      const time = Effect.as(Effect.sleep(Duration.max(pause, Duration.millis(1))), false)
      const isEnd = yield* ServiceMetrics.countedWait(Effect.raceAllFirst([...next, time]))
      if (isEnd) return found
    }
  }).pipe(Effect.scoped)

/** What the look found, or nothing if it is cut short; then the wait for its database goes on in the background. */
const lookingUntil = <A, E, R>(cut: Effect.Effect<void>, look: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.forkDetach(look, { startImmediately: true }),
    (fiber) => Effect.raceFirst(Effect.asSome(Fiber.join(fiber)), Effect.as(cut, Option.none<A>())),
    (fiber, exit) =>
      Exit.isSuccess(exit) ? Effect.sync(() => fiber.interruptUnsafe()) : Fiber.interrupt(fiber)
  )

/**
 * An earlier look stands in for one that was cut short, unless that may have taken
 * something: its caller has to ask again.
 */
const answerWithout = <Found>(
  last: Option.Option<Found>,
  { isTaking = false }: Pick<Wait<Found, unknown, unknown, unknown>, "isTaking">
): Effect.Effect<Found> =>
  Option.isSome(last) && !isTaking
    ? Effect.succeed(last.value)
    : Effect.die(new StoreUnavailable({ reason: "it did not answer before the service stopped" }))

/** The key or session of a waiting caller. No wait outlives it. */
export interface WaitingKey<E> {
  readonly id: ApiKeyId | PersonSessionId | RunnerKeyId
  /** Fails once the key is no longer valid. Answers when it will expire, or null if it will not. */
  readonly opensUntil: Effect.Effect<DateTime.Utc | null, E>
}

/**
 * A wait of a caller for what a topic tells. It ends when the key does; null: a key without an end. If something else
 * looks for it too, and opens `news` when there may be some, the wait looks again only then.
 */
export const lookForCaller = <Found, E, R, E2>({
  draining,
  key,
  look: lookItself,
  news,
  signals,
  topic,
  ...options
}: Omit<Wait<Found, E, R, never>, "listen"> & {
  readonly draining: Draining["Service"]
  readonly signals: Signals["Service"]
  readonly topic: Topic
  readonly key: WaitingKey<E2> | null
  readonly news?: Latch.Latch | undefined
}) => {
  const keyTopics: ReadonlyArray<Topic> = key === null ? [] : [`key:${key.id}`]
  const look = news === undefined ? lookItself : lookOn(news, lookItself)
  return lookUntil(draining, {
    ...options,
    listen: Effect.map(signals.subscribe([topic, ...keyTopics]), (woken) => ({
      woken: news === undefined ? [woken] : [Effect.andThen(woken, news.open), news.await]
    })),
    // Without a wait, the key was just checked.
    look: key === null || Duration.isZero(options.wait) ? look : lookWhileOpen(key, look)
  })
}

/** Finds the same as before unless there may be news. */
const lookOn = <Found, E, R>(
  news: Latch.Latch,
  look: Effect.Effect<Look<Found>, E, R>
): Effect.Effect<Look<Found>, E, R> => {
  let last: Look<Found> | undefined
  return Effect.suspend(() => {
    const isNew = news.closeUnsafe()
    if (last !== undefined && !isNew) return Effect.succeed(last)
    return Effect.map(look, (seen) => (last = seen))
  })
}

/** A look that fails when the key does. */
const lookWhileOpen = <Found, E, R, E2>(
  key: WaitingKey<E>,
  look: Effect.Effect<Look<Found>, E2, R>
): Effect.Effect<Look<Found>, E | E2, R> =>
  Effect.flatMap(key.opensUntil, (end) =>
    Effect.map(look, (seen) => {
      const times = [end, seen.lookAgainAt].filter((time) => time !== null && time !== undefined)
      return { ...seen, lookAgainAt: times.length === 0 ? null : times.reduce((a, b) => DateTime.min(a, b)) }
    })
  )
