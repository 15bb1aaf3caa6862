/** A small API with one endpoint for each thing that can happen to a request. */
import { ApiKeyAuthorization, Caller } from "@runhook/contract/Authorization"
import { NotFound } from "@runhook/contract/Errors"
import { CurrentRequestId, RequestId } from "@runhook/contract/RequestId"
import { requestParsing, BodyRuleStatus, RateLimiting, RequestRules } from "@runhook/contract/RequestRules"
import { CurrentActor } from "@runhook/core/audit/Actor"
import { ExecutionId } from "@runhook/core/shared/Ids"
import { JsonObject, KnownJsonObject } from "@runhook/core/shared/json/Json"
import { ExecutionNotFound } from "@runhook/core/shared/Refusals"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { ApiKeyAuthenticator } from "../src/authentication/Authenticator.ts"
import { toApiError } from "../src/errors/ErrorTable.ts"
import * as ApiRoutes from "../src/pipeline/ApiRoutes.ts"
import { handlersOf } from "../src/pipeline/Handlers.ts"

const Thing = Schema.Struct({ request_id: RequestId })

const ThingBody = Schema.Struct({
  name: Schema.String.check(Schema.isBetweenCodePoints(1, 10)),
  priority: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: -5, maximum: 5 }))),
  notes: Schema.optionalKey(KnownJsonObject),
  size: Schema.optionalKey(Schema.NullOr(Schema.Struct({ mm: Schema.Int }).annotate({ identifier: "Size" }))),
  data: Schema.optionalKey(JsonObject)
})

class Things extends HttpApiGroup.make("things")
  .add(
    HttpApiEndpoint.post("create", "/things", { payload: ThingBody, success: Thing }).annotate(
      BodyRuleStatus,
      422
    ),
    HttpApiEndpoint.get("get", "/things/:id", {
      params: { id: ExecutionId },
      query: { limit: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThan(0))) },
      success: Thing,
      error: NotFound
    }),
    HttpApiEndpoint.patch("change", "/things/:id", {
      params: { id: ExecutionId },
      payload: ThingBody.annotate({ identifier: "ThingChange" }),
      success: Thing
    }),
    HttpApiEndpoint.get("file", "/things/:id/file", {
      params: { id: ExecutionId },
      success: HttpApiSchema.WithHeaders(HttpApiSchema.Empty(302), { location: Schema.String })
    }),
    HttpApiEndpoint.get("broken", "/broken", {
      query: { q: Schema.optionalKey(Schema.String) },
      success: Thing
    }),
    HttpApiEndpoint.get("misshapen", "/misshapen", { success: Schema.Struct({ size: Schema.Int }) }),
    HttpApiEndpoint.get("slow", "/slow", { success: Thing })
  )
  .middleware(RequestRules)
  .prefix("/api/test") {}

class Keyed extends HttpApiGroup.make("keyed")
  .add(
    HttpApiEndpoint.get("me", "/me", { success: Schema.Struct({ prefix: Schema.String }) }),
    HttpApiEndpoint.get("list", "/list", {
      query: { limit: Schema.optionalKey(Schema.String) },
      success: Schema.Struct({ prefix: Schema.String })
    }),
    HttpApiEndpoint.get("actor", "/actor", {
      success: Schema.Struct({ name: Schema.String, from_address: Schema.NullOr(Schema.String) })
    })
  )
  .middleware(RequestRules)
  .middleware(RateLimiting)
  .middleware(ApiKeyAuthorization)
  .prefix("/api/test") {}

export class TestApi extends HttpApi.make("test")
  .add(Things)
  .add(Keyed)
  .annotate(HttpApi.ParamsParseOptions, requestParsing)
  .annotate(HttpApi.QueryParseOptions, requestParsing)
  .annotate(HttpApi.PayloadParseOptions, requestParsing) {}

const thing = Effect.map(CurrentRequestId, (request_id) => ({ request_id }))

/** Where the slow endpoint tells that it is at work, and waits until it may end. */
export interface Gates {
  readonly entered: Latch.Latch
  readonly exit: Latch.Latch
}
export const makeGates = (): Gates => ({ entered: Latch.makeUnsafe(), exit: Latch.makeUnsafe() })
export const Gates = Context.Reference<Gates>("test/Gates", { defaultValue: makeGates })

const things = handlersOf(
  TestApi,
  "things",
  Effect.fnUntraced(function* (handle) {
    const { entered, exit } = yield* Gates
    return handle({
      create: () => thing,
      get: Effect.fnUntraced(function* ({ params }) {
        return yield* new ExecutionNotFound({ id: params.id })
      }, toApiError),
      change: () => thing,
      file: () => Effect.succeed(HttpServerResponse.redirect("https://storage.example.com/signed")),
      broken: () => Effect.die(new Error("the disk is on fire")),
      misshapen: () => Effect.sync(() => JSON.parse(`{"size": "large"}`)),
      slow: () => Effect.andThen(Effect.andThen(entered.open, exit.await), thing)
    })
  })
)

/** How long the list takes. */
export const listMillis = 100

const keyed = handlersOf(TestApi, "keyed", (handle) =>
  Effect.succeed(
    handle({
      me: () => Effect.map(Caller, ({ prefix }) => ({ prefix })),
      list: () =>
        Effect.delay(
          Effect.map(Caller, ({ prefix }) => ({ prefix })),
          listMillis
        ),
      actor: () => Effect.map(CurrentActor, ({ fromAddress, name }) => ({ name, from_address: fromAddress }))
    })
  )
)

/** Its routes, but for the middleware. */
export const routes = ApiRoutes.layer(TestApi, ApiKeyAuthenticator).pipe(Layer.provide([things, keyed]))
