/** Attempts of deliveries that have rows of their own: all but those in `FirstAttempt`. */
import { DeliveryAttempt } from "@runhook/core/deliveries/Delivery"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { Exchange, exchangeOf, toldIn } from "./Exchange.ts"
import type { Sent } from "./UsualHeaders.ts"
import { columnsOf, listOf } from "../rows/RowTable.ts"

/** The column `exchange` of an attempt. */
export const exchangeText = (attempt: DeliveryAttempt, sent: Sent | undefined): string =>
  JSON.stringify(exchangeOf(attempt, sent))

export const AttemptRow = Schema.Struct({
  ...Struct.omit(DeliveryAttempt.fields, ["requestHeaders", "responseHeaders", "timings"]),
  exchange: Exchange
})

export const attemptColumns = listOf(columnsOf(AttemptRow, ""))

/** An attempt to deliver `sent`. */
export const attemptOf = ({ exchange, ...attempt }: typeof AttemptRow.Type, sent: Sent): DeliveryAttempt => ({
  ...attempt,
  ...toldIn(exchange, attempt, sent)
})
