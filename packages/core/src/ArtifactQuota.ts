/** How much an account may keep in artifacts. */
import * as Context from "effect/Context"

/** Bytes of all artifacts of an account; null for any number. */
export const ArtifactQuota = Context.Reference<number | null>("@runhook/core/ArtifactQuota", {
  defaultValue: () => null
})
