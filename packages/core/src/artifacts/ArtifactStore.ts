/** Keeps what is known about artifacts; their bytes are in the `ArtifactStorage`. */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Artifact } from "./Artifact.ts"
import { type AccountId, ArtifactId, ExecutionId } from "../shared/Ids.ts"
import type { LeaseLost } from "../runs/Lease.ts"
import type { ExecutionNotFound } from "../shared/Refusals.ts"

/** The execution has no such artifact. */
export class ArtifactNotFound extends Schema.TaggedError<ArtifactNotFound>()("ArtifactNotFound", {
  executionId: ExecutionId,
  id: ArtifactId
}) {
  override get message() {
    return `Execution ${this.executionId} has no artifact ${this.id}`
  }
}

/** The execution has reached its limit of artifacts. */
export class ArtifactLimitReached extends Schema.TaggedError<ArtifactLimitReached>()("ArtifactLimitReached", {
  limit: Schema.Int
}) {
  override get message() {
    return `An execution may have at most ${this.limit} artifacts`
  }
}

/** The account has no room for the artifact. */
export class ArtifactQuotaReached extends Schema.TaggedError<ArtifactQuotaReached>()("ArtifactQuotaReached", {
  /** Bytes that the account may have. */
  limit: Schema.Int,
  /** Bytes that the account has. */
  used: Schema.Int
}) {
  override get message() {
    return `The account has ${this.used} of ${this.limit} bytes in artifacts: there is no room for this one`
  }
}

export class ArtifactStore extends Context.Service<
  ArtifactStore,
  {
    /**
     * Records an artifact that the attempt of `artifact.epoch` will upload, while that
     * attempt lasts and for `finalizeMs` after its end.
     *
     * An equal request finds the artifact it made before, which is then awaited again
     * unless it is ready: see `SweepStore.prune`.
     *
     * An artifact counts by its announced bytes, and must not take the account above
     * its quota, if there is one. If two come at once and there is room for only one,
     * one is registered.
     */
    register(options: {
      readonly artifact: Artifact
      readonly finalizeMs: number
      /** Bytes of all artifacts of the account; null for any number. */
      readonly quotaBytes: number | null
      readonly at: DateTime.Utc
    }): Effect.Effect<Artifact, ExecutionNotFound | LeaseLost | ArtifactLimitReached | ArtifactQuotaReached>

    /** An artifact of the attempt, for its runner, ready or not. */
    find(options: {
      readonly accountId: AccountId
      readonly executionId: ExecutionId
      readonly id: ArtifactId
    }): Effect.Effect<Artifact, ExecutionNotFound | ArtifactNotFound>

    /** Shows the artifact to callers from now on. Repeating it is harmless. */
    markReady(options: {
      readonly accountId: AccountId
      readonly executionId: ExecutionId
      readonly id: ArtifactId
      readonly epoch: number
      readonly finalizeMs: number
      readonly at: DateTime.Utc
    }): Effect.Effect<Artifact, ExecutionNotFound | ArtifactNotFound | LeaseLost>

    /** The ready artifacts of an execution, oldest first; none if the account has no such execution. */
    listReady(accountId: AccountId, executionId: ExecutionId): Effect.Effect<ReadonlyArray<Artifact>>
  }
>()("@runhook/core/artifacts/ArtifactStore") {}
