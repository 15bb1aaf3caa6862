/** What a receiver does to tell genuine callbacks. */
import { createHmac } from "node:crypto"
import type { Received } from "@runhook/test-support/receivers/Receiver"
import * as Redacted from "effect/Redacted"

/** Whether a callback is signed as specified. */
export const isSigned = ({ body, headers }: Received, secret: Redacted.Redacted): boolean =>
  headers["x-webhook-signature"] ===
  createHmac("sha256", Redacted.value(secret))
    .update(`${body}${headers["x-webhook-timestamp"]}`)
    .digest("hex")

/** One signature of Standard Webhooks. */
export const standardSignature = ({ body, headers }: Received, secret: Redacted.Redacted): string => {
  const key = Buffer.from(Redacted.value(secret).replace("whsec_", ""), "base64")
  const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`
  return `v1,${createHmac("sha256", key).update(content).digest("base64")}`
}

export const secondsAt = (millis: number): string => String(Math.floor(millis / 1000))
