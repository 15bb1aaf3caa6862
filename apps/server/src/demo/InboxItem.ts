/** A callback in the inbox: what came, and whether it is genuine. */
import type { SigningKeys } from "@runhook/core/signing/SigningSecret"
import { verify } from "@runhook/core/signing/WebhookSignature"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** A request as it came. */
export interface Received {
  readonly body: string
  readonly headers: { readonly [name: string]: string | undefined }
}

export interface InboxItem {
  /** Counted from 1. */
  readonly number: number
  readonly received_at: string
  readonly verified: boolean
  /** Why it is not verified; null if it is. */
  readonly problem: string | null
  readonly attempt: string | null
  /** The event, or what came instead. */
  readonly body: unknown
}

/** Checks a callback against the keys that should have signed it. */
export const judge = (
  keys: SigningKeys,
  { body, headers }: Received,
  receivedAt: DateTime.Utc
): Omit<InboxItem, "number"> => {
  const verdict = verify([keys], {
    body,
    timestamp: headers["x-webhook-timestamp"],
    signature: headers["x-webhook-signature"],
    eventId: headers["x-webhook-event-id"],
    receivedAt
  })
  return {
    received_at: DateTime.formatIso(receivedAt),
    verified: Result.isSuccess(verdict),
    problem: Result.isFailure(verdict) ? verdict.failure.message : null,
    attempt: headers["x-webhook-attempt"] ?? null,
    body: Result.getOrElse(verdict, () => parsed(body))
  }
}

const parsed = (body: string): unknown => Option.getOrElse(decodeJson(body), () => body)

const decodeJson = Schema.decodeOption(Schema.fromJsonString(Schema.Json))
