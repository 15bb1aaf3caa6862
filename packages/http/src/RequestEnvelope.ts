/**
 * Around every request: gives it an id, bounds its body, and sees to it that
 * whatever happens is answered in the service's own form. Endpoints answer
 * their typed errors themselves; all the rest becomes the error object here.
 */
import { CurrentRequestId } from "@runhook/contract/RequestId"
import * as Effect from "effect/Effect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import type * as Types from "effect/Types"
import { AnswerHold, counted, CurrentAnswerHold } from "./AnswerHold.ts"
import { bodySizeMax } from "./BodySize.ts"
import { CallerSeen } from "./CallerSeen.ts"
import { errorAnswerTo } from "./ErrorAnswer.ts"
import { answerFailure } from "./FailureAnswer.ts"
import { AnswersUnderWay, type Owner } from "./LargeAnswers.ts"
import { RequestIds } from "./RequestIds.ts"
import { makeAllowedMethods, recording } from "./Routing.ts"

type Answer = HttpServerResponse.HttpServerResponse

/**
 * Provide it to all routes of a host, once: `routes.pipe(Layer.provide(RequestEnvelope.layer))`.
 * Routes outside of it have neither request ids nor a limit to their bodies.
 */
export const layer = Layer.effect(
  HttpRouter.HttpRouter,
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const ids = yield* RequestIds
    const allowed = makeAllowedMethods()
    const underWay = yield* AnswersUnderWay

    const answerAll = Effect.fnUntraced(function* (handler: Effect.Effect<Answer, Types.unhandled>) {
      const requestId = yield* ids.next
      const hold = new AnswerHold(underWay, yield* Effect.scope)
      const tellOthers = yield* CallerSeen
      const tell = (owner: Owner) => {
        hold.own(owner)
        tellOthers(owner)
      }
      return yield* handler.pipe(
        Effect.catchCause((cause) => answerFailure(cause, allowed)),
        Effect.flatMap(counted),
        Effect.map((answer) => finish(answer, requestId)),
        Effect.provideService(CallerSeen, tell),
        Effect.provideService(CurrentAnswerHold, hold),
        Effect.provideService(CurrentRequestId, requestId),
        Effect.provideService(HttpIncomingMessage.MaxBodySize, bodySizeMax)
      )
    })

    yield* router.addGlobalMiddleware(answerAll)
    return recording(router, allowed.record)
  })
)

/** The headers of every answer, and of every answer of a status. An answer may say otherwise. */
const standing = { "cache-control": "no-store", "x-content-type-options": "nosniff" }
const standingOf: { readonly [status: number]: Readonly<Record<string, string>> } = {
  401: { "www-authenticate": "Bearer" },
  429: { "retry-after": "1" },
  503: { "retry-after": "5" }
}

const finish = (given: Answer, requestId: string): Answer => {
  const answer = isFormed(given) ? given : reformed(given, requestId)
  return HttpServerResponse.setHeaders(answer, {
    ...standing,
    ...standingOf[answer.status],
    ...answer.headers,
    "x-request-id": requestId
  })
}

/** Whether an error is told in JSON, or on a page. Libraries below sometimes answer with a line of text, or with nothing. */
const isFormed = ({ headers, status }: Answer): boolean =>
  status < 400 || /^(?:application\/json|text\/html)\b/.test(headers["content-type"] ?? "")

/** The same error in the error object, with its headers but for those that spoke of its body. */
const reformed = ({ headers, status }: Answer, requestId: string): Answer => {
  const answer = errorAnswerTo(requestId, { status, message: "The request cannot be answered in this form" })
  return HttpServerResponse.setHeaders(answer, { ...headers, ...answer.headers })
}
