/** A network in which receivers do at once what a test says, so that hours of it pass in no time. */
import { causeOf } from "@runhook/core/deliveries/steps/AttemptCause"
import { noTimings } from "@runhook/core/deliveries/steps/AttemptTimings"
import type { WebhookRequest } from "@runhook/core/signing/SignedRequest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { type AttemptResult, Sender } from "../../src/Sender.ts"

/** What a receiver answered. */
export const answered = (
  status: number,
  responseHeaders: Readonly<Record<string, string>> = {}
): AttemptResult => ({
  phase: "done",
  status,
  error: status < 300 ? null : `The receiver answered ${status}`,
  cause: causeOf({ phase: "done", status, code: null, tls: "none" }),
  remoteAddress: "203.0.113.9",
  requestHeaders: {},
  timings: noTimings,
  responseHeaders,
  responseBody: "",
  isTruncated: false
})

/** Sends by asking the script. Notes the requests. */
export const scripted = (script: (request: WebhookRequest) => Effect.Effect<AttemptResult>) => {
  const requests: Array<WebhookRequest> = []
  const sender = Sender.of({
    send: (request) =>
      Effect.suspend(() => {
        requests.push(request)
        return script(request)
      })
  })
  return { requests, sender }
}

/** Lets everything run that waits for nothing but its turn. */
const turns = Effect.callback<void>((resume) => {
  setImmediate(() => resume(Effect.void))
}).pipe(Effect.repeat({ times: 4 }))

/** Lets time pass second by second, so that what one second brings about is there in the next. */
export const passing = (seconds: number) =>
  Effect.andThen(TestClock.adjust("1 second"), turns).pipe(Effect.repeat({ times: seconds - 1 }))
