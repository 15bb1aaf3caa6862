/**
 * Seals signing secrets and secret params again after the secret key was replaced, so that the
 * operator can drop the older key.
 */
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Number from "effect/Number"
import * as Record from "effect/Record"
import { CurrentActor, theService } from "../../audit/Actor.ts"
import { signingSecretResealed } from "../../audit/KeyEvents.ts"
import { type SealedKind, type SealedValue, SealedValues } from "./SealedValues.ts"
import * as Loop from "../../engine/Loop.ts"
import { endpointSecretPurpose } from "../SigningKeyring.ts"
import { ServiceKeys } from "../../Settings.ts"
import { open, seal, sealPrefix } from "../../signing/SecretBox.ts"
import { alertSecretPurpose } from "../../alerts/AlertSender.ts"
import { signingSecretPurpose } from "../ApiKeys.ts"
import { secretParamsPurpose } from "../../executions/params/ParamSecrets.ts"
import { audited } from "../../audit/Audited.ts"
import { spanned } from "../../engine/UseCase.ts"

/** What each kind is sealed for. The pepper is sealed again at the start. */
const purposes: { readonly [Kind in Exclude<SealedKind, "pepper">]: string } = {
  signingSecret: signingSecretPurpose,
  alertTarget: alertSecretPurpose,
  endpoint: endpointSecretPurpose,
  previousOfEndpoint: endpointSecretPurpose,
  params: secretParamsPurpose
}

/** Secrets that are read at once. */
const batch = 100

/** The result of a pass over all that is sealed. */
export interface Resealed {
  /** Names the newest secret key, under which they now are sealed. */
  readonly newestKeyId: string
  /** Names the older secret keys that are configured. */
  readonly olderKeyIds: ReadonlyArray<string>
  /** How many secrets this pass has sealed again. */
  readonly resealed: number
  /** How many secrets no configured key opens. They were left as they are. */
  readonly broken: number
}

export class SecretKeyRotation extends Context.Service<SecretKeyRotation>()(
  "@runhook/core/keys/sealing/SecretKeyRotation",
  {
    make: Effect.gen(function* () {
      const ring = yield* ServiceKeys
      const values = yield* SealedValues
      const random = yield* SecureRandom
      const [newest, ...older] = ring
      const prefix = sealPrefix(newest)

      const resealed = Effect.fnUntraced(function* (value: SealedValue, purpose: string) {
        const row = { purpose, id: value.id }
        const text = yield* Effect.fromResult(open(ring, row, value.sealed))
        yield* values.reseal(value, yield* seal(ring, row, text), yield* audited(signingSecretResealed))
      })

      /** Goes through all of a kind by rising id: so it ends, and never meets again what it cannot open. */
      const passOver = Effect.fnUntraced(function* ([kind, purpose]: readonly [SealedKind, string]) {
        const count = { resealed: 0, broken: 0 }
        for (let after: string | null = null; ;) {
          const found: ReadonlyArray<SealedValue> = yield* values.sealedOtherwise({
            kind,
            prefix,
            after,
            limit: batch
          })
          for (const value of found) {
            const isResealed = yield* Effect.isSuccess(resealed(value, purpose))
            count[isResealed ? "resealed" : "broken"] += 1
            after = value.id
          }
          if (found.length < batch) return count
        }
      })

      /**
       * Seals everything under the newest secret key that is not sealed under it yet. The next
       * pass continues an interrupted one; several processes may pass at once.
       */
      const pass = Effect.gen(function* () {
        const counts = yield* Effect.forEach(Record.toEntries(purposes), passOver)
        const sumOf = (of: "resealed" | "broken") => Number.sumAll(counts.map((count) => count[of]))
        return {
          newestKeyId: newest.id,
          olderKeyIds: older.map(({ id }) => id),
          resealed: sumOf("resealed"),
          broken: sumOf("broken")
        }
      }).pipe(spanned("Resealing.pass"), Effect.provideService(SecureRandom, random))

      return { pass }
    })
  }
) {
  static readonly layer = Layer.effect(SecretKeyRotation, SecretKeyRotation.make)

  /** Passes once at the start, beside the service's other work. */
  static readonly layerAtStart = Layer.effectDiscard(
    Effect.gen(function* () {
      const { pass } = yield* SecretKeyRotation
      yield* pass.pipe(
        Effect.provideService(CurrentActor, theService),
        Effect.flatMap(told),
        Loop.surviving(failure, Effect.void),
        Effect.forkScoped
      )
    })
  )
}

/** The keys tell no age: while a new one is brought in, it comes last, and nothing is sealed under it yet. */
const told = Effect.fnUntraced(function* ({ broken, newestKeyId, olderKeyIds, resealed }: Resealed) {
  if (resealed > 0)
    yield* Effect.logInfo(`Sealed ${resealed} secrets again under the first secret key, ${newestKeyId}`)
  if (broken > 0) yield* Effect.logWarning(`${broken} secrets are sealed under no configured secret key`)
  if (olderKeyIds.length > 0) {
    yield* Effect.logInfo(
      `Nothing is sealed under the secret keys after the first, ${olderKeyIds.join(", ")}: keep a new one, which is to come first at the next start; remove an old one once every process has this order`
    )
  }
})

/** A secret that was not sealed again still opens, so the service goes on. */
const failure = "Sealing again failed; the next start or `runhook keys reseal` takes it up"
