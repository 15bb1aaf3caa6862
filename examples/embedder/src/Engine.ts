/** Runhook's engine in the host's process: every use case, on a schema of its own in the host's database. */
import * as NodeDns from "@effect/platform-node/NodeDns"
import * as DiskArtifacts from "@runhook/artifacts/disk/DiskArtifacts"
import type { Retention } from "@runhook/core/sweeps/Retention"
import * as TargetPolicy from "@runhook/core/shared/target/TargetPolicy"
import * as RunhookEngine from "@runhook/core/Engine"
import { Draining } from "@runhook/core/engine/Draining"
import { CallbackTargets, ExecutionLimits, ServiceKeys } from "@runhook/core/Settings"
import * as KeyRing from "@runhook/core/signing/KeyRing"
import { AdminKeys } from "@runhook/core/keys/Authentication"
import { GuardedAgent } from "@runhook/guarded-http/GuardedAgent"
import { BaseUrl } from "@runhook/http/BaseUrl"
import { RequestIds } from "@runhook/http/pipeline/RequestIds"
import * as AjvParamsValidator from "@runhook/params/AjvParamsValidator"
import * as FollowingClock from "@runhook/store-pg/clock/FollowingClock"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as PgStore from "@runhook/store-pg/PgStore"
import * as PgSignals from "@runhook/store-pg/signals/PgSignals"
import * as HttpSender from "@runhook/webhook-dispatcher/HttpSender"
import * as WebhookDispatcher from "@runhook/webhook-dispatcher/WebhookDispatcher"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"

export interface EngineOptions {
  /** The host's database, `postgres://user:password@host/name`. */
  readonly databaseUrl: string
  /** 32 random bytes in Base64, which seal signing secrets and keys. Keep it apart from the database. */
  readonly secretKey: string
  /** Where callers and runners reach the host, without a slash at the end. */
  readonly baseUrl: string
  /** Where captured files lie; made when missing. */
  readonly filesDirectory: string
  /** Addresses that callbacks may go to although they are not public, such as `10.0.0.0/8`. */
  readonly callbackAllow: string
  /** How long settled callbacks are kept. */
  readonly retention: Retention
  /** Unfinished executions that one of its users may have. Default: ten thousand. */
  readonly accountMaxLive?: number
}

/** Not named like the host's user: PostgreSQL looks for tables in a user's own schema first. */
const schema = "runhook_engine"

/** What the host decides. */
const settings = ({ accountMaxLive, baseUrl, callbackAllow, secretKey }: EngineOptions) =>
  Layer.mergeAll(
    Layer.effect(
      ExecutionLimits,
      Effect.map(ExecutionLimits, (limits) => ({
        ...limits,
        ...(accountMaxLive !== undefined && { accountMaxLive })
      }))
    ),
    Layer.effect(ServiceKeys, Effect.fromResult(KeyRing.parse(secretKey))),
    Layer.effect(CallbackTargets, Effect.fromResult(TargetPolicy.parse(callbackAllow))),
    Layer.succeed(BaseUrl, baseUrl),
    // The host administers by itself, not over HTTP.
    Layer.succeed(AdminKeys, [])
  )

const storage = ({ databaseUrl }: EngineOptions) =>
  Layer.mergeAll(PgStore.layerStores, PgSignals.layer).pipe(
    Layer.provideMerge(FollowingClock.layer),
    Layer.provideMerge(PgDatabase.layer({ url: Redacted.make(databaseUrl), schema, maxConnections: 10 }))
  )

const files = ({ baseUrl, filesDirectory }: EngineOptions) =>
  Layer.unwrap(
    ServiceKeys.use(([{ fileGrant }]) =>
      Effect.succeed(DiskArtifacts.layer({ directory: filesDirectory, baseUrl, grantKey: fileGrant }))
    )
  )

/** Delivers callbacks, and runs the loops of the engine. */
const loops = ({ retention }: EngineOptions) =>
  Layer.merge(
    WebhookDispatcher.layer().pipe(Layer.provide(HttpSender.layer), Layer.provide(GuardedAgent.layer())),
    RunhookEngine.loops({ retention })
  ).pipe(Layer.provide(NodeDns.layer))

/** The engine, started. Its `dispose` waits for what is in flight, then stops it. */
export const startEngine = (options: EngineOptions) =>
  ManagedRuntime.make(
    Layer.merge(RunhookEngine.layer, loops(options)).pipe(
      Layer.provideMerge(
        Layer.mergeAll(AjvParamsValidator.layer, Draining.layer, RequestIds.layer, files(options))
      ),
      Layer.provideMerge(storage(options)),
      Layer.provideMerge(settings(options)),
      Layer.provideMerge(SecureRandom.layerWebCrypto)
    )
  )

export type Engine = ReturnType<typeof startEngine>
