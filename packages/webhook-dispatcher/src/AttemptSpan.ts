/** What a trace shows of an attempt: below the caller's span, and above whatever its receiver records. */
import { type Delivery, destinationOf } from "@runhook/core/deliveries/Delivery"
import { spanOf, traceparentOf } from "@runhook/core/executions/Traceparent"
import * as Effect from "effect/Effect"
import type { AttemptResult } from "./Sender.ts"

type Traced = Pick<Delivery, "attempts" | "id" | "traceparent" | "url">

/**
 * Sends within a span, if the delivery is part of a trace. Paths and queries of receivers may be secret, so it names
 * no more than their origin.
 */
export const spanned = <D extends Traced>(
  delivery: D,
  send: (delivery: D) => Effect.Effect<AttemptResult>
): Effect.Effect<AttemptResult> => {
  const { attempts, id, traceparent, url } = delivery
  if (traceparent === null) return send(delivery)
  const options = {
    kind: "client",
    parent: spanOf(traceparent),
    attributes: {
      "http.request.method": "POST",
      "http.request.resend_count": attempts - 1,
      "runhook.event.id": id,
      "server.address": destinationOf(url)
    }
  } as const
  return Effect.useSpan("callback", options, (span) =>
    Effect.tap(send({ ...delivery, traceparent: traceparentOf(span) }), ({ cause, status }) =>
      Effect.sync(() => {
        if (status !== null) span.attribute("http.response.status_code", status)
        if (cause !== null) span.attribute("error.type", cause)
      })
    )
  )
}
