/** The public keys of evidence in memory. */
import type { EvidenceKey } from "@runhook/core/evidence/EvidenceKey"
import { EvidenceKeyStore } from "@runhook/core/evidence/EvidenceKeyStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export const layer: Layer.Layer<EvidenceKeyStore> = Layer.sync(EvidenceKeyStore, () => {
  const kept = new Map<string, EvidenceKey>()
  return EvidenceKeyStore.of({
    keep: (keys) =>
      Effect.sync(() => {
        for (const key of keys) if (!kept.has(key.kid)) kept.set(key.kid, key)
      }),
    list: Effect.sync(() => [...kept.values()].toSorted((one, other) => (one.kid < other.kid ? -1 : 1)))
  })
})
