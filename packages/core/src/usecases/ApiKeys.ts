/** What operators do with integration keys. Secrets are shown once, when they are made, and kept hashed or sealed. */
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { type AboveAccountLimit, excessOf, raisedFor } from "../domain/account/AccountLimits.ts"
import { CurrentActor } from "../domain/account/Actor.ts"
import {
  accountUpdated,
  keyCreated,
  keyRevoked,
  keyRotated,
  keyUpdated,
  signingSecretRotated
} from "../domain/audit/KeyEvents.ts"
import { type AccountId, ApiKeyId, instantOf, newId, SigningSecretId } from "../domain/Ids.ts"
import type { ApiKeyRecord } from "../domain/keys/ApiKeyRecord.ts"
import {
  signersAt,
  type SigningSecretRecord,
  type SigningSecretState,
  stateOf
} from "../domain/keys/SigningSecretRecord.ts"
import type { Page, PageRequest } from "../domain/Page.ts"
import { type AccountNotFound, AccountStore } from "../ports/AccountStore.ts"
import {
  type ApiKeyChange,
  type ApiKeyNotFound,
  type ApiKeyRevoked,
  ApiKeyStore
} from "../ports/ApiKeyStore.ts"
import { Signals } from "../ports/Signals.ts"
import { changedByOperator } from "../runtime/ChangeSignals.ts"
import { Pepper } from "../runtime/Pepper.ts"
import { ServiceKeys } from "../Settings.ts"
import { generate, hash, regenerate } from "../signing/ApiKey.ts"
import { seal } from "../signing/SecretBox.ts"
import * as SigningSecret from "../signing/SigningSecret.ts"
import { audited } from "./Audited.ts"
import { makeLimitsOfAccounts } from "./LimitsOfAccounts.ts"
import { useCase } from "./UseCase.ts"

/** What the seals of signing secrets are bound to. */
export const signingSecretPurpose = "signing secret"

/** What an operator says about a new key. */
export type NewApiKey = Required<ApiKeyChange> & { readonly accountId: AccountId }

/** Names one key of an account. */
export interface ApiKeyRef {
  readonly accountId: AccountId
  readonly id: ApiKeyId
}

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

type Verbs = ApiKeys["Service"]

export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    create(request: NewApiKey): Effect.Effect<
      {
        readonly record: ApiKeyRecord
        readonly key: Redacted.Redacted
        readonly signingSecret: Redacted.Redacted
      },
      AboveAccountLimit | AccountNotFound,
      CurrentActor
    >
    get(ref: ApiKeyRef): Effect.Effect<ApiKeyRecord, ApiKeyNotFound>
    list(accountId: AccountId, page: PageRequest): Effect.Effect<Page<ApiKeyRecord>, AccountNotFound>
    /** The signing secrets of each key that sign now or will, the active one first. Their texts are sealed. */
    signingSecrets(
      accountId: AccountId,
      ids: ReadonlyArray<ApiKeyId>
    ): Effect.Effect<ReadonlyMap<ApiKeyId, ReadonlyArray<StatedSigningSecret>>>
    update(
      ref: ApiKeyRef,
      change: ApiKeyChange
    ): Effect.Effect<ApiKeyRecord, AboveAccountLimit | ApiKeyNotFound, CurrentActor>
    /** Revokes the key for good. */
    revoke(ref: ApiKeyRef): Effect.Effect<void, ApiKeyNotFound, CurrentActor>
    /** Makes another key under the same record; the previous one is accepted during the overlap. */
    rotate(
      ref: ApiKeyRef,
      overlap: Duration.Duration
    ): Effect.Effect<
      { readonly key: Redacted.Redacted; readonly previousExpiresAt: DateTime.Utc },
      ApiKeyNotFound | ApiKeyRevoked,
      CurrentActor
    >
    rotateSigningSecret(
      ref: ApiKeyRef,
      options: { readonly mode: SigningSecretRotation; readonly overlap: Duration.Duration }
    ): Effect.Effect<
      {
        readonly signingSecret: Redacted.Redacted
        readonly activeAt: DateTime.Utc
        readonly previousExpiresAt: DateTime.Utc
      },
      ApiKeyNotFound | ApiKeyRevoked,
      CurrentActor
    >
  }
>()("@runhook/core/usecases/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
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

      const create: Verbs["create"] = useCase("ApiKeys.create")(function* (request) {
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
        yield* signals.notify(
          changedByOperator(request.accountId, "key", { id, state: "active", isNew: true })
        )
        return { record, key: Redacted.make(key, { label: "API key" }), signingSecret: secret.text }
      }, atRandom)

      const get: Verbs["get"] = ({ accountId, id }) => store.get(accountId, id)

      const list: Verbs["list"] = useCase("ApiKeys.list")(function* (accountId, page) {
        yield* accounts.get(accountId)
        return yield* store.list(accountId, page)
      })

      const signingSecrets: Verbs["signingSecrets"] = useCase("ApiKeys.signingSecrets")(
        function* (accountId, ids) {
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
        }
      )

      const update: Verbs["update"] = useCase("ApiKeys.update")(function* (ref, change) {
        yield* store.get(ref.accountId, ref.id)
        yield* withinLimits(ref.accountId, change)
        const audit = yield* audited(keyUpdated)
        const record = yield* store.update({ ...ref, change, at: yield* DateTime.now, audit })
        yield* tellChange(ref, record.revokedAt === null ? "active" : "revoked")
        return record
      })

      const revoke: Verbs["revoke"] = useCase("ApiKeys.revoke")(function* (ref) {
        yield* store.revoke({ ...ref, at: yield* DateTime.now, audit: yield* audited(keyRevoked) })
        yield* tellChange(ref, "revoked")
      })

      const rotate: Verbs["rotate"] = useCase("ApiKeys.rotate")(function* (ref, overlap) {
        const { prefix } = yield* store.get(ref.accountId, ref.id)
        const key = yield* regenerate({ kind: "live", prefix })
        const at = yield* DateTime.now
        const previousExpiresAt = DateTime.addDuration(at, overlap)
        const audit = yield* audited(keyRotated)
        yield* store.rotate({ ...ref, secretHash: hash(pepper, key), previousExpiresAt, at, audit })
        yield* tellChange(ref)
        return { key: Redacted.make(key, { label: "API key" }), previousExpiresAt }
      }, atRandom)

      const rotateSigningSecret: Verbs["rotateSigningSecret"] = useCase("ApiKeys.rotateSigningSecret")(
        function* (ref, { mode, overlap }) {
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
        },
        atRandom
      )

      return ApiKeys.of({ create, get, list, signingSecrets, update, revoke, rotate, rotateSigningSecret })
    })
  ).pipe(Layer.provide(Pepper.layer))
}
