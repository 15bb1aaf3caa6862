/** What a host decides about the engine: its limits, its times, where callbacks may go, and its keys. All but the keys have a default. */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import { strict, type TargetPolicy } from "./domain/target/TargetPolicy.ts"
import type { KeyRing } from "./signing/KeyRing.ts"

/** How much callers may ask for, and for how long it is remembered. Hosts override it by providing the reference. */
export const ExecutionLimits = Context.Reference("@runhook/core/ExecutionLimits", {
  defaultValue: () => ({
    /** Unfinished executions an account may have at once. */
    accountMaxLive: 10_000,
    /** How long a create recognises its repeats. */
    idempotencyLifetime: Duration.days(7),
    /** Longest `?wait=` of a caller. */
    waitMax: Duration.seconds(60)
  })
})

/** The durations a runner lives by. They come from the service, so that runners never compare clocks. */
export const RunnerTimings = Context.Reference("@runhook/core/RunnerTimings", {
  defaultValue: () => ({
    /** Longest wait of one poll for work. */
    pollWait: Duration.seconds(25),
    /** How long a lease lives without a sign of its runner. */
    lease: Duration.seconds(60),
    /** How often a runner should give a sign. */
    heartbeat: Duration.seconds(15),
    /** How long claimed work may wait to be started. */
    startDeadline: Duration.seconds(60),
    /** How long a runner has to obey a cancel before it is expected to drop the work. */
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

/** Bytes of all artifacts of an account; null for any number. */
export const ArtifactQuota = Context.Reference<number | null>("@runhook/core/ArtifactQuota", {
  defaultValue: () => null
})

/** The key ring of this host: seals signing secrets and the pepper, signs file grants. */
export class ServiceKeys extends Context.Service<ServiceKeys, KeyRing>()("@runhook/core/ServiceKeys") {}
