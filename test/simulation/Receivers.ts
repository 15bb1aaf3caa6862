/** Receivers of callbacks. They may refuse, be slow, hang, or take an event whose answer is lost on its way. */
import { causeOf } from "@runhook/core/deliveries/steps/AttemptCause"
import { noTimings } from "@runhook/core/deliveries/steps/AttemptTimings"
import type { WebhookRequest } from "@runhook/core/signing/SignedRequest"
import { type AttemptResult, Sender } from "@runhook/webhook-dispatcher/Sender"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ServiceProcess } from "./ServiceProcess.ts"

/** Milliseconds that the service waits for an answer. */
const answerWithin = 15_000

type Answer = number | "lost" | "hangs"

const answers: readonly [Answer, ...ReadonlyArray<Answer>] = [500, 503, 404, "lost", "hangs"]

export const layer = (process: ServiceProcess): Layer.Layer<Sender> =>
  Layer.succeed(Sender, {
    send: Effect.fnUntraced(function* (request) {
      const { chance, world } = process
      yield* Effect.sleep(chance.between(0, 30))
      const answer = chance.happens(world.rates.receiver) ? chance.pick(answers) : 204
      world.history.note(process.host.name, {
        what: "heard",
        url: request.url,
        event: request.headers["X-Webhook-Event-Id"] ?? "",
        body: request.body,
        answer
      })
      yield* Effect.sleep(answer === "hangs" ? answerWithin : chance.between(0, 200))
      return resultOf(request, answer)
    })
  })

const resultOf = (request: WebhookRequest, answer: Answer): AttemptResult => {
  const status = typeof answer === "number" ? answer : null
  const code = answer === "lost" ? "ECONNRESET" : "TimedOut"
  const phase = status === null ? "headers" : "done"
  return {
    phase,
    status,
    error: status === 204 ? null : `The receiver answered ${answer}`,
    cause: causeOf({ phase, status, code: status === null ? code : null, tls: "none" }),
    timings: noTimings,
    remoteAddress: null,
    requestHeaders: request.headers,
    responseHeaders: {},
    responseBody: null,
    isTruncated: false
  }
}
