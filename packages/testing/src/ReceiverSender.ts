/** Passes callbacks to a function of the test instead of the network. */
import { causeOf } from "@runhook/core/deliveries/steps/AttemptCause"
import { noTimings } from "@runhook/core/deliveries/steps/AttemptTimings"
import type { WebhookRequest } from "@runhook/core/signing/SignedRequest"
import { type AttemptResult, Sender } from "@runhook/webhook-dispatcher/Sender"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Receive } from "./FakeRunhook.ts"

/** As long as the service waits for a receiver. */
const answerWithin = Duration.seconds(15)

/** Most characters kept of an answer. */
const bodyKept = 16 * 1_024

export const requestOf = ({ body, headers, url }: WebhookRequest): Request =>
  new Request(url, { method: "POST", headers, body })

export const layer = (receive: Receive): Layer.Layer<Sender> =>
  Layer.succeed(Sender, {
    send: (request) =>
      Effect.tryPromise(async (signal) => {
        const answer = await receive(new Request(requestOf(request), { signal }))
        return { answer, text: await answer.text() }
      }).pipe(
        Effect.map(({ answer, text }) => answered(request, answer, text)),
        Effect.catchTag("UnknownError", ({ cause }) =>
          Effect.succeed(unanswered(request, "ECONNRESET", textOf(cause)))
        ),
        Effect.timeoutOrElse({
          duration: answerWithin,
          orElse: () => Effect.succeed(unanswered(request, "TimedOut", "No answer came in time"))
        })
      )
  })

const answered = (request: WebhookRequest, answer: Response, text: string): AttemptResult => ({
  phase: "done",
  status: answer.status,
  error: answer.ok ? null : `The receiver answered ${answer.status}`,
  cause: causeOf({ phase: "done", status: answer.status, code: null, tls: "none" }),
  timings: noTimings,
  remoteAddress: null,
  requestHeaders: request.headers,
  responseHeaders: Object.fromEntries(answer.headers),
  responseBody: text.slice(0, bodyKept),
  isTruncated: text.length > bodyKept
})

const unanswered = (request: WebhookRequest, code: string, error: string): AttemptResult => ({
  phase: "headers",
  status: null,
  error,
  cause: causeOf({ phase: "headers", status: null, code, tls: "none" }),
  timings: noTimings,
  remoteAddress: null,
  requestHeaders: request.headers,
  responseHeaders: {},
  responseBody: null,
  isTruncated: false
})

const textOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
