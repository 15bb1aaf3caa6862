/** How alerts leave the service. A host that provides nothing sends none. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { WebhookRequest } from "../signing/SignedRequest.ts"

/** A mail as plain text. */
export interface AlertMail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

interface AlertChannels {
  /** Whether mails can be sent. */
  readonly sendsMail: boolean
  /** The page for people, without a slash at the end; null if there is none. */
  readonly pageUrl: string | null
  /** Sends once, within bounds of time. Answers null, or why it was not taken, in words that everybody may read. */
  post(request: WebhookRequest): Effect.Effect<string | null>
  mail(mail: AlertMail): Effect.Effect<string | null>
}

const refusal = Effect.succeed("This host sends no alerts")

export const AlertChannels = Context.Reference<AlertChannels>("@runhook/core/alerts/AlertChannels", {
  defaultValue: () => ({ sendsMail: false, pageUrl: null, post: () => refusal, mail: () => refusal })
})
