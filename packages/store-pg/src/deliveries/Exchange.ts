/** The request and response of an attempt as rows hold them, without nulls, empty values and usual headers. */
import { noTimings } from "@runhook/core/domain/delivery/AttemptTimings"
import type { DeliveryAttempt } from "@runhook/core/domain/delivery/Delivery"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import { withoutSignatures, withSignatures } from "./Signatures.ts"
import { restored, type Sent, unusualOf, usualAnswer, usualOfSent, usualRequest } from "./UsualHeaders.ts"

const Unusual = Schema.Record(Schema.String, Schema.NullOr(Schema.String))

export const Exchange = Schema.Struct({
  /** Unusual headers of the request, if any. */
  sent: Schema.optionalKey(Unusual),
  /** The signatures that are not among them. Without both, nothing was sent. */
  signed: Schema.optionalKey(Schema.Tuple([Schema.String, Schema.String])),
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
    ...(Record.isEmptyRecord(requestHeaders) ? {} : withoutSignatures(unusualOf(requestHeaders, usual))),
    ...(Record.isEmptyRecord(responseHeaders)
      ? {}
      : { received: unusualOf(responseHeaders, usualAnswer(attempt)) }),
    took: Record.filter(timings, Predicate.isNotNull)
  }
}

export const toldIn = (
  { received, sent: said, signed, took }: Exchange,
  attempt: Omit<DeliveryAttempt, keyof Told>,
  sent: Sent
): Told => ({
  timings: { ...noTimings, ...took },
  requestHeaders:
    said === undefined && signed === undefined
      ? {}
      : restored(withSignatures(said, signed), { ...usualRequest(attempt), ...usualOfSent(sent) }),
  responseHeaders: received === undefined ? {} : restored(received, usualAnswer(attempt))
})
