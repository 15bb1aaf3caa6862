/** What operators do with integration keys. Secrets are shown once, when they are made, and kept hashed or sealed. */
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { excessOf, raisedFor } from "../accounts/AccountLimits.ts"
import { CurrentActor } from "../audit/Actor.ts"
import {
  accountUpdated,
  keyCreated,
  keyRevoked,
  keyRotated,
  keyUpdated,
  signingSecretRotated
} from "../audit/KeyEvents.ts"
import { changesOneOf } from "../shared/Difference.ts"
import { type AccountId, ApiKeyId, type InAccount, instantOf, newId, SigningSecretId } from "../shared/Ids.ts"
import type { ApiKeyRecord } from "./ApiKeyRecord.ts"
import {
  signersAt,
  type SigningSecretRecord,
  type SigningSecretState,
  stateOf
} from "./SigningSecretRecord.ts"
import type { PageRequest } from "../shared/Page.ts"
import { AccountStore } from "../accounts/AccountStore.ts"
import { type ApiKeyChange, ApiKeyStore } from "./ApiKeyStore.ts"
import { Signals } from "../signals/Signals.ts"
import { changedByOperator } from "../signals/ChangeSignals.ts"
import { Pepper } from "./sealing/Pepper.ts"
import { ServiceKeys } from "../Settings.ts"
import { generate, hash, regenerate } from "../signing/ApiKey.ts"
import { seal } from "../signing/SecretBox.ts"
import * as SigningSecret from "../signing/SigningSecret.ts"
import { audited } from "../audit/Audited.ts"
import { makeLimitsOfAccounts } from "../accounts/LimitsOfAccounts.ts"
import { useCase } from "../engine/UseCase.ts"

/** What the seals of signing secrets are bound to. */
export const signingSecretPurpose = "signing secret"

/** What an operator says about a new key. */
export type NewApiKey = Required<ApiKeyChange> & { readonly accountId: AccountId }

/** Names one key of an account. */
export type ApiKeyRef = InAccount<ApiKeyId>

/** A signing secret and its state. */
export interface StatedSigningSecret {
  readonly secret: SigningSecretRecord
  readonly state: SigningSecretState
}

/**
 * - `immediate`: the new secret signs at once, for when the old one is lost or leaked.
 * - `staged`: both sign during the overlap, then the new one takes the specified header, then the old one ends.
 */
export type SigningSecretRotation = "immediate" | "staged"

