/** Why a callback must not be believed, by the documented rules; written without the code under test. */
import { createHmac, timingSafeEqual } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"

/** Seconds by which a genuine timestamp may be off. */
const tolerance = 300

export const forgeryOf = (headers: IncomingHttpHeaders, body: Buffer, secret: string): string | undefined => {
  const timestamp = String(headers["x-webhook-timestamp"])
  const age = new Date().getTime() / 1_000 - Number(timestamp)
  if (!(Math.abs(age) <= tolerance)) return `its timestamp is ${Math.round(age)} s old`
  const expected = createHmac("sha256", secret).update(body).update(timestamp).digest()
  const given = Buffer.from(String(headers["x-webhook-signature"]), "hex")
  const isGenuine = given.length === expected.length && timingSafeEqual(given, expected)
  if (!isGenuine) return "its signature is not ours"
  const { event_id: eventId } = JSON.parse(body.toString())
  return headers["x-webhook-event-id"] === eventId ? undefined : "its header names another event"
}
