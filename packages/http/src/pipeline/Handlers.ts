/** The handlers of a group of endpoints. One that is missing, or fails as its endpoint does not say, does not compile. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"

/** What a handler may ask for while it runs. All else it takes when it is built, once. */
type Services<Endpoint> = HttpApiEndpoint.MiddlewareProvides<Endpoint> | HttpServerRequest | Scope.Scope

/** The request id of a body is that of its call, so no handler gives it. */
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

/** A handler of which only the contract knows what it takes and gives. */
export type AnyHandler = { handle(request: unknown): Effect.Effect<unknown, unknown, unknown> }["handle"]

/** Handlers of which only the contract knows what they take and give. */
export type AnyHandlers = Readonly<Record<string, AnyHandler>>

/** The service that holds the handlers of a group. */
export const groupKey = <ApiId extends string, Name extends string>(apiId: ApiId, name: Name) =>
  Context.Service<HttpApiGroup.Service<ApiId, Name>, AnyHandlers>(`@runhook/http/handlers/${apiId}/${name}`)

/** `build` gets what its services are once, and gives its table to `handle`, which knows the types of it. */
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
