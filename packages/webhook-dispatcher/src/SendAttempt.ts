/**
 * Sends one attempt of a delivery, signed with the current keys, and judges it. Any failure becomes the result of the
 * attempt.
 */
import { noTimings } from "@runhook/core/domain/delivery/AttemptTimings"
import { deliveryAttemptsMax } from "@runhook/core/domain/delivery/DeliveryBackoff"
import type { Verdict } from "@runhook/core/domain/delivery/DeliveryMoves"
import type { Settlement } from "@runhook/core/ports/DeliveryStore"
import { tracerOf } from "@runhook/core/runtime/ExecutionSpans"
import * as SigningKeyring from "@runhook/core/runtime/SigningKeyring"
import { signedRequest } from "@runhook/core/signing/SignedRequest"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { spanned } from "./AttemptSpan.ts"
import type { InFlight } from "./receivers/Receiver.ts"
import { verdictOn } from "./RetryPolicy.ts"
import { type AttemptResult, Sender } from "./Sender.ts"

/** Without a verdict, another attempt could end better than this one. */
interface End {
  readonly result: AttemptResult
  readonly verdict?: Verdict
}

/** Gives a function that sends. Only an interruption leaves an attempt without a result. */
export const make = Effect.gen(function* () {
  const sender = yield* Sender
  const keysFor = yield* SigningKeyring.make
  const random = yield* Random.Random
  const isTraced = (yield* tracerOf) !== undefined

  const attempt = Effect.fnUntraced(
    function* (inFlight: InFlight, at: DateTime.Utc) {
      const { delivery } = inFlight
      // Claimed again after its last attempt: the process that made that one died before it could report its result.
      if (delivery.attempts > deliveryAttemptsMax) return final("The last attempt was not completed")
      const keys = yield* keysFor(delivery, at)
      // From now on it may arrive.
      inFlight.stage = "sent"
      const send = (sent: typeof delivery) => sender.send(signedRequest({ delivery: sent, keys, at }))
      return retryable(yield* isTraced ? spanned(delivery, send) : send(delivery))
    },
    Effect.catchTags({
      SigningSecretMissing: ({ message }) => Effect.succeed(final(message)),
      EndpointGone: ({ message }) =>
        Effect.succeed<End>({ result: unsent(message), verdict: { _tag: "Cancelled" } }),
      // An operator may bring the missing key back, so these are tried again.
      SealBroken: ({ message }) => Effect.succeed(retryable(unsent(message))),
      SigningSecretInvalid: ({ message }) => Effect.succeed(retryable(unsent(message)))
    }),
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.as(
            Effect.logError("A delivery attempt failed inside the dispatcher", cause),
            retryable(unsent("The dispatcher failed to send"))
          )
    )
  )

  return Effect.fnUntraced(function* (inFlight: InFlight): Effect.fn.Return<Settlement> {
    const { delivery } = inFlight
    const startedAt = yield* DateTime.now
    const { result, verdict } = yield* attempt(inFlight, startedAt)
    const at = yield* DateTime.now
    return {
      accountId: delivery.accountId,
      attempt: {
        ...result,
        deliveryId: delivery.id,
        round: delivery.round,
        number: delivery.attempts,
        startedAt,
        durationMs: Math.max(0, at.epochMilliseconds - startedAt.epochMilliseconds)
      },
      sent: delivery,
      verdict: verdict ?? verdictOn({ delivery, result, at, random: random.nextDoubleUnsafe() })
    }
  })
})

const retryable = (result: AttemptResult): End => ({ result })

const final = (error: string): End => ({ result: unsent(error), verdict: { _tag: "Dead" } })

const unsent = (error: string): AttemptResult => ({
  phase: "policy",
  status: null,
  error,
  cause: "send_failed",
  remoteAddress: null,
  requestHeaders: {},
  timings: noTimings,
  responseHeaders: {},
  responseBody: null,
  isTruncated: false
})
