/** Verifies that callbacks are genuine. */
import type { WebhookEvent } from "../wire/Integration.ts"
import { type Secrets, secretsOf } from "./Secrets.ts"
import { isSignedBy, utf8 } from "./Signature.ts"

/** Header values by name, as `fetch` or Node give them. */
export type WebhookHeaders =
  | Pick<Headers, "get">
  | { readonly [name: string]: string | ReadonlyArray<string> | undefined }

export type WebhookRejectedReason =
  | "body_already_read"
  | "timestamp_malformed"
  | "timestamp_out_of_tolerance"
  | "signature_malformed"
  | "signature_mismatch"
  | "body_malformed"
  | "event_id_mismatch"

/** What to do, if the reason alone does not say. */
const advice: { readonly [Reason in WebhookRejectedReason]?: string } = {
  body_already_read: ": verify before express.json() or any other parser"
}

export const rejectionMessage = (reason: WebhookRejectedReason): string =>
  `The webhook was rejected: ${reason}${advice[reason] ?? ""}`

/** A callback that must not be trusted. Answer 401; for `body_already_read`, which is the receiver's own fault, answer 500. */
export class WebhookRejectedError extends Error {
  override readonly name = "WebhookRejectedError"
  readonly reason: WebhookRejectedReason

  constructor(reason: WebhookRejectedReason) {
    super(rejectionMessage(reason))
    this.reason = reason
  }
}

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
  const known = secretsOf(secrets)
  const bytes = bytesOf(body)
  const header = readerOf(headers)
  const timestamp = header("timestamp")
  if (!/^[1-9][0-9]{9,10}$/.test(timestamp)) throw new WebhookRejectedError("timestamp_malformed")
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookRejectedError("timestamp_out_of_tolerance")
  }
  const signature = header("signature")
  if (!/^[0-9a-f]{64}$/.test(signature)) throw new WebhookRejectedError("signature_malformed")
  const verdicts = await Promise.all(
    known.map((secret) => isSignedBy(secret, signature, { body: bytes, timestamp }))
  )
  if (!verdicts.includes(true)) throw new WebhookRejectedError("signature_mismatch")
  const event = eventOf(bytes)
  if (event === undefined) throw new WebhookRejectedError("body_malformed")
  // Two missing ids are equal, but prove nothing.
  const id = header("event-id")
  if (id === "" || event.event_id !== id) throw new WebhookRejectedError("event_id_mismatch")
  return event
}

/** Untyped programs may pass what a parser made of the body. */
const bytesOf = (body: string | Uint8Array | ArrayBuffer): Uint8Array<ArrayBuffer> => {
  if (typeof body === "string") return utf8(body)
  // Bytes may be of another realm, as in some test runners, so their class tells nothing.
  if (Object(body).byteLength === undefined) throw new WebhookRejectedError("body_already_read")
  return new Uint8Array(body)
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
