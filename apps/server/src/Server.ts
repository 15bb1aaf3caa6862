/** The parts of the server: the one file that names every adapter. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as DiskArtifacts from "@runhook/artifacts/disk/DiskArtifacts"
import * as S3Artifacts from "@runhook/artifacts/s3/S3Artifacts"
import * as Engine from "@runhook/core/Engine"
import { IdentityProvider } from "@runhook/core/people/IdentityProvider"
import { Draining } from "@runhook/core/engine/Draining"
import * as InProcessSignals from "@runhook/core/signals/InProcessSignals"
import { ServiceKeys } from "@runhook/core/Settings"
import { GuardedAgent } from "@runhook/guarded-http/GuardedAgent"
import { PageFetcher } from "@runhook/guarded-http/PageFetcher"
import * as Apis from "@runhook/http/Apis"
import * as Authenticators from "@runhook/http/authentication/Authenticators"
import * as ProviderRoutes from "@runhook/http/authentication/provider/ProviderRoutes"
import { BaseUrl } from "@runhook/http/BaseUrl"
import { RateLimits } from "@runhook/http/limits/RateLimits"
import * as NodeGzip from "@runhook/http/listener/NodeGzip"
import * as NodeServer from "@runhook/http/NodeServer"
import * as AccessLog from "@runhook/http/pipeline/AccessLog"
import { TrustedProxies } from "@runhook/http/pipeline/request/CallerAddress"
import * as Pipeline from "@runhook/http/pipeline/Pipeline"
import { RequestIds } from "@runhook/http/pipeline/RequestIds"
import * as RequestMetrics from "@runhook/http/pipeline/RequestMetrics"
import * as Health from "@runhook/http/probes/Health"
import * as OpenIdProvider from "./sign-in/OpenIdProvider.ts"
import * as AjvParamsValidator from "@runhook/params/AjvParamsValidator"
import * as MemoryStore from "@runhook/store-memory/MemoryStore"
import * as FollowingClock from "@runhook/store-pg/clock/FollowingClock"
import * as PgStore from "@runhook/store-pg/PgStore"
import * as PgSignals from "@runhook/store-pg/signals/PgSignals"
import * as HttpSender from "@runhook/webhook-dispatcher/HttpSender"
import * as WebhookDispatcher from "@runhook/webhook-dispatcher/WebhookDispatcher"
import * as Duration from "effect/Duration"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Channels from "./alerts/Channels.ts"
import * as ConsoleRoutes from "./console/ConsoleRoutes.ts"
import * as Banner from "./demo/Banner.ts"
import { DemoAccount } from "./demo/DemoAccount.ts"
import * as DemoRoutes from "./demo/DemoRoutes.ts"
import * as DemoRunner from "./demo/DemoRunner.ts"
import * as Docs from "./Docs.ts"
import * as ListeningLog from "./logging/ListeningLog.ts"
import * as ListeningAddress from "./network/ListeningAddress.ts"
import * as NameServers from "./network/NameServers.ts"
import * as OtlpExport from "./observability/OtlpExport.ts"
import * as ProcessMetrics from "./observability/ProcessMetrics.ts"
import { begin, Readiness } from "./process/Readiness.ts"
import * as Policies from "./settings/Policies.ts"
import * as Secrets from "./settings/Secrets.ts"
import type { ServerSettings } from "./settings/ServerSettings.ts"
import * as ArtifactsPlace from "./storage/ArtifactsPlace.ts"
import * as ArtifactsReadiness from "./storage/ArtifactsReadiness.ts"
import * as Database from "./storage/Database.ts"
import * as Worker from "./workers/Worker.ts"

/** Longest waits for work in flight at a stop, so that the stop takes at most ten seconds after the notice. */
const stopGrace = { requests: Duration.seconds(4), deliveries: Duration.seconds(5) }

/** After the notice, ten seconds are enough for all of these, and ten more for the service's own database. */
const stopMax = ({ stopNotice, store }: ServerSettings) =>
  Duration.sum(stopNotice, Duration.seconds(store._tag === "Embedded" ? 20 : 10))

const dispatcher = ({ deliveryLease, store }: ServerSettings) =>
  Layer.unwrap(
    Readiness.useSync((serving) =>
      WebhookDispatcher.layer({
        lease: deliveryLease,
        stopGrace: stopGrace.deliveries,
        // The lock on the folder keeps others from a database that the service started itself.
        isAlone: store._tag !== "Server",
        startsAfter: serving.await
      })
    )
  ).pipe(Layer.provide(HttpSender.layer))

const demo = (settings: ServerSettings) =>
  Layer.mergeAll(
    Banner.layer(settings),
    DemoRoutes.layer(settings).pipe(Layer.provide(FetchHttpClient.layer)),
    DemoRunner.layer(settings).pipe(Layer.provide(PageFetcher.layer({ userAgent: "Runhook-Pages/1" })))
  ).pipe(Layer.provide(DemoAccount.layer(settings)))

