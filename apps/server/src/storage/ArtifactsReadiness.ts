/** Makes `/readyz` check the files too, in a process that has them. */
import { ArtifactStorage } from "@runhook/core/artifacts/ArtifactStorage"
import { limited, ReadinessChecks } from "@runhook/http/probes/Health"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ServerSettings } from "../settings/ServerSettings.ts"

/** Less than a check may take. */
const patience = Duration.seconds(1)

/**
 * Adds a check: an unusable folder is missing, while a full volume only limits the
 * service. So does a bucket in any trouble, which is the same for all processes.
 */
export const layer = ({ bucket }: ServerSettings) =>
  Layer.effect(
    ReadinessChecks,
    Effect.gen(function* () {
      const { check } = yield* ArtifactStorage
      const looked = Effect.map(check, (condition) => (condition === "full" ? limited : condition))
      const lenient = Effect.catchCause(Effect.timeout(looked, patience), () => Effect.succeed(limited))
      return [...(yield* ReadinessChecks), { name: "artifacts", check: bucket === null ? looked : lenient }]
    })
  )
