/** One endpoint of the contract, compiled: authenticate, count, read, handle, answer. */
import { CurrentRequestId } from "@runhook/contract/RequestId"
import { RateLimiting } from "@runhook/contract/RequestRules"
import { takesTurns } from "@runhook/contract/Turns"
import { CurrentActor } from "@runhook/core/audit/Actor"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import { actorOf } from "../authentication/Actors.ts"
import type { Authenticated } from "../authentication/Authenticated.ts"
import type { Authenticator } from "../authentication/Authenticator.ts"
import { apiErrorAnswer, isApiError } from "../errors/ApiErrors.ts"
import { errorAnswerTo } from "../errors/ErrorAnswer.ts"
import { refusal } from "../errors/SchemaIssues.ts"
import type { LoopTurns } from "../limits/LoopTurns.ts"
import type { Meter } from "../limits/RateLimits.ts"
import { type Call, CurrentCall } from "./Call.ts"
import { bodyText, type bytesOf } from "./request/BodyText.ts"
import type { AnyHandler } from "./Handlers.ts"
import { formProblemIn } from "./request/MediaTypes.ts"
import { readerOf } from "./request/RequestReader.ts"
import { answererOf } from "./answer/ResponseBodies.ts"
import type { Serve } from "./RouteTable.ts"

export interface Options<Key, Who> {
  readonly annotations: HttpApi.Top["annotations"]
  readonly group: HttpApiGroup.Top
  readonly endpoint: HttpApiEndpoint.Top
  readonly handler: AnyHandler
  /** Null for an endpoint without authentication. */
  readonly authenticator: Authenticator<Key, Who> | null
  readonly meter: Meter
  readonly readBody: typeof bytesOf
  /** The services of every call. */
  readonly services: Context.Context<never>
  readonly trustedProxies: number
  readonly turns: LoopTurns
}

export const serveOf = <Key, Who>(options: Options<Key, Who>): Serve => {
  const { annotations, authenticator, endpoint, group, handler, meter, readBody } = options
  const { services, trustedProxies, turns } = options
  const isMetered = endpoint.middlewares.has(RateLimiting)
  const formProblem = formProblemIn(endpoint)
  const readsBody = endpoint.payload.size > 0
  const isInTurn = takesTurns(endpoint)
  const read = readerOf(annotations, endpoint)
  const answer = answererOf(endpoint)

  const items: Call["items"] = (call, count) =>
    authenticator === null || call.authenticated === null
      ? { count, refusals: [] }
      : meter.items(call, authenticator.kind, call.authenticated.metered, count)

  const authenticated = (call: Call, { authenticate, kind }: Authenticator<Key, Who>) =>
    Effect.tap(authenticate(call), (found) => {
      call.isOf(found)
      if (!isMetered) return Effect.void
      call.items = items
      return meter.request(call, kind, found.metered)
    })

  const serve = Effect.fnUntraced(function* (call: Call) {
    const found = authenticator === null ? null : yield* authenticated(call, authenticator)
    const { headers, url } = call.request
    const problem = formProblem(headers)
    if (problem !== undefined) return errorAnswerTo(call.id, problem)
    const body = readsBody ? bodyText(yield* readBody(call.request)) : Result.succeed("")
    if (readsBody && found !== null) yield* turns.next(found.metered.account)
    if (Result.isFailure(body)) return yield* refusal(400, [body.failure])
    const received = read({ target: url, url: call.url, headers, body: body.success })
    if (Result.isFailure(received)) return yield* refusal(received.failure.status, received.failure.issues)
    if (found?.requires !== undefined) yield* found.requires
    call.itemIssues = received.success.itemIssues
    const handling = handler({ ...received.success.parts, request: call.request, endpoint, group })
    const known =
      found === null || authenticator === null
        ? handling
        : Effect.updateContext(handling, (context: Context.Context<unknown>) =>
            knowing(context, call, authenticator.provides, found)
          )
    const answering = Effect.map(known, (given) => answer(given, call.id))
    return yield* isInTurn ? call.share.read(answering) : answering
  })

  /** Adds the caller, for handlers and for the audit log. */
  const knowing = (
    context: Context.Context<unknown>,
    call: Call,
    provides: Context.Key<Key, Who>,
    { actor, caller }: Authenticated<Who>
  ): Context.Context<unknown> => {
    const known = Context.add(context, provides, caller)
    return actor === null ? known : Context.add(known, CurrentActor, actorOf(actor, call, trustedProxies))
  }

  /** The services of a call before its caller is known. */
  const calling = (call: Call, outer: Context.Context<never>): Context.Context<unknown> => {
    const identified: Context.Context<unknown> = Context.addUnsafe(services, CurrentRequestId.key, call.id)
    const context = identified.pipe(
      Context.add(HttpServerRequest, call.request),
      Context.add(Scope.Scope, call.scope),
      Context.add(CurrentCall, call)
    )
    const span = Context.getOrUndefined(outer, Tracer.ParentSpan)
    if (span === undefined) return context
    if (span._tag === "Span") span.attribute("http.route", endpoint.path)
    return Context.add(context, Tracer.ParentSpan, span)
  }

  return (call) => {
    call.endpoint = endpoint
    return serve(call).pipe(
      Effect.catch((error) =>
        isApiError(error) ? Effect.succeed(apiErrorAnswer(error)) : Effect.die(error)
      ),
      Effect.updateContext((outer: Context.Context<never>) => calling(call, outer))
    )
  }
}
