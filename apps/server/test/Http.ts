/** Requests of tests. */
import { inspect } from "node:util"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"

export const request = (url: string, options: RequestInit = {}) =>
  Effect.promise((signal) => fetch(url, { signal, redirect: "manual", ...options }))

/** The body of an answer, as this schema describes it. */
export const bodyOf =
  <A>(schema: Schema.Codec<A, unknown>) =>
  (answer: Response) =>
    Effect.flatMap(
      Effect.promise(() => answer.json()),
      (body) => Effect.orDie(Schema.decodeUnknownEffect(schema)(body))
    )

/**
 * Looks every 50 ms until the result satisfies the condition, for ten seconds unless more looks are given. It counts
 * looks instead of seconds, since a machine that hangs uses up none.
 */
export const eventually = <A>(
  look: Effect.Effect<A>,
  isThere: (found: A) => boolean,
  times = 200
): Effect.Effect<A> =>
  look.pipe(
    Effect.repeat({ schedule: Schedule.spaced("50 millis"), until: isThere, times }),
    Effect.tap((found) =>
      isThere(found)
        ? Effect.void
        : Effect.die(new Error(`It never came; the last look found ${inspect(found).slice(-2_000)}`))
    )
  )
