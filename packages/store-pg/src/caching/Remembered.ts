/** Answers of the database that are asked for with every request, kept for a moment. */
import * as Cache from "effect/Cache"
import * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/**
 * How long what another process changed may go unseen here. What this process
 * changes itself is seen at once.
 */
export const rememberedFor = Duration.seconds(2)

/** Answers kept of each kind; past that the oldest are forgotten. */
const answersMax = 10_000

/** Remembers what is found. That there is no such thing is asked anew each time. */
export const remember = <Key, A, E>(
  lookup: (key: Key) => Effect.Effect<A, E>
): Effect.Effect<Cache.Cache<Key, A, E>> =>
  Cache.makeWith(lookup, {
    capacity: answersMax,
    timeToLive: (exit) => (Exit.isSuccess(exit) && exit.value !== undefined ? rememberedFor : Duration.zero)
  })
