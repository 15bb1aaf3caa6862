/**
 * Seals signing secrets and secret params again after the secret key was replaced, so that the
 * operator can drop the older key.
 */
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { CurrentActor, theService } from "../domain/account/Actor.ts"
import { signingSecretResealed } from "../domain/audit/KeyEvents.ts"
import type { WebhookEndpoint } from "../domain/endpoint/WebhookEndpoint.ts"
import type { AlertTargetId, EndpointId, ExecutionId, SigningSecretId } from "../domain/Ids.ts"
import type { SigningSecretRecord } from "../domain/keys/SigningSecretRecord.ts"
import { AlertStore } from "../ports/AlertStore.ts"
import { ApiKeyStore } from "../ports/ApiKeyStore.ts"
import { EndpointStore } from "../ports/EndpointStore.ts"
import { ExecutionStore, type SealedParams } from "../ports/ExecutionStore.ts"
import * as Loop from "../runtime/Loop.ts"
import { endpointSecretPurpose } from "../runtime/SigningKeyring.ts"
import { ServiceKeys } from "../Settings.ts"
import { isSealedUnder, open, seal, sealPrefix } from "../signing/SecretBox.ts"
import { alertSecretPurpose } from "../usecases/AlertSending.ts"
import { signingSecretPurpose } from "../usecases/ApiKeys.ts"
import { secretParamsPurpose } from "../usecases/ParamSecrets.ts"
import { audited } from "../usecases/Audited.ts"
import { spanned } from "../usecases/UseCase.ts"

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

      /** Whether the secret could be opened. */
      const reseal = Effect.fnUntraced(function* ({ ciphertext, id }: SigningSecretRecord) {
        const row = { purpose: signingSecretPurpose, id }
        const text = open(ring, row, ciphertext)
        if (Result.isFailure(text)) return false
        const to = yield* seal(ring, row, text.success)
        yield* store.resealSigningSecret({
          id,
          from: ciphertext,
          to,
          audit: yield* audited(signingSecretResealed)
        })
        return true
      })

      const resealParams = Effect.fnUntraced(function* (params: SealedParams) {
        const row = { purpose: secretParamsPurpose, id: params.id }
        const text = open(ring, row, params.sealed)
        if (Result.isFailure(text)) return false
        yield* executions.resealParams({ ...params, to: yield* seal(ring, row, text.success) })
        return true
      })

      /** The secrets of alert targets are few. */
      const resealTarget = Effect.fnUntraced(function* (id: AlertTargetId, from: string) {
        const row = { purpose: alertSecretPurpose, id }
        const text = open(ring, row, from)
        if (Result.isFailure(text)) return false
        yield* alerts.resealTarget({ id, from, to: yield* seal(ring, row, text.success) })
        return true
      })

      const resealEndpoint = Effect.fnUntraced(function* (endpoint: WebhookEndpoint) {
        const row = { purpose: endpointSecretPurpose, id: endpoint.id }
        const again = Effect.fnUntraced(function* (from: string) {
          const text = open(ring, row, from)
          return Result.isFailure(text) ? undefined : yield* seal(ring, row, text.success)
        })
        const { ciphertext, previousCiphertext } = endpoint
        const now = yield* again(ciphertext)
        const before = previousCiphertext === null ? null : yield* again(previousCiphertext)
        if (now === undefined || before === undefined) return false
        yield* endpoints.reseal(endpoint, { ciphertext: now, previousCiphertext: before })
        return true
      })

      const resealEndpoints = Effect.gen(function* () {
        const count = { resealed: 0, broken: 0 }
        for (let after: EndpointId | null = null; ;) {
          const found: ReadonlyArray<WebhookEndpoint> = yield* endpoints.sealedOtherwise({
            prefix,
            after,
            limit: batch
          })
          for (const endpoint of found) {
            count[(yield* resealEndpoint(endpoint)) ? "resealed" : "broken"] += 1
            after = endpoint.id
          }
          if (found.length < batch) return count
        }
      })

      /**
       * Seals everything under the newest secret key that is not sealed under it yet. The next
       * pass continues an interrupted one; several processes may pass at once.
       */
      const pass = Effect.gen(function* () {
        let [resealed, broken] = [0, 0]
        let after: SigningSecretId | null = null
        // The ids only rise, so the loop ends, and never meets again what it cannot open.
        while (true) {
          const secrets: ReadonlyArray<SigningSecretRecord> = yield* store.signingSecretsSealedOtherwise({
            prefix,
            after,
            limit: batch
          })
          for (const secret of secrets) {
            if (yield* reseal(secret)) resealed += 1
            else broken += 1
          }
          after = secrets.at(-1)?.id ?? null
          if (secrets.length < batch) break
        }
        for (const { ciphertext, id } of yield* alerts.targets) {
          if (ciphertext === null || isSealedUnder(newest, ciphertext)) continue
          if (yield* resealTarget(id, ciphertext)) resealed += 1
          else broken += 1
        }
        const ofEndpoints = yield* resealEndpoints
        resealed += ofEndpoints.resealed
        broken += ofEndpoints.broken
        let afterExecution: ExecutionId | null = null
        while (true) {
          const found: ReadonlyArray<SealedParams> = yield* executions.paramsSealedOtherwise({
            prefix,
            after: afterExecution,
            limit: batch
          })
          for (const each of found) {
            if (yield* resealParams(each)) resealed += 1
            else broken += 1
          }
          afterExecution = found.at(-1)?.id ?? null
          if (found.length < batch) break
        }
        return { newestKeyId: newest.id, olderKeyIds: older.map(({ id }) => id), resealed, broken }
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
    yield* Effect.logInfo(`Sealed ${resealed} secrets anew under the first secret key, ${newestKeyId}`)
  if (broken > 0) yield* Effect.logWarning(`${broken} secrets are sealed under no configured secret key`)
  if (olderKeyIds.length > 0) {
    yield* Effect.logInfo(
      `Nothing is sealed under the secret keys after the first, ${olderKeyIds.join(", ")}: keep a new one, which is to come first at the next start; remove an old one once every process has this order`
    )
  }
})

/** A secret that was not sealed again still opens, so the service goes on. */
const failure = "Sealing anew failed; the next start or `runhook keys reseal` takes it up"
