/** Integration keys and their signing secrets in memory. */
import type { AccountId, ApiKeyId } from "@runhook/core/shared/Ids"
import type { Audit } from "@runhook/core/audit/AuditEntry"
import { ApiKeyRecord } from "@runhook/core/keys/ApiKeyRecord"
import { isLiving, SigningSecretRecord } from "@runhook/core/keys/SigningSecretRecord"
import { ApiKeyNotFound, ApiKeyRevoked, ApiKeyStore } from "@runhook/core/keys/ApiKeyStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { makeAudited } from "../audit/Audited.ts"
import { MemoryDatabase } from "../MemoryDatabase.ts"
import { pageOf } from "../tables/Paging.ts"
import { storedAs } from "../tables/StoredAs.ts"
import { transaction } from "../tables/Transaction.ts"

const storedKey = storedAs(ApiKeyRecord)
const storedSecret = storedAs(SigningSecretRecord)

interface KeyOfAccount {
  readonly accountId: AccountId
  readonly id: ApiKeyId
}

export const layer = Layer.effect(
  ApiKeyStore,
  Effect.gen(function* () {
    const { apiKeys, apiKeyIds, signingSecrets } = yield* MemoryDatabase
    const audited = yield* makeAudited

    const find = ({ accountId, id }: KeyOfAccount): Result.Result<ApiKeyRecord, ApiKeyNotFound> => {
      const key = apiKeys.get(id)
      return key?.accountId === accountId ? Result.succeed(key) : Result.fail(new ApiKeyNotFound({ id }))
    }

    const findUnrevoked = (
      which: KeyOfAccount
    ): Result.Result<ApiKeyRecord, ApiKeyNotFound | ApiKeyRevoked> =>
      Result.flatMap(find(which), (key) =>
        key.revokedAt === null ? Result.succeed(key) : Result.fail(new ApiKeyRevoked({ id: key.id }))
      )

    const change = <E>(
      found: () => Result.Result<ApiKeyRecord, E>,
      next: (key: ApiKeyRecord) => ApiKeyRecord,
      audit: Audit<[before: ApiKeyRecord, after: ApiKeyRecord]> | undefined
    ) =>
      audited((note) =>
        Result.map(found(), (key) => {
          const changed = storedKey(next(key))
          note(audit?.(key, changed))
          apiKeys.set(key.id, changed)
          return changed
        })
      )

    return ApiKeyStore.of({
      create: (key, secret, audit) =>
        audited((note) => {
          const rows = { key: storedKey(key), secret: storedSecret(secret) }
          note(audit?.(rows.key))
          apiKeys.set(key.id, rows.key)
          apiKeyIds.set(key.prefix, key.id)
          signingSecrets.set(key.id, [rows.secret])
          return Result.void
        }),

      findByPrefix: (prefix) =>
        Effect.sync(() => {
          const id = apiKeyIds.get(prefix)
          return id && apiKeys.get(id)
        }),

      get: (accountId, id) => transaction(() => find({ accountId, id })),

      list: (accountId, page) =>
        Effect.sync(() =>
          pageOf(
            Iterable.filter(apiKeys.values(), (key) => key.accountId === accountId),
            page
          )
        ),

      update: ({ accountId, id, change: fields, at, audit }) =>
        change(
          () => find({ accountId, id }),
          (key) => ({ ...key, ...fields, updatedAt: at }),
          audit
        ),

      revoke: ({ accountId, id, at, audit }) =>
        change(
          () => find({ accountId, id }),
          (key) => (key.revokedAt === null ? { ...key, revokedAt: at, updatedAt: at } : key),
          audit
        ),

      rotate: ({ accountId, id, secretHash, previousExpiresAt, at, audit }) =>
        change(
          () => findUnrevoked({ accountId, id }),
          (key) => ({
            ...key,
            secretHash,
            previousHash: key.secretHash,
            previousExpiresAt,
            updatedAt: at
          }),
          audit
        ),

      rotateSigningSecret: ({ accountId, id, secret, previousExpiresAt, audit }) =>
        audited((note) =>
          Result.map(findUnrevoked({ accountId, id }), (key) => {
            const previous = (signingSecrets.get(id) ?? []).map((each) => endedBy(each, previousExpiresAt))
            const row = storedSecret(secret)
            note(audit?.(key))
            signingSecrets.set(id, [...previous, row])
          })
        ),

      signingSecrets: ({ accountId, id, at }) =>
        transaction(() =>
          Result.map(find({ accountId, id }), () =>
            (signingSecrets.get(id) ?? []).filter((secret) => isLiving(secret, at))
          )
        ),

      signingSecretsOf: ({ accountId, ids, at }) =>
        Effect.sync(() =>
          ids.flatMap((id) =>
            apiKeys.get(id)?.accountId === accountId
              ? (signingSecrets.get(id) ?? []).filter((secret) => isLiving(secret, at))
              : []
          )
        )
    })
  })
)

const endedBy = (secret: SigningSecretRecord, end: DateTime.Utc): SigningSecretRecord => ({
  ...secret,
  expiresAt: secret.expiresAt === null ? end : DateTime.min(secret.expiresAt, end)
})
