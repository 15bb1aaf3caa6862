/** The service itself, in this process: its engine on stores in memory, and its APIs as a function from requests to responses. */
import * as MemoryArtifacts from "@runhook/artifacts/memory/MemoryArtifacts"
import { CurrentActor, theService } from "@runhook/core/audit/Actor"
import * as TargetPolicy from "@runhook/core/shared/target/TargetPolicy"
import * as Engine from "@runhook/core/Engine"
import { Draining } from "@runhook/core/engine/Draining"
import * as InProcessSignals from "@runhook/core/signals/InProcessSignals"
import { CallbackTargets, ServiceKeys } from "@runhook/core/Settings"
import * as KeyRing from "@runhook/core/signing/KeyRing"
import { AdminKeys } from "@runhook/core/keys/Authentication"
import * as Apis from "@runhook/http/Apis"
import * as Authenticators from "@runhook/http/authentication/Authenticators"
import { BaseUrl } from "@runhook/http/BaseUrl"
import { RateLimits } from "@runhook/http/limits/RateLimits"
import * as Pipeline from "@runhook/http/pipeline/Pipeline"
import { RequestIds } from "@runhook/http/pipeline/RequestIds"
import { routerConfig } from "@runhook/http/pipeline/RouteTable"
import * as InlineParamsValidator from "@runhook/params/InlineParamsValidator"
import { MemoryDatabase } from "@runhook/store-memory/MemoryDatabase"
import * as MemoryStore from "@runhook/store-memory/MemoryStore"
import * as WebhookDispatcher from "@runhook/webhook-dispatcher/WebhookDispatcher"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as Result from "effect/Result"
import * as Scheduler from "effect/Scheduler"
import * as Scope from "effect/Scope"
import type { Receive } from "./FakeRunhook.ts"
import type { MovableClock } from "./MovableClock.ts"
import { setImmediate } from "./RealTime.ts"
import * as ReceiverSender from "./ReceiverSender.ts"

/** Opens the admin API of every service that is made here. */
export const adminKey = "an-admin-key-of-a-service-in-memory"

const secretKey = Buffer.alloc(32, "runhook").toString("base64")

export interface ServiceOptions {
  readonly baseUrl: string
  readonly callbackAllow: string
  readonly clock: MovableClock
  readonly receive: Receive | undefined
}

const outside = ({ baseUrl, callbackAllow }: ServiceOptions) => {
  const ring = Result.getOrThrow(KeyRing.parse(secretKey))
  return Layer.mergeAll(
    InlineParamsValidator.layer,
    MemoryArtifacts.layer({ baseUrl, grantKey: ring[0].fileGrant }),
    MemoryStore.layer.pipe(Layer.provideMerge(MemoryDatabase.layer)),
    Draining.layer,
    Layer.succeed(AdminKeys, [Redacted.make(adminKey)]),
    Layer.succeed(BaseUrl, baseUrl),
    Layer.succeed(ServiceKeys, ring),
    Layer.succeed(CallbackTargets, Result.getOrThrow(TargetPolicy.parse(callbackAllow))),
    // A test may call as fast as it can.
    Layer.succeed(RateLimits, { integration: null, runner: null, admin: null })
  ).pipe(Layer.provideMerge(InProcessSignals.layer), Layer.provideMerge(SecureRandom.layerWebCrypto))
}

/** What a control of the test may use. */
export type Services =
  | Layer.Success<typeof Engine.layer>
  | Layer.Success<ReturnType<typeof outside>>
  | Scope.Scope

/** Time may stand still, so there are no pauses between deliveries, and the end does not wait for them. */
const dispatcherOptions = {
  isAlone: true,
  pace: Duration.zero,
  settlePace: Duration.zero,
  settleGather: Duration.zero,
  stopGrace: Duration.zero
}

const routes = Apis.layer.pipe(
  Layer.provide(Authenticators.layer),
  Layer.provide([Pipeline.layer.pipe(Layer.provide(RequestIds.layer)), HttpServer.layerServices])
)

const retention = { delivered: Duration.days(30), dead: Duration.days(90) }

/** The loops of the service; callbacks are sent only if there is a receiver. */
const ownWork = ({ receive }: ServiceOptions) =>
  Layer.merge(
    Engine.loops({ retention }),
    receive === undefined
      ? Layer.empty
      : WebhookDispatcher.layer(dispatcherOptions).pipe(Layer.provide(ReceiverSender.layer(receive)))
  )

export const startService = (options: ServiceOptions) => {
  const scope = Scope.makeUnsafe()
  /** The service goes on even if the test fakes its timers. */
  const references = Context.make(Clock.Clock, options.clock).pipe(
    Context.add(Scheduler.Scheduler, new Scheduler.MixedScheduler("async", setImmediate)),
    Context.add(References.MinimumLogLevel, "Error")
  )
  const build = <A, E, R>(layer: Layer.Layer<A, E, R>) => Layer.buildWithScope(layer, scope)
  const engine = Effect.runSyncWith(references)(
    build(Engine.layer.pipe(Layer.provideMerge(outside(options))))
  )
  const services = Context.merge(engine, references).pipe(Context.add(Scope.Scope, scope))

  /** Begins what goes on until the service is closed. */
  const begin = <E>(work: Effect.Effect<void, E, Services>) =>
    void Effect.runForkWith(services)(Effect.forkScoped(work))

  begin(Effect.asVoid(build(ownWork(options))))
  const serving = Effect.runPromiseWith(services)(
    HttpRouter.toHttpEffect(routes.pipe(Layer.provide(Layer.succeedContext(services)))).pipe(
      Effect.provideService(HttpRouter.RouterConfig, routerConfig),
      Effect.map((app) => HttpEffect.toWebHandlerWith<Services, Effect.Services<typeof app>>(services)(app))
    )
  )

  return {
    begin,
    /** Stores in memory answer at once, and so does all that a test has the service do. */
    runSync: <A, E>(effect: Effect.Effect<A, E, CurrentActor | Services>): A =>
      Effect.runSyncWith(Context.add(services, CurrentActor, theService))(effect),
    answer: async (request: Request): Promise<Response> => (await serving)(request),
    close: () => Effect.runPromiseWith(references)(Scope.close(scope, Exit.void))
  }
}
