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
 * Looks every 50 ms until the result satisfies the condition, for as long as the test may take, since a shared machine
 * may be slow or stand still. A test that runs out of time says what the last look found.
 */
export const eventually = <A>(look: Effect.Effect<A>, isThere: (found: A) => boolean): Effect.Effect<A> =>
  Effect.suspend(() => {
    let last: A | undefined
    return look.pipe(
      Effect.tap((found) => Effect.sync(() => (last = found))),
      Effect.repeat({ schedule: Schedule.spaced("50 millis"), until: isThere }),
      Effect.onInterrupt(() =>
        Effect.sync(() => console.error(`It never came; the last look found ${inspect(last).slice(-2_000)}`))
      )
    )
  })
