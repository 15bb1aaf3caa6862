/** Caches lookups that every request makes, for a moment. */
import { BoundedMap } from "@runhook/core/runtime/BoundedMap"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * How long what another process changed may go unseen here. What this process
 * changes itself is seen at once.
 */
export const cachedFor = Duration.seconds(2)

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

/**
 * Remembers what is found. That there is no such thing is asked anew each time, and
 * so is everything in a transaction of the caller: what that sees may never be.
 */
export const cacheFound = <Asked, A, E>(
  { transactionService }: Pick<SqlClient, "transactionService">,
  lookup: (asked: Asked) => Effect.Effect<A, E>
): LookupCache<Asked, A, E> => {
  const found = makeLookupCache({ lookup, isKept: (answer) => answer !== undefined })
  const get = (asked: Asked) =>
    Effect.contextWith((context: Context.Context<never>) =>
      Option.isSome(Context.getOption(context, transactionService)) ? lookup(asked) : found.get(asked)
    )
  return { ...found, get }
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
  const answers = new BoundedMap<string, { readonly exit: Exit.Exit<A, E>; readonly until: number }>(keptMax)
  const underway = new Map<string, Deferred.Deferred<A, E>>()

  const find = (asked: Asked, text: string, until: number): Effect.Effect<A, E> => {
    const answered = Deferred.makeUnsafe<A, E>()
    underway.set(text, answered)
    return Effect.onExit(lookup(asked), (exit) =>
      Effect.sync(() => {
        // What was asked before something changed is answered, but not remembered.
        if (underway.get(text) === answered) {
          underway.delete(text)
          if (Exit.isSuccess(exit) && isKept(exit.value)) answers.set(text, { exit, until })
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
      if (known !== undefined && now < known.until) return known.exit
      const answered = underway.get(text)
      if (answered === undefined) return find(asked, text, now + keptMillis)
      // Who looks it up for others too may be called off, and one of them does it then.
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
