/** Caches lookups that every request or callback makes, for a moment. */
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { BoundedMap } from "./BoundedMap.ts"

/**
 * How long what another process changed may go unseen here. What this process
 * changes itself is seen at once.
 */
export const cachedFor = Duration.seconds(2)

/** The part of that time after which a lookup refreshes the entry in the background, so that no caller waits. */
const freshPart = 3 / 4

/** Answers kept of each kind; past that the oldest are forgotten. */
const answersMax = 10_000

export interface LookupCache<Asked, A, E> {
  /** The answer, remembered or new. */
  get(asked: Asked): Effect.Effect<A, E>
  readonly forget: Effect.Effect<void>
}

interface Lookup<Asked, A, E> {
  readonly lookup: (asked: Asked) => Effect.Effect<A, E>
  /** Which answers are remembered. Failures are not. */
  readonly isKept: (answer: A) => boolean
  /** Default: for a moment, `cachedFor`. */
  readonly keptFor?: Duration.Duration
  /** Default: `answersMax`. */
  readonly keptMax?: number
}

/** Remembers every answer, also that there is no such thing. Making the thing must make it forget. */
export const cacheAll = <Asked, A, E>(
  lookup: (asked: Asked) => Effect.Effect<A, E>
): LookupCache<Asked, A, E> => makeLookupCache({ lookup, isKept: () => true })

/** Several who ask the same at once have one lookup, and its answer or its failure. */
export const makeLookupCache = <Asked, A, E>({
  isKept,
  keptFor = cachedFor,
  keptMax = answersMax,
  lookup
}: Lookup<Asked, A, E>): LookupCache<Asked, A, E> => {
  const keptMillis = Duration.toMillis(keptFor)
  const answers = new BoundedMap<string, { readonly exit: Exit.Exit<A, E>; readonly askedAt: number }>(
    keptMax
  )
  const underway = new Map<string, Deferred.Deferred<A, E>>()

  const find = (asked: Asked, text: string, askedAt: number): Effect.Effect<A, E> => {
    const answered = Deferred.makeUnsafe<A, E>()
    underway.set(text, answered)
    return Effect.onExit(lookup(asked), (exit) =>
      Effect.sync(() => {
        // What was asked before something changed is answered, but not remembered.
        if (underway.get(text) === answered) {
          underway.delete(text)
          if (Exit.isSuccess(exit) && isKept(exit.value)) answers.set(text, { exit, askedAt })
        }
        Deferred.doneUnsafe(answered, exit)
      })
    )
  }

  const get = (asked: Asked): Effect.Effect<A, E> =>
    Effect.clockWith((clock) => {
      const text = JSON.stringify(asked)
      const now = clock.currentTimeMillisUnsafe()
      const known = answers.get(text)
      const answered = underway.get(text)
      const age = known === undefined ? Number.POSITIVE_INFINITY : now - known.askedAt
      if (known !== undefined && age < keptMillis) {
        if (age < freshPart * keptMillis || answered !== undefined) return known.exit
        return Effect.andThen(Effect.forkDetach(Effect.exit(find(asked, text, now))), known.exit)
      }
      if (answered === undefined) return find(asked, text, now)
      // If the caller that looks it up for all is interrupted, one of the others does it.
      return Effect.catchCause(Deferred.await(answered), (cause) =>
        Cause.hasInterruptsOnly(cause) ? get(asked) : Effect.failCause(cause)
      )
    })

  const forget = Effect.sync(() => {
    answers.clear()
    underway.clear()
  })

  return { get, forget }
}
