/** Makes `/readyz` check the files too, in a process that has them. */
import { ArtifactStorage } from "@runhook/core/ports/ArtifactStorage"
import { limited, ReadinessChecks } from "@runhook/http/probes/Health"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Adds a check: unusable files are missing, while a full volume only limits the service. */
export const layer = Layer.effect(
  ReadinessChecks,
  Effect.gen(function* () {
    const { check } = yield* ArtifactStorage
    const artifacts = {
      name: "artifacts",
      check: Effect.map(check, (condition) => (condition === "full" ? limited : condition))
    }
    return [...(yield* ReadinessChecks), artifacts]
  })
)
