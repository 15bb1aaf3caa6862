/** Attempts of deliveries as their rows hold them: what is null, empty or usual of headers and timings takes no room. */
import { noTimings } from "@runhook/core/domain/AttemptTimings"
import { DeliveryAttempt } from "@runhook/core/domain/Delivery"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { restored, unusualOf } from "./UsualHeaders.ts"

const Exchange = Schema.Struct({
  /** What is unusual about the headers of the request; absent when nothing was sent. */
  sent: Schema.optionalKey(Schema.Record(Schema.String, Schema.NullOr(Schema.String))),
  received: Schema.optionalKey(DeliveryAttempt.fields.responseHeaders),
  took: Schema.Struct({
    dns: Schema.optionalKey(Schema.Int),
    connect: Schema.optionalKey(Schema.Int),
    tls: Schema.optionalKey(Schema.Int),
    headers: Schema.optionalKey(Schema.Int),
    body: Schema.optionalKey(Schema.Int)
  })
})

/** The column `exchange` of an attempt. */
export const exchangeText = (attempt: DeliveryAttempt): string => {
  const { requestHeaders, responseHeaders, timings } = attempt
  return JSON.stringify({
    ...(Record.isEmptyRecord(requestHeaders) ? {} : { sent: unusualOf(attempt, requestHeaders) }),
    ...(Record.isEmptyRecord(responseHeaders) ? {} : { received: responseHeaders }),
    took: Record.filter(timings, Predicate.isNotNull)
  })
}

export const AttemptRow = Schema.Struct({
  ...Struct.omit(DeliveryAttempt.fields, ["requestHeaders", "responseHeaders", "timings"]),
  exchange: Exchange
})

export const attemptColumns = `
  delivery_id AS "deliveryId", round, number, started_at AS "startedAt", duration_ms AS "durationMs", phase,
  status, error, cause, remote_address AS "remoteAddress", exchange, response_body AS "responseBody",
  is_truncated AS "isTruncated"`

export const attemptOf = ({
  exchange: { received, sent, took },
  ...attempt
}: typeof AttemptRow.Type): DeliveryAttempt => ({
  ...attempt,
  timings: { ...noTimings, ...took },
  requestHeaders: sent === undefined ? {} : restored(attempt, sent),
  responseHeaders: received ?? {}
})
