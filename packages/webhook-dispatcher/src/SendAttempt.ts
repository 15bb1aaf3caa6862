/**
 * Sends one attempt of a delivery, signed with the current keys, and judges it. Any failure becomes the result of the
 * attempt.
 */
import { noTimings } from "@runhook/core/deliveries/steps/AttemptTimings"
import { deliveryAttemptsMax } from "@runhook/core/deliveries/steps/DeliveryBackoff"
import type { Verdict } from "@runhook/core/deliveries/steps/DeliveryMoves"
import { checkUrl } from "@runhook/core/shared/target/CallbackUrl"
import type { Settlement } from "@runhook/core/deliveries/DeliveryStore"
import { tracerOf } from "@runhook/core/executions/ExecutionSpans"
import * as SigningKeyring from "@runhook/core/keys/SigningKeyring"
import { CallbackTargets } from "@runhook/core/Settings"
import { signedRequest } from "@runhook/core/signing/SignedRequest"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import { spanned } from "./AttemptSpan.ts"
import type { InFlight } from "./receivers/Receiver.ts"
import { retryUntried, verdictOn } from "./RetryPolicy.ts"
import { type AttemptResult, Sender } from "./Sender.ts"

/** With a verdict, the receiver was not even looked for: the attempt does not count. */
interface End {
  readonly result: AttemptResult
  readonly verdict?: Verdict
}

/** Gives a function that sends. Only an interruption leaves an attempt without a result. */
export const make = Effect.gen(function* () {
  const sender = yield* Sender
  const keysFor = yield* SigningKeyring.make
  const random = yield* Random.Random
  const targets = yield* CallbackTargets
  const isTraced = (yield* tracerOf) !== undefined

  const attempt = (inFlight: InFlight, at: DateTime.Utc) => {
    const { delivery } = inFlight
    // What is missing may come back.
    const untried = (error: string): End => unmade(error, retryUntried(delivery, at))
    return Effect.gen(function* () {
      // Claimed again after its last attempt: the process that made that one died before it could report its result.
      if (delivery.attempts > deliveryAttemptsMax)
        return unmade("The last attempt was not completed", { _tag: "Dead" })
      const keys = yield* keysFor(delivery, at)
      // From now on it may arrive.
      inFlight.stage = "sent"
      const send = (sent: typeof delivery) => sender.send(signedRequest({ delivery: sent, keys, at }))
      const result = yield* isTraced ? spanned(delivery, send) : send(delivery)
      // The URL itself, and not what its name resolves to at this moment.
      const isRefused = result.cause === "blocked" && Result.isFailure(checkUrl(delivery.url, targets))
      return isRefused ? { result, verdict: cancelled } : { result }
    }).pipe(
      Effect.catchTags({
        SigningSecretMissing: ({ message }) => Effect.succeed(unmade(message, { _tag: "Dead" })),
        EndpointGone: () => Effect.succeed({ result: unsent(null), verdict: cancelled }),
        SealBroken: ({ message }) => Effect.succeed(untried(message)),
        SigningSecretInvalid: ({ message }) => Effect.succeed(untried(message))
      }),
      Effect.catchCause((cause) => {
        if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
        const error = "The dispatcher failed to send"
        const end = inFlight.stage === "sent" ? { result: unsent(error) } : untried(error)
        return Effect.as(Effect.logError("A delivery attempt failed inside the dispatcher", cause), end)
      })
    )
  }

  return Effect.fnUntraced(function* (inFlight: InFlight): Effect.fn.Return<Settlement> {
    const { delivery } = inFlight
    const startedAt = yield* DateTime.now
    const { result, verdict }: End = yield* attempt(inFlight, startedAt)
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
      verdict: verdict ?? verdictOn({ delivery, result, at, random: random.nextDoubleUnsafe() }),
      isUnmade: verdict !== undefined
    }
  })
})

const cancelled: Verdict = { _tag: "Cancelled" }

const unmade = (error: string, verdict: Verdict): End => ({ result: unsent(error), verdict })

const unsent = (error: string | null): AttemptResult => ({
  phase: "policy",
  status: null,
  error,
  cause: error === null ? null : "send_failed",
  remoteAddress: null,
  requestHeaders: {},
  timings: noTimings,
  responseHeaders: {},
  responseBody: null,
  isTruncated: false
})
