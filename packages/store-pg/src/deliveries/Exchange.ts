/**
 * The request and response of an attempt as rows hold them, without nulls, empty values and usual headers. A callback
 * takes 1.1 KB of disk instead of 2.0 with all of its headers.
 */
import { noTimings } from "@runhook/core/deliveries/steps/AttemptTimings"
import type { DeliveryAttempt } from "@runhook/core/deliveries/Delivery"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import { restored, type Sent, unusualOf, usualAnswer, usualOfSent, usualRequest } from "./UsualHeaders.ts"

const Unusual = Schema.Record(Schema.String, Schema.NullOr(Schema.String))

export const Exchange = Schema.Struct({
  /** Unusual headers of the request, as its signatures are; absent when nothing was sent. */
  sent: Schema.optionalKey(Unusual),
  /** Unusual headers of the answer; absent when it had none. */
  received: Schema.optionalKey(Unusual),
  took: Schema.Struct({
    dns: Schema.optionalKey(Schema.Int),
    connect: Schema.optionalKey(Schema.Int),
    tls: Schema.optionalKey(Schema.Int),
    headers: Schema.optionalKey(Schema.Int),
    body: Schema.optionalKey(Schema.Int)
  })
})
export type Exchange = typeof Exchange.Type

type Told = Pick<DeliveryAttempt, "timings" | "requestHeaders" | "responseHeaders">

/** Expected headers when none are known, so that all count as unusual. */
const unknownSent = { host: "", "content-length": "" }

export const exchangeOf = (attempt: DeliveryAttempt, sent: Sent | undefined): Exchange => {
  const { requestHeaders, responseHeaders, timings } = attempt
  const usual = { ...usualRequest(attempt), ...(sent === undefined ? unknownSent : usualOfSent(sent)) }
  return {
    ...(Record.isEmptyRecord(requestHeaders) ? {} : { sent: unusualOf(requestHeaders, usual) }),
    ...(Record.isEmptyRecord(responseHeaders)
      ? {}
      : { received: unusualOf(responseHeaders, usualAnswer(attempt)) }),
    took: Record.filter(timings, Predicate.isNotNull)
  }
}

export const toldIn = (
  { received, sent: said, took }: Exchange,
  attempt: Omit<DeliveryAttempt, keyof Told>,
  sent: Sent
): Told => ({
  timings: { ...noTimings, ...took },
  requestHeaders:
    said === undefined ? {} : restored(said, { ...usualRequest(attempt), ...usualOfSent(sent) }),
  responseHeaders: received === undefined ? {} : restored(received, usualAnswer(attempt))
})
