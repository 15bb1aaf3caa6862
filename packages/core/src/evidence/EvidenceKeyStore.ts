/** Keeps the public keys of everyone who has ever signed evidence for the service. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { EvidenceKey } from "./EvidenceKey.ts"

export class EvidenceKeyStore extends Context.Service<
  EvidenceKeyStore,
  {
    /** Keeps keys for good. One that is kept already stays as it is. */
    keep(keys: ReadonlyArray<EvidenceKey>): Effect.Effect<void>

    /** All of them, in the order of their ids. A secret key makes one, so they are few. */
    readonly list: Effect.Effect<ReadonlyArray<EvidenceKey>>
  }
>()("@runhook/core/evidence/EvidenceKeyStore") {}
