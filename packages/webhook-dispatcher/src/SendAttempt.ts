/** Sends one attempt of a delivery, signed by the keys of the moment. Whatever goes wrong is the result of the attempt. */
import { noTimings } from "@runhook/core/domain/delivery/AttemptTimings"
import type { Delivery } from "@runhook/core/domain/delivery/Delivery"
import { deliveryAttemptsMax } from "@runhook/core/domain/delivery/DeliveryBackoff"
import * as SigningKeyring from "@runhook/core/runtime/SigningKeyring"
import { signedRequest } from "@runhook/core/signing/SignedRequest"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { type AttemptResult, Sender } from "./Sender.ts"
import * as WebhookMetrics from "./WebhookMetrics.ts"

/** An attempt that was made, before it is judged. */
export interface Attempted {
  readonly delivery: Delivery
  readonly startedAt: DateTime.Utc
  readonly endedAt: DateTime.Utc
  readonly result: AttemptResult
  /** Whether another attempt could end better than this one. */
  readonly isRetryable: boolean
}

type End = Pick<Attempted, "isRetryable" | "result">

/** Gives a function that sends. Only an interruption leaves an attempt without a result. */
export const make = Effect.fnUntraced(function* (options: {
  /** Called when the request may begin to arrive. */
  readonly onSend: (delivery: Delivery) => void
}) {
  const sender = yield* Sender
  const keysFor = yield* SigningKeyring.make

  const attempt = Effect.fnUntraced(
    function* (delivery: Delivery, at: DateTime.Utc) {
      // Claimed once more after its last attempt: whichever process made that one died before it could say how it ended.
      if (delivery.attempts > deliveryAttemptsMax) return final("The last attempt was not completed")
      const keys = yield* keysFor(delivery, at)
      options.onSend(delivery)
      return retryable(yield* sender.send(signedRequest({ delivery, keys, at })))
    },
    Effect.catchTags({
      SigningSecretMissing: ({ message }) => Effect.succeed(final(message)),
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

  return Effect.fnUntraced(function* (delivery: Delivery): Effect.fn.Return<Attempted> {
    yield* WebhookMetrics.attemptBegins(delivery)
    const startedAt = yield* DateTime.now
    const { isRetryable, result } = yield* attempt(delivery, startedAt)
    return { delivery, startedAt, endedAt: yield* DateTime.now, result, isRetryable }
  })
})

const retryable = (result: AttemptResult): End => ({ result, isRetryable: true })

const final = (error: string): End => ({ result: unsent(error), isRetryable: false })

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
