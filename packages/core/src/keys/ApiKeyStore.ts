/** Keeps integration keys and their webhook signing secrets. */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Audit, Audited } from "../audit/AuditEntry.ts"
import { type AccountId, ApiKeyId, type InAccount } from "../shared/Ids.ts"
import type { ApiKeyRecord } from "./ApiKeyRecord.ts"
import type { SigningSecretRecord } from "./SigningSecretRecord.ts"
import type { Page, PageRequest } from "../shared/Page.ts"

/** No such key in the account. */
export class ApiKeyNotFound extends Schema.TaggedError<ApiKeyNotFound>()("ApiKeyNotFound", { id: ApiKeyId }) {
  override get message() {
    return `There is no key ${this.id}`
  }
}

/** The key was revoked for good, so nothing new is made for it. */
export class ApiKeyRevoked extends Schema.TaggedError<ApiKeyRevoked>()("ApiKeyRevoked", { id: ApiKeyId }) {
  override get message() {
    return `The key ${this.id} is revoked: create another`
  }
}

/** What an administrator may change about a key. */
export type ApiKeyChange = Partial<
  Pick<
    ApiKeyRecord,
    "name" | "allowedTaskIds" | "allowedAgentIds" | "capabilities" | "maxLive" | "rateLimit" | "expiresAt"
  >
>

export class ApiKeyStore extends Context.Service<
  ApiKeyStore,
  {
    /** Stores a key and its first signing secret together. */
    create(
      key: ApiKeyRecord,
      secret: SigningSecretRecord,
      audit?: Audit<[created: ApiKeyRecord]>
    ): Effect.Effect<void>

    /** The key with this public prefix, usable or not; undefined when there is none. */
    findByPrefix(prefix: string): Effect.Effect<ApiKeyRecord | undefined>

    get(accountId: AccountId, id: ApiKeyId): Effect.Effect<ApiKeyRecord, ApiKeyNotFound>

    /** Newest first, revoked ones included. */
    list(accountId: AccountId, page: PageRequest): Effect.Effect<Page<ApiKeyRecord>>

    update(
      options: InAccount<ApiKeyId> &
        Audited<[before: ApiKeyRecord, after: ApiKeyRecord]> & {
          readonly change: ApiKeyChange
        }
    ): Effect.Effect<ApiKeyRecord, ApiKeyNotFound>

    /** Revokes a key for good. Revoking again keeps the first moment. */
    revoke(
      options: InAccount<ApiKeyId> & Audited<[before: ApiKeyRecord, after: ApiKeyRecord]>
    ): Effect.Effect<ApiKeyRecord, ApiKeyNotFound>

    /** Replaces the secret under the same prefix; the old one stays accepted until `previousExpiresAt`. */
    rotate(
      options: InAccount<ApiKeyId> &
        Audited<[before: ApiKeyRecord, after: ApiKeyRecord]> & {
          readonly secretHash: string
          readonly previousExpiresAt: DateTime.Utc
        }
    ): Effect.Effect<ApiKeyRecord, ApiKeyNotFound | ApiKeyRevoked>

    /**
     * Adds a signing secret, and ends all others of the key at `previousExpiresAt`,
     * unless they end earlier.
     */
    rotateSigningSecret(
      options: InAccount<ApiKeyId> & {
        readonly secret: SigningSecretRecord
        readonly previousExpiresAt: DateTime.Utc
        readonly audit?: Audit<[key: ApiKeyRecord]> | undefined
      }
    ): Effect.Effect<void, ApiKeyNotFound | ApiKeyRevoked>

    /** Every signing secret of a key that has not expired by `at`, oldest first. */
    signingSecrets(
      options: InAccount<ApiKeyId> & {
        readonly at: DateTime.Utc
      }
    ): Effect.Effect<ReadonlyArray<SigningSecretRecord>, ApiKeyNotFound>

    /** The same for several keys at once; keys of other accounts have none. Keys come in no order. */
    signingSecretsOf(options: {
      readonly accountId: AccountId
      readonly ids: ReadonlyArray<ApiKeyId>
      readonly at: DateTime.Utc
    }): Effect.Effect<ReadonlyArray<SigningSecretRecord>>
  }
>()("@runhook/core/keys/ApiKeyStore") {}
