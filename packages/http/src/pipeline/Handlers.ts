/**
 * The handlers of a group of endpoints. A missing handler, or one whose errors its
 * endpoint does not declare, does not compile.
 */
import type { CurrentActor } from "@runhook/core/audit/Actor"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"

/** What a handler may ask for while it runs. It takes everything else once, when it is built. */
type Services<Endpoint> =
  | CurrentActor
  | HttpApiEndpoint.MiddlewareProvides<Endpoint>
  | HttpServerRequest
  | Scope.Scope

/** The request id in a body is that of the call, so handlers do not give it. */
type Given<Answer> = Answer extends { readonly request_id: string } ? Omit<Answer, "request_id"> : Answer

type Handler<Endpoint extends HttpApiEndpoint.Constraint> =
  HttpApiEndpoint.Handler<Endpoint, HttpApiEndpoint.MiddlewareError<Endpoint>, Services<Endpoint>> extends (
    request: infer Request
  ) => Effect.Effect<infer Answer, infer E, infer R>
    ? (request: Request) => Effect.Effect<Given<Answer>, E, R>
    : never

/** A handler for each endpoint of a group, by its name. */
export type HandlerTable<Group extends HttpApiGroup.Constraint> = {
  readonly [Name in keyof Group["endpoints"]]: Handler<Group["endpoints"][Name]>
}

/** A handler whose types only the contract knows. */
export type AnyHandler = { handle(request: unknown): Effect.Effect<unknown, unknown, unknown> }["handle"]

/** Handlers whose types only the contract knows. */
export type AnyHandlers = Readonly<Record<string, AnyHandler>>

/** The service that holds the handlers of a group. */
export const groupKey = <ApiId extends string, Name extends string>(apiId: ApiId, name: Name) =>
  Context.Service<HttpApiGroup.Service<ApiId, Name>, AnyHandlers>(`@runhook/http/handlers/${apiId}/${name}`)

/** `build` gets its services once, and gives its table to `handle`, which knows the types. */
export const handlersOf = <
  ApiId extends string,
  Groups extends HttpApiGroup.Constraint,
  const Name extends HttpApiGroup.Identifier<Groups>,
  E,
  R
>(
  api: HttpApi.HttpApi<ApiId, Groups>,
  name: Name,
  build: (
    handle: (table: HandlerTable<HttpApiGroup.WithIdentifier<Groups, Name>>) => AnyHandlers
  ) => Effect.Effect<AnyHandlers, E, R>
) =>
  Layer.effect(
    groupKey(api.identifier, name),
    build((table) => table)
  )
