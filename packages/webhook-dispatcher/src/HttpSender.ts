/** Sends webhooks over HTTP by the guarded agent, and keeps what operators will want to see of the answer. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type AttemptResult, Sender } from "./Sender.ts"
import { type Answer, GuardedAgent } from "@runhook/guarded-http/GuardedAgent"
import { textOf } from "@runhook/guarded-http/ReceivedText"

/** Bytes of an answer's body that are read. All of them are kept of a failure. */
export const bodyReadMax = 16 * 1024

/** Bytes of an answer's body that are kept of a success. */
export const bodyKeptOfSuccess = 1024

export const layer: Layer.Layer<Sender, never, GuardedAgent> = Layer.effect(
  Sender,
  Effect.gen(function* () {
    const agent = yield* GuardedAgent
    return Sender.of({
      send: (request) =>
        Effect.map(agent.request({ ...request, method: "POST", bodyMax: bodyReadMax }), resultOf)
    })
  })
)

const resultOf = (answer: Answer): AttemptResult => {
  const error = answer.error ?? faultOf(answer)
  const kept = answer.body.subarray(0, error === null ? bodyKeptOfSuccess : bodyReadMax)
  const isTruncated = answer.isTruncated || kept.length < answer.body.length
  return {
    phase: answer.phase,
    status: answer.status,
    error,
    cause: answer.cause,
    remoteAddress: answer.remoteAddress,
    requestHeaders: answer.requestHeaders,
    timings: answer.timings,
    responseHeaders: answer.headers,
    responseBody: answer.status === null ? null : textOf(kept, { isTruncated }),
    isTruncated
  }
}

/** Why an answer is a failure, or null when it is not. */
const faultOf = ({ headers, status }: Answer): string | null => {
  if (status === null) return "No answer came"
  if (status >= 200 && status < 300) return null
  const location = headers["location"]
  return status < 400 && location !== undefined
    ? `The receiver answered ${status} to redirect to ${location}; redirects are not followed`
    : `The receiver answered ${status}`
}