export class ApiKeys extends Context.Service<ApiKeys>()("@runhook/core/keys/ApiKeys", {
  make: Effect.gen(function* () {
    const accounts = yield* AccountStore
    const limitsOf = yield* makeLimitsOfAccounts
    const pepper = yield* Pepper
    const ring = yield* ServiceKeys
    const signals = yield* Signals
    const store = yield* ApiKeyStore
    const atRandom = Effect.provideService(SecureRandom, yield* SecureRandom)

    const makeSigningSecret = Effect.fnUntraced(function* (apiKeyId: ApiKeyId, activeAt: DateTime.Utc) {
      const text = yield* SigningSecret.generate
      const id = yield* newId(SigningSecretId)
      const record: SigningSecretRecord = {
        id,
        apiKeyId,
        ciphertext: yield* seal(ring, { purpose: signingSecretPurpose, id }, text),
        activeAt,
        expiresAt: null,
        createdAt: instantOf(id)
      }
      return { text: Redacted.make(text, { label: "signing secret" }), record }
    })

    /** Wakes those who wait with the key, and those who watch the account. */
    const tellChange = ({ accountId, id }: ApiKeyRef, state = "active") =>
      signals.notify([`key:${id}`, ...changedByOperator(accountId, "key", { id, state, isNew: false })])

    /**
     * Holds a key of a member to the limits of the account. An operator who gives a key more raises them
     * with it, since all keys together never have more than their account.
     */
    const withinLimits = Effect.fnUntraced(function* (accountId: AccountId, asked: ApiKeyChange) {
      const limits = yield* limitsOf(accountId)
      const excess = excessOf(asked, limits)
      if (excess === undefined) return
      const { kind } = yield* CurrentActor
      if (kind === "member") return yield* excess
      const audit = yield* audited(accountUpdated)
      yield* Effect.ignore(accounts.update({ id: accountId, change: raisedFor(asked, limits), audit }))
    })

    const create = useCase("ApiKeys.create")(function* (request: NewApiKey) {
      yield* accounts.get(request.accountId)
      yield* withinLimits(request.accountId, request)
      const id = yield* newId(ApiKeyId)
      const at = instantOf(id)
      const { key, prefix } = yield* generate("live")
      const record: ApiKeyRecord = {
        ...request,
        id,
        prefix,
        secretHash: hash(pepper, key),
        previousHash: null,
        previousExpiresAt: null,
        revokedAt: null,
        createdAt: at,
        updatedAt: at
      }
      const secret = yield* makeSigningSecret(id, at)
      yield* store.create(record, secret.record, yield* audited(keyCreated))
      yield* signals.notify(changedByOperator(request.accountId, "key", { id, state: "active", isNew: true }))
      return { record, key: Redacted.make(key, { label: "API key" }), signingSecret: secret.text }
    }, atRandom)

    const get = ({ accountId, id }: ApiKeyRef) => store.get(accountId, id)

    const list = useCase("ApiKeys.list")(function* (accountId: AccountId, page: PageRequest) {
      yield* accounts.get(accountId)
      return yield* store.list(accountId, page)
    })

    /** The signing secrets of each key that sign now or will, the active one first. Their texts are sealed. */
    const signingSecrets = useCase("ApiKeys.signingSecrets")(function* (
      accountId: AccountId,
      ids: ReadonlyArray<ApiKeyId>
    ) {
      const at = yield* DateTime.now
      const secrets = yield* store.signingSecretsOf({ accountId, ids, at })
      return new Map(
        ids.map((id) => {
          const own = secrets.filter(({ apiKeyId }) => apiKeyId === id)
          return [
            id,
            signersAt(own, at).map((secret) => ({ secret, state: stateOf(secret, own, at) }))
          ] as const
        })
      )
    })

    const update = useCase("ApiKeys.update")(function* (ref: ApiKeyRef, change: ApiKeyChange) {
      const before = yield* store.get(ref.accountId, ref.id)
      if (changesOneOf(before, change, ["maxLive", "rateLimit"])) yield* withinLimits(ref.accountId, change)
      const audit = yield* audited(keyUpdated)
      const record = yield* store.update({ ...ref, change, at: yield* DateTime.now, audit })
      yield* tellChange(ref, record.revokedAt === null ? "active" : "revoked")
      return record
    })

    /** Revokes the key for good. */
    const revoke = useCase("ApiKeys.revoke")(function* (ref: ApiKeyRef) {
      yield* store.revoke({ ...ref, at: yield* DateTime.now, audit: yield* audited(keyRevoked) })
      yield* tellChange(ref, "revoked")
    })

    /** Makes another key under the same record; the previous one is accepted during the overlap. */
    const rotate = useCase("ApiKeys.rotate")(function* (ref: ApiKeyRef, overlap: Duration.Duration) {
      const { prefix } = yield* store.get(ref.accountId, ref.id)
      const key = yield* regenerate({ kind: "live", prefix })
      const at = yield* DateTime.now
      const previousExpiresAt = DateTime.addDuration(at, overlap)
      const audit = yield* audited(keyRotated)
      yield* store.rotate({ ...ref, secretHash: hash(pepper, key), previousExpiresAt, at, audit })
      yield* tellChange(ref)
      return { key: Redacted.make(key, { label: "API key" }), previousExpiresAt }
    }, atRandom)

    const rotateSigningSecret = useCase("ApiKeys.rotateSigningSecret")(function* (
      ref: ApiKeyRef,
      { mode, overlap }: { readonly mode: SigningSecretRotation; readonly overlap: Duration.Duration }
    ) {
      const at = yield* DateTime.now
      const activeAt = mode === "immediate" ? at : DateTime.addDuration(at, overlap)
      const previousExpiresAt = mode === "immediate" ? at : DateTime.addDuration(activeAt, overlap)
      const secret = yield* makeSigningSecret(ref.id, activeAt)
      const rotation = { secret: secret.record, previousExpiresAt }
      const audit = yield* audited((record: ApiKeyRecord) => signingSecretRotated(record, rotation))
      yield* store.rotateSigningSecret({ ...ref, ...rotation, audit })
      yield* signals.notify(["signing_secrets"])
      yield* tellChange(ref)
      return { signingSecret: secret.text, activeAt, previousExpiresAt }
    }, atRandom)

    return { create, get, list, signingSecrets, update, revoke, rotate, rotateSigningSecret }
  })
}) {
  static readonly layer = Layer.effect(ApiKeys, ApiKeys.make).pipe(Layer.provide(Pepper.layer))
}
