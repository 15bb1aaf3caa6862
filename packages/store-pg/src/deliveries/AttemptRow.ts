/** Attempts of deliveries that have rows of their own: all but those in `FirstAttempt`. */
import { DeliveryAttempt } from "@runhook/core/domain/delivery/Delivery"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { Exchange, exchangeOf, toldBefore, toldIn } from "./Exchange.ts"
import type { Sent } from "./UsualHeaders.ts"

/** How the exchange is written. Versions before said nothing of it, and left less out. */
const presentForm = 2

/** The column `exchange` of an attempt. */
export const exchangeText = (attempt: DeliveryAttempt, sent: Sent | undefined): string =>
  JSON.stringify({ form: presentForm, ...exchangeOf(attempt, sent) })

export const AttemptRow = Schema.Struct({
  ...Struct.omit(DeliveryAttempt.fields, ["requestHeaders", "responseHeaders", "timings"]),
  exchange: Schema.Struct({ ...Exchange.fields, form: Schema.optionalKey(Schema.Literal(presentForm)) })
})

export const attemptColumns = `
  delivery_id AS "deliveryId", round, number, started_at AS "startedAt", duration_ms AS "durationMs", phase,
  status, error, cause, remote_address AS "remoteAddress", exchange, response_body AS "responseBody",
  is_truncated AS "isTruncated"`

/** An attempt to deliver what was sent. */
export const attemptOf = (
  { exchange: { form, ...exchange }, ...attempt }: typeof AttemptRow.Type,
  sent: Sent
): DeliveryAttempt => ({
  ...attempt,
  ...(form === undefined ? toldBefore(exchange, attempt) : toldIn(exchange, attempt, sent))
})
