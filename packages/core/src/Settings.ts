/**
 * What a host decides about the engine: limits, times, callback targets, keys. All
 * but the keys have a default.
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import { countsKept } from "./sweeps/Retention.ts"
import { strict, type TargetPolicy } from "./shared/target/TargetPolicy.ts"
import type { RateLimit } from "./keys/RateLimit.ts"
import type { KeyRing } from "./signing/KeyRing.ts"

interface ExecutionLimits {
  /** Unfinished executions an account may have at once. */
  readonly accountMaxLive: number
  /** Requests of all integration keys of an account, at each process; null: no limit. */
  readonly accountRateLimit: RateLimit | null
  /** How long a create recognizes its duplicates. */
  readonly idempotencyLifetime: Duration.Duration
  /** Longest `?wait=` of a caller. */
  readonly waitMax: Duration.Duration
}

/**
 * How much callers may ask for, and how long idempotency keys are remembered. Hosts
 * override it by providing the reference.
 */
export const ExecutionLimits = Context.Reference<ExecutionLimits>("@runhook/core/ExecutionLimits", {
  defaultValue: () => ({
    accountMaxLive: 10_000,
    accountRateLimit: { perSecond: 100, burst: 200 },
    idempotencyLifetime: Duration.days(7),
    waitMax: Duration.seconds(60)
  })
})

/** How many schedules an account may have, and how close their due times may be. */
export const ScheduleLimits = Context.Reference("@runhook/core/ScheduleLimits", {
  defaultValue: () => ({ perAccount: 1_000, shortest: Duration.seconds(1) })
})

/** The durations a runner keeps. They come from the service, so runners never compare clocks. */
export const RunnerTimings = Context.Reference("@runhook/core/RunnerTimings", {
  defaultValue: () => ({
    /** Longest wait of one poll for work. */
    pollWait: Duration.seconds(25),
    /** How long a lease lives without a heartbeat. */
    lease: Duration.seconds(60),
    /** How often a runner should send a heartbeat. */
    heartbeat: Duration.seconds(15),
    /** How long claimed work may wait to be started. */
    startDeadline: Duration.seconds(60),
    /** How long a runner has to obey a cancel. */
    cancelGrace: Duration.seconds(30),
    /** How long after its end an attempt may still deliver artifacts. */
    finalize: Duration.minutes(5),
    /** Largest artifact: 512 MiB. */
    maxArtifactBytes: 536_870_912
  })
})

/** Which targets callbacks may reach: public addresses only, unless the host says otherwise. */
export const CallbackTargets = Context.Reference<TargetPolicy>("@runhook/core/CallbackTargets", {
  defaultValue: () => strict
})

/** Bytes of all artifacts of an account; null for no limit. */
export const ArtifactQuota = Context.Reference<number | null>("@runhook/core/ArtifactQuota", {
  defaultValue: () => null
})

/** How long daily counts of usage are kept, and when a receiver was last sent to. */
export const UsageKept = Context.Reference<Duration.Duration>("@runhook/core/UsageKept", {
  defaultValue: () => countsKept
})

/** The key ring of this host: seals signing secrets and the pepper, signs file grants. */
export class ServiceKeys extends Context.Service<ServiceKeys, KeyRing>()("@runhook/core/ServiceKeys") {}
