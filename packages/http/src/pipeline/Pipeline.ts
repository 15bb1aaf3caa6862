/**
 * Handles every request of a host: gives it an id, looks it up in one table of routes, answers it in the service's
 * own form, logs and measures it, even if it fails.
 */
import { CurrentRequestId } from "@runhook/contract/RequestId"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type * as Types from "effect/Types"
import { errorAnswerTo } from "../errors/ErrorAnswer.ts"
import { answerFailure } from "../errors/FailureAnswer.ts"
import { listenerProblem } from "../errors/MalformedRequest.ts"
import { bodySizeMax } from "../limits/BodySize.ts"
import { CurrentResponseBudget } from "../limits/ResponseBudget.ts"
import { AccessLog } from "./AccessLog.ts"
import { abandoned } from "./answer/AfterAnswer.ts"
import { Call, CurrentCall } from "./Call.ts"
import { finished } from "./answer/CommonHeaders.ts"
import { compressedBy, Gzip } from "./answer/Compression.ts"
import { RequestIds } from "./RequestIds.ts"
import { RequestMetrics } from "./RequestMetrics.ts"
import { targetProblem } from "./request/RequestTarget.ts"
import { noting, Routes, RouteTable } from "./RouteTable.ts"

/**
 * Provide it to all routes of a host, once:
 * `routes.pipe(Layer.provide(Pipeline.layer))`. Routes outside it have neither
 * request ids nor a limit to their bodies.
 */
export const layer = Layer.effectContext(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const budget = yield* CurrentResponseBudget
    const ids = yield* RequestIds
    const log = yield* AccessLog
    const measure = yield* RequestMetrics
    const gzip = yield* Gzip
    const compressed = gzip === null ? (given: HttpServerResponse) => given : compressedBy(gzip)
    const routes = new Routes()

    const receive = (id: string, context: Context.Context<HttpServerRequest | Scope.Scope>): Call =>
      new Call({
        id,
        request: Context.get(context, HttpServerRequest),
        begunAt: Context.get(context, Clock.Clock).currentTimeMillisUnsafe(),
        scope: Context.get(context, Scope.Scope),
        budget
      })

    /** An endpoint of an API answers by itself; Effect's router answers every other route. */
    const answer = (call: Call, elsewhere: Effect.Effect<HttpServerResponse, Types.unhandled>) => {
      const problem = listenerProblem(call.request.headers) ?? targetProblem(call.request)
      if (problem !== undefined) return Effect.succeed(errorAnswerTo(call.id, problem))
      const found = routes.find(call.request.method, call.request.url)
      if (found === undefined || found.handler === null) return Effect.updateContext(elsewhere, within(call))
      call.url = { params: found.params, search: found.searchParams }
      return found.handler(call)
    }

    const note = (call: Call, exit: Exit.Exit<HttpServerResponse, unknown>) => {
      const status = Exit.isSuccess(exit) ? exit.value.status : abandoned
      return Effect.andThen(measure(call, status), log(call, status))
    }

    yield* router.addGlobalMiddleware((elsewhere) =>
      Effect.flatMap(ids.next, (id) =>
        Effect.contextWith((context: Context.Context<HttpServerRequest | Scope.Scope>) => {
          const call = receive(id, context)
          return Effect.interruptible(answer(call, elsewhere)).pipe(
            Effect.catchCause((cause) => answerFailure(cause, call, routes)),
            Effect.flatMap((given) => call.share.whole(compressed(given, call), call.request.method)),
            Effect.map((given) => finished(given, call)),
            Effect.onExit((exit) => note(call, exit))
          )
        })
      )
    )

    return Context.make(
      HttpRouter.HttpRouter,
      noting(router, (route) => routes.note(route))
    ).pipe(Context.add(RouteTable, routes))
  })
)

/** What other routes know of the call. */
const within =
  (call: Call) =>
  (context: Context.Context<never>): Context.Context<never> =>
    context.pipe(
      Context.add(CurrentRequestId, call.id),
      Context.add(CurrentCall, call),
      Context.add(HttpIncomingMessage.MaxBodySize, bodySizeMax)
    )