/** Files in a bucket, or on a volume of this machine, which the service itself receives and serves. */
const artifactStorage = ({ artifactsDir, artifactsFreeSpace, bucket }: ServerSettings) =>
  Layer.unwrap(
    Effect.gen(function* () {
      if (bucket !== null) return S3Artifacts.layer({ bucket })
      const [{ fileGrant }] = yield* ServiceKeys
      return DiskArtifacts.layer({
        directory: artifactsDir,
        freeBytesMin: artifactsFreeSpace ?? 0,
        baseUrl: yield* BaseUrl,
        grantKey: fileGrant
      })
    })
  )

/** Where people may sign in besides links, and who is let in. */
const provider = ({ provider: settings }: ServerSettings) =>
  settings === null
    ? Layer.empty
    : Layer.merge(
        Layer.effect(IdentityProvider, OpenIdProvider.make(settings)),
        Layer.succeed(ProviderRoutes.AccessRules, settings.rules)
      )

/** What answers callers, runners and operators. */
export const api = (settings: ServerSettings) =>
  Layer.mergeAll(
    Apis.layer,
    ConsoleRoutes.layer,
    Docs.layer,
    ProviderRoutes.layer,
    settings.hasDemo ? demo(settings) : Docs.welcome
  ).pipe(
    Layer.provide(Authenticators.layer),
    Layer.provide([
      Engine.layer,
      Layer.succeed(RateLimits, settings.rateLimits),
      Layer.succeed(TrustedProxies, settings.trustedProxies),
      provider(settings)
    ])
  )

/** What this process does by itself. */
const ownWork = (settings: ServerSettings) =>
  settings.roles.includes("dispatcher")
    ? Layer.merge(dispatcher(settings), Engine.loops(settings))
    : Engine.upkeep(settings)

/** Only a process that answers requests has the files at hand, to remove them and to check on them. */
const work = (settings: ServerSettings) =>
  settings.roles.includes("api")
    ? Layer.mergeAll(
        Health.layer.pipe(Layer.provide(ArtifactsReadiness.layer(settings))),
        api(settings),
        ownWork(settings)
      ).pipe(Layer.provide(artifactStorage(settings)))
    : Layer.merge(Health.layer, ownWork(settings))

/** In development, they would get in the reader's way. */
const logsRequests = ({ logLevel, mode }: ServerSettings) => mode === "production" || logLevel === "Debug"

const application = (settings: ServerSettings) =>
  Layer.mergeAll(
    Worker.layer(settings),
    ProcessMetrics.layer,
    OtlpExport.metrics(settings),
    work(settings).pipe(Layer.provide(Channels.layer(settings))),
    settings.hasDemo || settings.worker !== null ? Layer.empty : ListeningLog.layer(settings)
  ).pipe(
    Layer.provide(
      Pipeline.layer.pipe(
        Layer.provide([
          NodeGzip.layer,
          RequestMetrics.layer,
          logsRequests(settings) ? AccessLog.layer : Layer.empty
        ])
      )
    ),
    Layer.provide(
      GuardedAgent.layer({ authorities: settings.authorities ?? [], proxy: settings.egressProxy ?? null })
    ),
    Layer.provide(ListeningAddress.layer(settings))
  )

/** Keeps nothing, and is alone. */
const inMemory = Layer.mergeAll(MemoryStore.layer, InProcessSignals.layer)

const inPostgres = Layer.merge(PgStore.layerStores, Database.layerWatch)

/** The stores, and the signals among the processes that share them. */
const storage = (settings: ServerSettings) => {
  const { databaseTimeout, store } = settings
  switch (store._tag) {
    case "Memory":
      return inMemory
    case "Embedded":
      // Nobody else has this database.
      return Layer.merge(inPostgres, InProcessSignals.layer).pipe(
        Layer.provideMerge(FollowingClock.layer),
        Layer.provide(Database.layerEmbedded(store.directory, databaseTimeout))
      )
    case "Server":
      return Layer.merge(
        inPostgres,
        PgSignals.layer.pipe(Layer.provide(ArtifactsPlace.layer(settings)))
      ).pipe(
        Layer.provideMerge(FollowingClock.layer),
        Layer.provide(Database.layer(store.url, databaseTimeout))
      )
  }
}

export const server = (settings: ServerSettings) =>
  begin(stopMax(settings)).pipe(
    Layer.provide(
      NodeServer.serving(application(settings), {
        gracePeriod: stopGrace.requests,
        noticePeriod: settings.stopNotice
      })
    ),
    Layer.provide([AjvParamsValidator.layer, Draining.layer, Readiness.layer, Worker.relief]),
    // After the database, since its content decides whether secrets may be made.
    Layer.provide(Secrets.layer(settings)),
    Layer.provide(storage(settings)),
    Layer.provide(Policies.layer(settings)),
    // Before the database, which need not be prepared if the port is taken.
    Layer.provide(
      NodeServer.listening({
        host: settings.host,
        port: settings.port,
        limits: { connectionsMax: settings.connectionsMax },
        leavesConnections: settings.worker?.isJoining === true
      })
    ),
    Layer.provide(RequestIds.layer),
    Layer.provide([
      NameServers.layer,
      NodeServices.layer,
      SecureRandom.layerWebCrypto,
      OtlpExport.traces(settings)
    ])
  )
