/**
 * Lets large answers begin if there is room for them, and refuses those whose
 * callers must read earlier ones first.
 */
import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"
import { errorAnswerTo } from "../errors/ErrorAnswer.ts"
import { type Call, CurrentCall } from "../pipeline/Call.ts"
import { smallAnswerBytes } from "./LargeAnswers.ts"

type Answer = HttpServerResponse.HttpServerResponse

/** 429, for a caller that has not read the large answers it asked for. */
const tooManyLarge = ({ hold: { limit }, id }: Call): Answer =>
  errorAnswerTo(id, {
    status: 429,
    message: "Too many large answers to this account are under way: read those first",
    details: { reason: "large_answers", limit }
  })

/** The answer of this size, or 429 if there is no room for it. */
export const answerHolding = Effect.fnUntraced(function* <A, E, R>(
  bytes: number,
  answer: Effect.Effect<A, E, R>
) {
  const call = yield* CurrentCall
  if (!call.hold.hasRoom(bytes)) return tooManyLarge(call)
  yield* call.hold.take(bytes)
  return yield* answer
})

/** What the handler answers, or 429 before it does anything: without room, its result could not be reported. */
export const withRoom = <A, E, R>(handler: Effect.Effect<A, E, R>) =>
  Effect.flatMap(CurrentCall, (call): Effect.Effect<A | Answer, E, R> =>
    call.hold.hasRoom(smallAnswerBytes) ? handler : Effect.succeed(tooManyLarge(call))
  )

/**
 * The same answer, counted if it is large, or 429. An answer that reports a change
 * is sent in any case: a caller that reads 429 believes that nothing happened.
 */
export const counted = (answer: Answer, call: Call): Effect.Effect<Answer> => {
  const { body } = answer
  if (body._tag !== "Uint8Array" || !call.hold.counts(body.contentLength)) return Effect.succeed(answer)
  const { method } = call.request
  const isRepeatable = method === "GET" || method === "HEAD"
  if (isRepeatable && !call.hold.hasRoom(body.contentLength)) return Effect.succeed(tooManyLarge(call))
  // A request ends with its stream once that is sent; with bytes it ends as soon as they are in the socket.
  const streamed = HttpBody.stream(Stream.succeed(body.body), body.contentType, body.contentLength)
  return call.hold
    .take(body.contentLength)
    .pipe(
      Effect.andThen(call.hold.turn(body.contentLength)),
      Effect.as(HttpServerResponse.setBody(answer, streamed))
    )
}
