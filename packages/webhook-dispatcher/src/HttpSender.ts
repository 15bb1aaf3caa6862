/** Sends webhooks over HTTP by the guarded agent, and keeps what operators will want to see of the answer. */
import { causeOf } from "@runhook/core/deliveries/steps/AttemptCause"
import type { Answer } from "@runhook/guarded-http/Answer"
import { GuardedAgent } from "@runhook/guarded-http/GuardedAgent"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type AttemptResult, Sender } from "./Sender.ts"

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
  const { code, phase, status, timings } = answer
  const error = answer.error ?? faultOf(answer)
  const kept = answer.body.subarray(0, error === null ? bodyKeptOfSuccess : bodyReadMax)
  const isTruncated = answer.isTruncated || kept.length < answer.body.length
  return {
    phase,
    status,
    error,
    cause: causeOf({ phase, status, code, tls: timings.tls === null ? "none" : "begun" }),
    remoteAddress: answer.remoteAddress,
    requestHeaders: answer.requestHeaders,
    timings,
    responseHeaders: answer.headers,
    responseBody: status === null ? null : textOf(kept, { isTruncated }),
    isTruncated
  }
}

/** Why an answer is a failure, or null when it is not. For everybody who may look: without the query of a URL. */
const faultOf = ({ headers, status }: Answer): string | null => {
  if (status === null) return "No answer came"
  if (status >= 200 && status < 300) return null
  const location = headers["location"]
  return status < 400 && location !== undefined
    ? `The receiver answered ${status} to redirect to ${location.split("?", 1).join()}; redirects are not followed`
    : `The receiver answered ${status}`
}

const decoder = () => new TextDecoder("utf-8", { ignoreBOM: true })

/** For complete texts: it keeps no state after them. */
const wholeDecoder = decoder()

/** Reads bytes as UTF-8. Invalid ones, and NUL, which PostgreSQL refuses, become U+FFFD. */
export const textOf = (bytes: Uint8Array, { isTruncated }: { readonly isTruncated: boolean }): string => {
  if (bytes.length === 0) return ""
  // A character that was cut in two is left out.
  const text = isTruncated ? decoder().decode(bytes, { stream: true }) : wholeDecoder.decode(bytes)
  return text.replaceAll("\0", "\uFFFD")
}
