/**
 * Seals signing secrets and secret params again after the secret key was replaced, so that the
 * operator can drop the older key.
 */
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Number from "effect/Number"
import { CurrentActor, theService } from "../domain/account/Actor.ts"
import { signingSecretResealed } from "../domain/audit/KeyEvents.ts"
import type { WebhookEndpoint } from "../domain/endpoint/WebhookEndpoint.ts"
import type { AlertTargetId } from "../domain/Ids.ts"
import type { SigningSecretRecord } from "../domain/keys/SigningSecretRecord.ts"
import { AlertStore } from "../ports/AlertStore.ts"
import { ApiKeyStore } from "../ports/ApiKeyStore.ts"
import { EndpointStore } from "../ports/EndpointStore.ts"
import { ExecutionStore, type SealedParams } from "../ports/ExecutionStore.ts"
import * as Loop from "../runtime/Loop.ts"
import { endpointSecretPurpose } from "../runtime/SigningKeyring.ts"
import { ServiceKeys } from "../Settings.ts"
import {
  isSealedUnder,
  open,
  seal,
  type SealBroken,
  type SealedFor,
  sealPrefix
} from "../signing/SecretBox.ts"
import { alertSecretPurpose } from "../usecases/AlertSender.ts"
import { signingSecretPurpose } from "../usecases/ApiKeys.ts"
import { secretParamsPurpose } from "../usecases/ParamSecrets.ts"
import { audited } from "../usecases/Audited.ts"
import { spanned } from "../usecases/UseCase.ts"

/** Secrets that are read at once. */
const batch = 100

/** Which secrets are read next. */
interface Behind<Id> {
  readonly prefix: string
  readonly after: Id | null
  readonly limit: number
}

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
  "@runhook/core/loops/SecretKeyRotation",
  {
    make: Effect.gen(function* () {
      const ring = yield* ServiceKeys
      const store = yield* ApiKeyStore
      const alerts = yield* AlertStore
      const endpoints = yield* EndpointStore
      const executions = yield* ExecutionStore
      const random = yield* SecureRandom
      const [newest, ...older] = ring
      const prefix = sealPrefix(newest)

      /** The same secret, sealed under the newest secret key. */
      const again = Effect.fnUntraced(function* (row: SealedFor, sealed: string) {
        return yield* seal(ring, row, yield* Effect.fromResult(open(ring, row, sealed)))
      })

      /** Goes through all of a kind by rising id: so it ends, and never meets again what it cannot open. */
      const passOver = Effect.fnUntraced(function* <Thing extends { readonly id: string }, R>(
        find: (options: Behind<Thing["id"]>) => Effect.Effect<ReadonlyArray<Thing>>,
        reseal: (thing: Thing) => Effect.Effect<void, SealBroken, R>
      ) {
        const count = { resealed: 0, broken: 0 }
        for (let after: Thing["id"] | null = null; ;) {
          const found: ReadonlyArray<Thing> = yield* find({ prefix, after, limit: batch })
          for (const thing of found) {
            const isResealed = yield* Effect.isSuccess(reseal(thing))
            count[isResealed ? "resealed" : "broken"] += 1
            after = thing.id
          }
          if (found.length < batch) return count
        }
      })

      const signingSecrets = passOver(
        store.signingSecretsSealedOtherwise,
        Effect.fnUntraced(function* ({ ciphertext: from, id }: SigningSecretRecord) {
          const to = yield* again({ purpose: signingSecretPurpose, id }, from)
          yield* store.resealSigningSecret({ id, from, to, audit: yield* audited(signingSecretResealed) })
        })
      )

      const params = passOver(
        executions.paramsSealedOtherwise,
        Effect.fnUntraced(function* (found: SealedParams) {
          const to = yield* again({ purpose: secretParamsPurpose, id: found.id }, found.sealed)
          yield* executions.resealParams({ ...found, to })
        })
      )

      const endpointSecrets = passOver(
        endpoints.sealedOtherwise,
        Effect.fnUntraced(function* (endpoint: WebhookEndpoint) {
          const row = { purpose: endpointSecretPurpose, id: endpoint.id }
          const { ciphertext, previousCiphertext: previous } = endpoint
          const now = yield* again(row, ciphertext)
          const before = previous === null ? null : yield* again(row, previous)
          yield* endpoints.reseal(endpoint, { ciphertext: now, previousCiphertext: before })
        })
      )

      /** Those of alert targets are few, and read at once. */
      const targetSecrets = passOver(
        ({ after }: Behind<AlertTargetId>) =>
          Effect.map(alerts.targets, (targets) =>
            targets.flatMap(({ ciphertext, id }) =>
              after !== null || ciphertext === null || isSealedUnder(newest, ciphertext)
                ? []
                : [{ ciphertext, id }]
            )
          ),
        Effect.fnUntraced(function* ({ ciphertext: from, id }) {
          yield* alerts.resealTarget({
            id,
            from,
            to: yield* again({ purpose: alertSecretPurpose, id }, from)
          })
        })
      )

      /**
       * Seals everything under the newest secret key that is not sealed under it yet. The next
       * pass continues an interrupted one; several processes may pass at once.
       */
      const pass = Effect.gen(function* () {
        const counts = yield* Effect.all([signingSecrets, targetSecrets, endpointSecrets, params])
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
