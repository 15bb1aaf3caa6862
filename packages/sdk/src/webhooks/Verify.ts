/** Tells genuine callbacks from others. */
import type { WebhookEvent } from "../wire/Integration.ts"
import { isSignedBy, utf8 } from "./Signature.ts"

/** Header values by name, as `fetch` or Node give them. */
export type WebhookHeaders =
  | Pick<Headers, "get">
  | { readonly [name: string]: string | ReadonlyArray<string> | undefined }

export type WebhookRejectedReason =
  | "timestamp_malformed"
  | "timestamp_out_of_tolerance"
  | "signature_malformed"
  | "signature_mismatch"
  | "body_malformed"
  | "event_id_mismatch"

/** A callback that must not be believed. Answer it 401. */
export class WebhookRejectedError extends Error {
  override readonly name = "WebhookRejectedError"
  readonly reason: WebhookRejectedReason

  constructor(reason: WebhookRejectedReason) {
    super(`The webhook was rejected: ${reason}`)
    this.reason = reason
  }
}

/** The signing secrets that may have signed: one, or both during a rotation. */
export type Secrets = string | ReadonlyArray<string>

/** How far a timestamp may be from this clock, either way. */
const toleranceSeconds = 300

/**
 * The event of a callback. Rejects with a `WebhookRejectedError` unless it is
 * signed by one of the secrets, recent, and about the event that its header
 * names: that header is not signed.
 */
export const verifyWebhook = async ({
  body,
  headers,
  now = new Date(),
  secrets
}: {
  /** The body as it was received: its bytes, or its text before any parsing. */
  readonly body: string | Uint8Array | ArrayBuffer
  readonly headers: WebhookHeaders
  readonly secrets: Secrets
  /** The receiver's time; that of its clock unless given. */
  readonly now?: Date
}): Promise<WebhookEvent> => {
  const known = [secrets].flat()
  if (known.length === 0 || !known.every(Boolean)) throw new TypeError("secrets must not be empty")
  const header = readerOf(headers)
  const timestamp = header("timestamp")
  if (!/^[1-9][0-9]{9,10}$/.test(timestamp)) throw new WebhookRejectedError("timestamp_malformed")
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookRejectedError("timestamp_out_of_tolerance")
  }
  const signature = header("signature")
  if (!/^[0-9a-f]{64}$/.test(signature)) throw new WebhookRejectedError("signature_malformed")
  const bytes = typeof body === "string" ? utf8(body) : new Uint8Array(body)
  const verdicts = await Promise.all(
    known.map((secret) => isSignedBy(secret, signature, { body: bytes, timestamp }))
  )
  if (!verdicts.includes(true)) throw new WebhookRejectedError("signature_mismatch")
  const event = eventOf(bytes)
  if (event === undefined) throw new WebhookRejectedError("body_malformed")
  // Two that are missing are equal, and yet prove nothing.
  const id = header("event-id")
  if (id === "" || event.event_id !== id) throw new WebhookRejectedError("event_id_mismatch")
  return event
}

/** Reads `X-Webhook-` headers; the empty text where one is missing. */
const readerOf = (headers: WebhookHeaders) => (name: string) => {
  const wanted = `x-webhook-${name}`
  const value =
    typeof headers.get === "function"
      ? headers.get(wanted)
      : Object.entries(headers).find(([given]) => given.toLowerCase() === wanted)?.[1]
  return String(value ?? "")
}

/** The object that the bytes are. It was signed by the service, whose promise its fields are. */
const eventOf = (bytes: Uint8Array): WebhookEvent | undefined => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
    const value = JSON.parse(text)
    return typeof value === "object" && !Array.isArray(value) ? (value ?? undefined) : undefined
  } catch {
    return undefined
  }
}
