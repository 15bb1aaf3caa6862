/**
 * How callbacks are signed, and how a receiver checks one. `X-Webhook-Signature`
 * signs the body directly followed by the timestamp; the event id header is not
 * signed. So a receiver must insist on the form of the timestamp and compare the id
 * with the one in the body.
 */
import { createHmac, type KeyObject } from "node:crypto"
import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { JsonObject } from "../shared/json/Json.ts"
import { isEqualInConstantTime } from "./ConstantTime.ts"
import type { SigningKeys } from "./SigningSecret.ts"

/** How far a timestamp may be from the receiver's clock, in both directions. */
export const toleranceSeconds = 300

/** The text of the timestamp headers: Unix time in seconds. */
export const timestampAt = (at: DateTime.Utc): string => String(Math.floor(at.epochMilliseconds / 1_000))

/** `X-Webhook-Signature`: HMAC-SHA256 of body and timestamp, lower-case hex. */
export const sign = (
  keys: SigningKeys,
  { body, timestamp }: { readonly body: string; readonly timestamp: string }
): string => hmac(keys.whole, body + timestamp).digest("hex")

/** `webhook-signature` of Standard Webhooks: one signature per secret, so a receiver may know any of them. */
export const signStandard = (
  secrets: ReadonlyArray<SigningKeys>,
  event: { readonly id: string; readonly body: string; readonly timestamp: string }
): string => {
  const content = `${event.id}.${event.timestamp}.${event.body}`
  return secrets.map(({ decoded }) => `v1,${hmac(decoded, content).digest("base64")}`).join(" ")
}

export const WebhookRejectedReason = Schema.Literals([
  "timestamp_malformed",
  "timestamp_out_of_tolerance",
  "signature_malformed",
  "signature_mismatch",
  "body_malformed",
  "event_id_mismatch"
])
export type WebhookRejectedReason = typeof WebhookRejectedReason.Type

const explanations: { readonly [Reason in WebhookRejectedReason]: string } = {
  timestamp_malformed: "X-Webhook-Timestamp is missing or not a Unix time in seconds",
  timestamp_out_of_tolerance: `X-Webhook-Timestamp is more than ${toleranceSeconds} seconds off`,
  signature_malformed: "X-Webhook-Signature is missing or not 64 lower-case hex digits",
  signature_mismatch: "X-Webhook-Signature does not match the body and the timestamp",
  body_malformed: "The body is not a JSON object",
  event_id_mismatch: "X-Webhook-Event-Id is missing or not the event_id of the body"
}

/** A callback that a receiver must refuse. */
export class WebhookRejected extends Schema.TaggedError<WebhookRejected>()("WebhookRejected", {
  reason: WebhookRejectedReason
}) {
  override get message() {
    return explanations[this.reason]
  }
}

/** Checks a callback with the receiver's secrets, and gives the event in its body. */
export const verify = (
  secrets: ReadonlyArray<SigningKeys>,
  callback: {
    /** The body as it was received, byte for byte. */
    readonly body: string
    /** The `X-Webhook-` headers; undefined where one is missing. */
    readonly timestamp: string | undefined
    readonly signature: string | undefined
    readonly eventId: string | undefined
    readonly receivedAt: DateTime.Utc
  }
): Result.Result<JsonObject, WebhookRejected> => {
  const { body, timestamp, signature, eventId, receivedAt } = callback
  if (timestamp === undefined || !/^[1-9][0-9]{9,10}$/.test(timestamp)) return reject("timestamp_malformed")
  const ageSeconds = receivedAt.epochMilliseconds / 1_000 - Number(timestamp)
  if (Math.abs(ageSeconds) > toleranceSeconds) return reject("timestamp_out_of_tolerance")
  if (signature === undefined || !/^[0-9a-f]{64}$/.test(signature)) return reject("signature_malformed")
  const isSigned = (keys: SigningKeys) => isEqualInConstantTime(sign(keys, { body, timestamp }), signature)
  if (!secrets.some(isSigned)) return reject("signature_mismatch")
  const event = Option.getOrUndefined(decodeEvent(body))
  if (event === undefined) return reject("body_malformed")
  // Two missing values are equal, and yet prove nothing.
  const isSame = eventId !== undefined && event["event_id"] === eventId
  return isSame ? Result.succeed(event) : reject("event_id_mismatch")
}

const reject = (reason: WebhookRejectedReason) => Result.fail(new WebhookRejected({ reason }))

const decodeEvent = Schema.decodeOption(Schema.fromJsonString(Schema.JsonObject))

const hmac = (key: KeyObject, text: string) => createHmac("sha256", key).update(text)
