/** Hosts for tests: routes as a web handler, keys that open something, and log lines to look at. */
import { assert } from "@effect/vitest"
import { RequestId } from "@runhook/contract/RequestId"
import { JsonObject } from "@runhook/core/shared/json/Json"
import type { UsageStore } from "@runhook/core/usage/UsageStore"
import { Draining } from "@runhook/core/engine/Draining"
import * as InProcessSignals from "@runhook/core/signals/InProcessSignals"
import type { Accounts } from "@runhook/core/accounts/Accounts"
import type { NewApiKey } from "@runhook/core/keys/ApiKeys"
import type { Authentication } from "@runhook/core/keys/Authentication"
import type { PersonSessions } from "@runhook/core/people/PersonSessions"
import { engine } from "@runhook/test-support/engine/Engine"
import * as Tenant from "@runhook/test-support/engine/Tenant"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Authenticators from "../src/authentication/Authenticators.ts"
import { BaseUrl } from "../src/BaseUrl.ts"
import { defaultRateLimits, RateLimits } from "../src/limits/RateLimits.ts"
import * as NodeGzip from "../src/listener/NodeGzip.ts"
import { TrustedProxies } from "../src/pipeline/request/CallerAddress.ts"
import * as Pipeline from "../src/pipeline/Pipeline.ts"
import { RequestIds } from "../src/pipeline/RequestIds.ts"
import { routerConfig } from "../src/pipeline/RouteTable.ts"
import * as TestApi from "./TestApi.ts"

export const requestIds = RequestIds.layer.pipe(Layer.provide(layerWebCrypto))
export const draining = Draining.layer.pipe(Layer.provide(InProcessSignals.layer))

/** An engine in memory, which tells whose a key is. */
export const keys = Layer.merge(engine, Layer.succeed(BaseUrl, "http://localhost"))

/** A new key of a new account. */
export const makeKey = Effect.fnUntraced(function* (fields: Partial<NewApiKey> = {}) {
  const { key, record } = yield* Tenant.makeKey(fields)
  return { key: Redacted.value(key), record }
})

/** The test API with all of its middleware, under other limits than the usual. */
const testRoutesWith = ({ rateLimits = defaultRateLimits, trustedProxies = 0 }: Limits = {}) =>
  TestApi.routes.pipe(
    Layer.provide(Authenticators.layer),
    Layer.provide([Layer.succeed(TrustedProxies, trustedProxies), Layer.succeed(RateLimits, rateLimits)])
  )

interface Limits {
  readonly rateLimits?: RateLimits
  readonly trustedProxies?: number
}

/** The test API with all of its middleware. */
export const testRoutes = testRoutesWith()

/** Everything a route needs that is not the routes' own business. */
export const enveloped = Pipeline.layer.pipe(Layer.provide([requestIds, NodeGzip.layer]))

/** A function that sends requests to the routes, in memory, with the clock and the loggers of the test. */
export const hostOf = Effect.fnUntraced(function* <E>(routes: Layer.Layer<never, E, HttpRouter.HttpRouter>) {
  const services = yield* Effect.context<never>()
  const app = yield* HttpRouter.toHttpEffect(routes).pipe(
    Effect.provideService(HttpRouter.RouterConfig, routerConfig)
  )
  const handlerFor = (address: string | undefined) =>
    HttpEffect.toWebHandlerWith<never, Effect.Services<typeof app>>(services)(
      Effect.updateService(app, HttpServerRequest.HttpServerRequest, (request) =>
        request.modify({ remoteAddress: Option.fromUndefinedOr(address) })
      )
    )
  /** Sends a request, from an address if one is given. */
  return (path: string, init: RequestInit = {}, address?: string) =>
    Effect.promise(() => handlerFor(address)(new Request(`http://localhost${path}`, init)))
})

/** The test API as a host, under other limits than the usual. */
export const testHostWith = (limits?: Limits) =>
  Effect.flatMap(
    Effect.context<Accounts | Authentication | BaseUrl | PersonSessions | UsageStore>(),
    (services) =>
      hostOf(
        testRoutesWith(limits).pipe(
          Layer.provide([enveloped, HttpServer.layerServices, Layer.succeedContext(services)])
        )
      )
  )

/** The test API as a host. Its keys are those of the test's context. */
export const testHost = testHostWith()

/** What is logged, as JSON lines. */
export const recordedLogs = () => {
  const lines: Array<string> = []
  const layer = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])
  return { layer, lines }
}

const decodeError = Schema.decodeUnknownPromise(
  Schema.Struct({
    error: Schema.Struct({
      code: Schema.String,
      message: Schema.String,
      details: Schema.Json,
      request_id: RequestId
    })
  }),
  { onExcessProperty: "error" }
)

/** The error object of an answer. Anything else fails the test, and so does a header with another request id. */
export const errorOf = (answer: Response) =>
  Effect.promise(async () => {
    const { error } = await decodeError(await answer.json())
    assert.strictEqual(answer.headers.get("x-request-id"), error.request_id)
    assert.strictEqual(answer.headers.get("content-type"), "application/json")
    return error
  })

/** The JSON object of an answer. */
export const jsonOf = (answer: Response) => Effect.promise(async () => decodeObject(await answer.json()))

const decodeObject = Schema.decodeUnknownSync(JsonObject)

export const id = "0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6f"

/** A request with a JSON body. */
export const sending = (method: string, body: string | Uint8Array<ArrayBuffer>) => ({
  method,
  body,
  headers: { "content-type": "application/json" }
})
