/** Verifies callbacks, by the program's clock. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Verify from "../webhooks/Verify.ts"
import type { WebhookEvent } from "../wire/Integration.ts"
import { WebhookRejectedError } from "./Errors.ts"

/** A callback as it was received. */
export interface ReceivedWebhook {
  /** The body's bytes, or its text before any parsing. */
  readonly body: string | Uint8Array | ArrayBuffer
  readonly headers: Verify.WebhookHeaders
  /** The signing secrets that may have signed: one, or both during a rotation. */
  readonly secrets: Redacted.Redacted | ReadonlyArray<Redacted.Redacted>
}

/**
 * The event of a callback, unless it is not signed by one of the secrets, not
 * recent by the program's clock, or not about the event that its header names.
 */
export const verifyWebhook = Effect.fn("Runhook.verifyWebhook")(function* ({
  body,
  headers,
  secrets
}: ReceivedWebhook): Effect.fn.Return<WebhookEvent, WebhookRejectedError> {
  const now = new Date(yield* Clock.currentTimeMillis)
  const known = Redacted.isRedacted(secrets) ? [secrets] : secrets
  const verified = yield* Effect.promise(() =>
    Verify.verifyWebhook({ body, headers, now, secrets: known.map(Redacted.value) }).catch(rejectionOf)
  )
  return verified instanceof WebhookRejectedError ? yield* verified : verified
})

/** The rejection, as an error of Effect. Anything else is a defect. */
const rejectionOf = (cause: unknown): WebhookRejectedError => {
  if (cause instanceof Verify.WebhookRejectedError) return new WebhookRejectedError({ reason: cause.reason })
  throw cause
}
