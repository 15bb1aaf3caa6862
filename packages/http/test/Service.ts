/** The whole service in memory, with a typed client for each API that takes no answer but what the contract says. */
import { assert } from "@effect/vitest"
import { AdminApi } from "@runhook/contract/AdminApi"
import { AdminAuthorization, ApiKeyAuthorization, RunnerAuthorization } from "@runhook/contract/Authorization"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { RequestId } from "@runhook/contract/RequestId"
import { requestParsing } from "@runhook/contract/RequestRules"
import { RunnerApi } from "@runhook/contract/RunnerApi"
import { Signals } from "@runhook/core/signals/Signals"
import * as InProcessSignals from "@runhook/core/signals/InProcessSignals"
import { adaptersAt, adminKey, stores, useCases } from "@runhook/test-support/engine/Engine"
import { testOn } from "@runhook/test-support/TestOn"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import * as Apis from "../src/Apis.ts"
import * as Authenticators from "../src/authentication/Authenticators.ts"
import { BaseUrl } from "../src/BaseUrl.ts"
import { checkDocumented } from "./Documented.ts"
import { enveloped, hostOf } from "./Hosts.ts"

export const baseUrl = "http://localhost"

/** Answers requests as the service would over a network. */
export class Host extends Context.Service<
  Host,
  (path: string, init?: RequestInit) => Effect.Effect<Response>
>()("@runhook/http/test/Host") {}

/** An entry for each time that somebody begins to wait for news. */
export class Waiting extends Context.Service<Waiting, Queue.Queue<void>>()("@runhook/http/test/Waiting") {
  static readonly layer = Layer.effect(Waiting, Queue.unbounded<void>())
}

const signals = Layer.effect(
  Signals,
  Effect.gen(function* () {
    const waiting = yield* Waiting
    const inner = yield* Signals
    return Signals.of({
      ...inner,
      subscribe: (topics) => Effect.tap(inner.subscribe(topics), () => Queue.offer(waiting, undefined))
    })
  })
).pipe(Layer.provide(InProcessSignals.layer))

const core = useCases.pipe(
  Layer.provideMerge(Layer.merge(adaptersAt(baseUrl), Layer.succeed(BaseUrl, baseUrl))),
  Layer.provideMerge(signals),
  Layer.provideMerge(stores)
)

/** All that the service answers, for a server of one's own. */
export const routes = Apis.layer.pipe(
  Layer.provide([Authenticators.layer, enveloped, HttpServer.layerServices])
)

const host = Layer.effect(
  Host,
  Effect.gen(function* () {
    const services = yield* Effect.context<Layer.Success<typeof core>>()
    const send = yield* hostOf(routes.pipe(Layer.provide(Layer.succeedContext(services))))
    return (path, init) =>
      Effect.tap(send(path, init), ({ status }) =>
        Effect.sync(() => checkDocumented(path, init?.method ?? "GET", status))
      )
  })
).pipe(Layer.provideMerge(core))

const fetchFromHost = Layer.effect(
  FetchHttpClient.Fetch,
  Effect.map(Host, (answer): typeof globalThis.fetch => (input, init) => {
    const { pathname, search } = new URL(String(input))
    // Effect's client writes a body that is left out as null, which is none.
    const { body, ...sent } = { ...init }
    const isLeftOut = body instanceof Uint8Array && new TextDecoder().decode(body) === "null"
    return Effect.runPromise(answer(pathname + search, isLeftOut ? sent : init))
  })
)

/** A service of its own, with nothing in it. */
export const service = FetchHttpClient.layer.pipe(
  Layer.provideMerge(fetchFromHost),
  Layer.provideMerge(host),
  Layer.provideMerge(Waiting.layer)
)

export const test = testOn(service)

/** The key that a request is made with. */
const PresentedKey = Context.Reference("@runhook/http/test/PresentedKey", { defaultValue: () => "" })

const presenting = ({
  next,
  request
}: Parameters<HttpApiMiddleware.HttpApiMiddlewareClient<never, never, never>>[0]) =>
  Effect.flatMap(PresentedKey, (key) => next(HttpClientRequest.bearerToken(request, key)))

/** A client of the API, on the host of whoever calls. It is made once, since it compiles all schemas of its API. */
const once = <A, Id>(
  make: Effect.Effect<A, never, HttpClient.HttpClient | Id>,
  authorization: Layer.Layer<Id>
) => {
  let made: A | undefined
  return (): A => (made ??= Effect.runSync(Effect.provide(make, [FetchHttpClient.layer, authorization])))
}

/** The client with a key, that it presents with each call. */
const withKey = <A extends object>(client: A, key: string): A =>
  new Proxy(client, {
    get: (target, name) => {
      const found: unknown = Reflect.get(target, name)
      if (typeof found !== "function") return withKey(Object(found), key)
      return (...args: ReadonlyArray<unknown>) => Effect.provideService(found(...args), PresentedKey, key)
    }
  })

/** A client that takes no answer but what the contract says. */
const strict = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
) =>
  HttpApiClient.make(
    api
      .annotate(HttpApi.SuccessParseOptions, requestParsing)
      .annotate(HttpApi.ErrorParseOptions, requestParsing),
    { baseUrl }
  )

const ofAdmin = once(strict(AdminApi), HttpApiMiddleware.layerClient(AdminAuthorization, presenting))
const ofRunner = once(strict(RunnerApi), HttpApiMiddleware.layerClient(RunnerAuthorization, presenting))
const ofIntegration = once(
  strict(IntegrationApi),
  HttpApiMiddleware.layerClient(ApiKeyAuthorization, presenting)
)

export const adminClient = Effect.sync(() => withKey(ofAdmin(), adminKey))

export const runnerClient = (key: string) => Effect.sync(() => withKey(ofRunner(), key))

export const integrationClient = (key: string) => Effect.sync(() => withKey(ofIntegration(), key))

/** The error object that a call is refused with; any other failure fails the test. */
export const refusalOf = <A, E extends object, R>(call: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(call), (failure) =>
    "error" in failure ? decodeRefusal(failure.error) : assert.fail(String(failure))
  )

const decodeRefusal = Schema.decodeUnknownSync(
  Schema.Struct({ code: Schema.String, message: Schema.String, details: Schema.Json, request_id: RequestId })
)
