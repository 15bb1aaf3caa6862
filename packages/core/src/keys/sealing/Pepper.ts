/**
 * The random key under which API keys are hashed. It is made once and kept sealed
 * beside the hashes, not derived from a secret key, so keys stay valid when the
 * secret key is replaced. A start under a secret key that does not open it fails,
 * rather than refuse every API key.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PepperStore } from "./PepperStore.ts"
import { SealedValues } from "./SealedValues.ts"
import { ServiceKeys } from "../../Settings.ts"
import { generatePepper, parsePepper, type PepperKey } from "../../signing/ApiKey.ts"
import { isSealedUnder, open, seal, SealBroken } from "../../signing/SecretBox.ts"

const row = { purpose: "pepper", id: "this service" }

export class Pepper extends Context.Service<Pepper, PepperKey>()("@runhook/core/keys/sealing/Pepper") {
  /** Finds the pepper, or makes it at the first start. Seals it again after the secret key was replaced. */
  static readonly layer = Layer.effect(
    Pepper,
    Effect.gen(function* () {
      const ring = yield* ServiceKeys
      const store = yield* PepperStore
      const sealed = yield* store.findOrKeep(yield* seal(ring, row, yield* generatePepper))
      const text = yield* Effect.fromResult(open(ring, row, sealed))
      if (!isSealedUnder(ring[0], sealed)) {
        const value = { kind: "pepper", accountId: null, id: "pepper", sealed } as const
        yield* (yield* SealedValues).reseal(value, yield* seal(ring, row, text))
      }
      return yield* Effect.fromOption(parsePepper(text)).pipe(
        Effect.mapError(() => new SealBroken({ ...row, reason: "malformed" }))
      )
    })
  )
}
