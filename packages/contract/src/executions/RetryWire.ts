/** How failed work is tried again, on the wire. */
import { attemptsMax } from "@runhook/core/catalog/Task"
import { RetryBackoff, retryBackoffDefault } from "@runhook/core/executions/RetryBackoff"
import * as Schema from "effect/Schema"
import { described } from "../shared/Described.ts"

const { factor, initialSeconds, jitter, maxSeconds } = RetryBackoff.fields

const max_attempts = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: attemptsMax })).pipe(
  described("How often the work may be started in all.")
)

const when = "a failure that its runner calls retryable, or when a runner is lost"

export const RetryPolicy = Schema.Struct({
  max_attempts,
  initial_seconds: initialSeconds.pipe(described("The wait before the second attempt.")),
  factor: factor.pipe(described("What each further wait is multiplied by.")),
  max_seconds: maxSeconds.pipe(described("The longest wait.")),
  jitter: jitter.pipe(described("The share by which a wait may be longer or shorter."))
}).annotate({ identifier: "RetryPolicy", description: `What happens after ${when}.` })

const unlessGiven = (meaning: string, otherwise: number | string) =>
  described(`${meaning}; ${otherwise} unless given.`)

export const NewRetryPolicy = Schema.Struct({
  max_attempts,
  initial_seconds: Schema.optionalKey(initialSeconds).pipe(
    unlessGiven("The wait before the second attempt", retryBackoffDefault.initialSeconds)
  ),
  factor: Schema.optionalKey(factor).pipe(
    unlessGiven("What each further wait is multiplied by", retryBackoffDefault.factor)
  ),
  max_seconds: Schema.optionalKey(maxSeconds).pipe(
    unlessGiven(
      "The longest wait, no shorter than the first",
      `${retryBackoffDefault.maxSeconds} or the first`
    )
  ),
  jitter: Schema.optionalKey(jitter).pipe(
    unlessGiven("The share by which a wait may be longer or shorter", retryBackoffDefault.jitter)
  )
})
  .check(
    Schema.makeFilter(({ initial_seconds = 0, max_seconds = initial_seconds }) =>
      max_seconds >= initial_seconds
        ? undefined
        : { path: ["max_seconds"], issue: "must be at least initial_seconds" }
    )
  )
  .annotate({
    identifier: "NewRetryPolicy",
    description: `What happens after ${when}; nothing unless given. Missing fields get the defaults given here, whatever they were before.`
  })
