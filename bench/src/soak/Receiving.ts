/** A receiver on loopback as integrators write it: it reads a callback, verifies its signature, and answers. */
import { createServer, type IncomingMessage } from "node:http"
import { text } from "node:stream/consumers"
import { parse } from "@runhook/core/signing/SigningSecret"
import { verify } from "@runhook/core/signing/WebhookSignature"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { listen } from "../Listening.ts"
import type { Ledger } from "./Ledger.ts"

const Event = Schema.Struct({
  type: Schema.String,
  occurred_at: Schema.DateTimeUtcFromString,
  execution: Schema.Struct({ id: Schema.String })
})

const decodeEvent = Schema.decodeUnknownResult(Event)

/** Starts it; answers its URL. */
export const start = (
  { ledger, signingSecret }: { readonly ledger: Ledger; readonly signingSecret: string },
  resources: AsyncDisposableStack
): Promise<string> => {
  const keys = [Result.getOrThrow(parse(signingSecret))]
  const receive = async (request: IncomingMessage) => {
    const body = await text(request)
    const receivedAt = DateTime.makeUnsafe(new Date())
    const header = (name: string) => {
      const value = request.headers[`x-webhook-${name}`]
      return typeof value === "string" ? value : undefined
    }
    const event = verify(keys, {
      body,
      timestamp: header("timestamp"),
      signature: header("signature"),
      eventId: header("event-id"),
      receivedAt
    }).pipe(Result.flatMap((told) => decodeEvent(told)))
    if (Result.isFailure(event)) return ledger.reject()
    const { execution, occurred_at, type } = event.success
    // The clocks of two processes may tell the same moment a little apart.
    const lag = Math.max(0, receivedAt.epochMilliseconds - occurred_at.epochMilliseconds)
    ledger.receive({ executionId: execution.id, type, lag })
  }
  const server = createServer((request, response) => {
    receive(request).then(
      () => response.end(),
      () => response.destroy()
    )
  })
  return listen(server, resources)
}
