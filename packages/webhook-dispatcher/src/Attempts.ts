/** Makes one attempt of a delivery: signs, sends, and decides what follows. */
import { noTimings } from "@runhook/core/domain/delivery/AttemptTimings"
import { deliveryAttemptsMax } from "@runhook/core/domain/delivery/DeliveryBackoff"
import type { Verdict } from "@runhook/core/domain/delivery/DeliveryMoves"
import type { Delivery } from "@runhook/core/domain/delivery/Delivery"
import type { Settlement } from "@runhook/core/ports/DeliveryStore"
import { signedRequest } from "@runhook/core/signing/SignedRequest"
import * as SigningKeyring from "@runhook/core/runtime/SigningKeyring"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { type AttemptResult, Sender } from "./Sender.ts"
import { verdictOn } from "./RetryPolicy.ts"

/** What an attempt came to, before its times are known. */
interface Outcome {
  readonly result: AttemptResult
  readonly isHopeless: boolean
}

interface Sending {
  readonly delivery: Delivery
  readonly at: DateTime.Utc
  readonly onSend: () => void
}

export const make = Effect.gen(function* () {
  const sender = yield* Sender
  const keysFor = yield* SigningKeyring.make

  const send = Effect.fnUntraced(
    function* ({ at, delivery, onSend }: Sending) {
      // Claimed again after its last attempt: whatever tried it, perished over it.
      if (delivery.attempts > deliveryAttemptsMax) return hopeless("The last attempt was not completed")
      const keys = yield* keysFor(delivery, at)
      onSend()
      return tried(yield* sender.send(signedRequest({ delivery, keys, at })))
    },
    Effect.catchTags({
      SigningSecretMissing: ({ message }) => Effect.succeed(hopeless(message)),
      // The operator may bring the missing key back, so these are tried again.
      SealBroken: ({ message }) => Effect.succeed(tried(unsent(message))),
      SigningSecretInvalid: ({ message }) => Effect.succeed(tried(unsent(message)))
    }),
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.as(
            Effect.logError("A delivery attempt failed inside the dispatcher", cause),
            tried(unsent("The dispatcher failed to send"))
          )
    )
  )

  /**
   * Attempts a claimed delivery, and tells when it may begin to arrive.
   * Whatever goes wrong is in the settlement; only an interruption leaves none.
   */
  return Effect.fnUntraced(function* (delivery: Delivery, onSend: () => void): Effect.fn.Return<Settlement> {
    const startedAt = yield* DateTime.now
    const { isHopeless, result } = yield* send({ delivery, at: startedAt, onSend })
    const at = yield* DateTime.now
    const random = yield* Random.next
    const verdict: Verdict = isHopeless ? { _tag: "Dead" } : verdictOn({ delivery, result, at, random })
    return {
      accountId: delivery.accountId,
      attempt: {
        ...result,
        deliveryId: delivery.id,
        round: delivery.round,
        number: delivery.attempts,
        startedAt,
        durationMs: Math.max(0, Math.round(Duration.toMillis(DateTime.distance(startedAt, at))))
      },
      sent: delivery,
      verdict
    }
  })
})

const tried = (result: AttemptResult): Outcome => ({ result, isHopeless: false })

const hopeless = (error: string): Outcome => ({ result: unsent(error), isHopeless: true })

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
