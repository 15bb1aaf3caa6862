/** Integration keys and their signing secrets in PostgreSQL. */
import type { Audit } from "@runhook/core/audit/AuditEntry"
import type { AccountId, ApiKeyId } from "@runhook/core/shared/Ids"
import type { ApiKeyRecord } from "@runhook/core/keys/ApiKeyRecord"
import type { SigningSecretRecord } from "@runhook/core/keys/SigningSecretRecord"
import { ApiKeyNotFound, ApiKeyRevoked, ApiKeyStore } from "@runhook/core/keys/ApiKeyStore"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { Buckets } from "../accounts/Buckets.ts"
import { isAccountKnown } from "../accounts/Removed.ts"
import { makeNote } from "../audit/AuditEntries.ts"
import { firstOf, rowsOf } from "../rows/Rows.ts"
import { newest, pageOf } from "../sql/Paging.ts"
import { smallint, text, timestamptz, uuid, uuids } from "../sql/Parameters.ts"
import { inserting, setting } from "../sql/Records.ts"
import { idempotentOrDefect, inOneTransaction, orDefect } from "../sql/SqlErrors.ts"
import { apiKeyTable, signingSecretTable } from "./KeyRow.ts"

interface KeyOfAccount {
  readonly accountId: AccountId
  readonly id: ApiKeyId
}

export const layer = Layer.effect(
  ApiKeyStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const atomic = inOneTransaction(sql)
    const buckets = yield* Buckets
    const note = yield* makeNote
    const columns = sql.literal(apiKeyTable.columns)

    const secretColumns = sql.literal(signingSecretTable.columns)

    const insertSecret = (secret: SigningSecretRecord) =>
      sql`INSERT INTO signing_secrets ${inserting(sql, "signing_secrets", secret)}`

    const by = (lock: Fragment) =>
      Effect.fnUntraced(function* ({ accountId, id }: KeyOfAccount) {
        const key = yield* firstOf(apiKeyTable)(
          sql`SELECT ${columns} FROM api_keys WHERE id = ${uuid(id)} AND account_id = ${uuid(accountId)} ${lock}`
        )
        return key ?? (yield* new ApiKeyNotFound({ id }))
      })

    const find = by(sql``)

    /** Locks the key, so that of two concurrent changes the second sees the result of the first. */
    const locked = by(sql`FOR UPDATE`)

    const lockedUnrevoked = Effect.fnUntraced(function* (which: KeyOfAccount) {
      const key = yield* locked(which)
      return key.revokedAt === null ? key : yield* new ApiKeyRevoked({ id: key.id })
    })

    const change = Effect.fnUntraced(
      function* <E>(
        locking: Effect.Effect<ApiKeyRecord, E>,
        next: (key: ApiKeyRecord) => ApiKeyRecord,
        audit: Audit<[before: ApiKeyRecord, after: ApiKeyRecord]> | undefined
      ) {
        const before = yield* locking
        const key = next(before)
        yield* sql`UPDATE api_keys SET ${setting(sql, "api_keys", key)} WHERE id = ${uuid(key.id)}`
        yield* note(audit?.(before, key))
        return key
      },
      (changing) => sql.withTransaction(changing)
    )

    return ApiKeyStore.of({
      create: Effect.fnUntraced(function* (key, secret, audit) {
        const bucket = yield* buckets.of(key.accountId)
        yield* sql`INSERT INTO api_keys ${inserting(sql, "api_keys", key)}`
        yield* insertSecret(secret)
        // Creates lock this row to keep within limits, so it must exist before the first create.
        yield* sql`
            INSERT INTO live_counts (bucket, account_id, api_key_id)
            VALUES (${smallint(bucket)}, ${uuid(key.accountId)}, ${uuid(key.id)})`
        yield* note(audit?.(key))
      }, atomic),

      findByPrefix: flow(
        (prefix) =>
          firstOf(apiKeyTable)(
            sql`SELECT ${columns} FROM api_keys WHERE prefix = ${text(prefix)} AND ${isAccountKnown("api_keys")}`
          ),
        idempotentOrDefect
      ),

      get: flow((accountId, id) => find({ accountId, id }), idempotentOrDefect),

      list: Effect.fnUntraced(function* (accountId, page) {
        const rows = yield* rowsOf(apiKeyTable)(sql`
          SELECT ${columns}
          FROM api_keys
          WHERE account_id = ${uuid(accountId)} AND ${newest(sql, "id", page)}`)
        return pageOf(rows, page)
      }, idempotentOrDefect),

      update: flow(
        (options) =>
          change(
            locked(options),
            (key) => ({ ...key, ...options.change, updatedAt: options.at }),
            options.audit
          ),
        orDefect
      ),

      revoke: flow(
        ({ at, audit, ...which }) =>
          change(
            locked(which),
            (key) => (key.revokedAt === null ? { ...key, revokedAt: at, updatedAt: at } : key),
            audit
          ),
        orDefect
      ),

      rotate: flow(
        ({ secretHash, previousExpiresAt, at, audit, ...which }) =>
          change(
            lockedUnrevoked(which),
            (key) => ({
              ...key,
              secretHash,
              previousHash: key.secretHash,
              previousExpiresAt,
              updatedAt: at
            }),
            audit
          ),
        orDefect
      ),

      rotateSigningSecret: Effect.fnUntraced(function* ({ secret, previousExpiresAt, audit, ...which }) {
        const key = yield* lockedUnrevoked(which)
        yield* sql`
            UPDATE signing_secrets
            SET expires_at = least(expires_at, ${timestamptz(previousExpiresAt)})
            WHERE api_key_id = ${uuid(which.id)}`
        yield* insertSecret(secret)
        yield* note(audit?.(key))
      }, atomic),

      signingSecrets: Effect.fnUntraced(function* ({ at, ...which }) {
        yield* find(which)
        return yield* rowsOf(signingSecretTable)(sql`
          SELECT ${secretColumns}
          FROM signing_secrets
          WHERE api_key_id = ${uuid(which.id)}
            AND (expires_at IS NULL OR expires_at > ${timestamptz(at)})
          ORDER BY id`)
      }, idempotentOrDefect),

      signingSecretsOf: flow(
        ({ accountId, at, ids }) =>
          rowsOf(signingSecretTable)(sql`
            SELECT ${secretColumns}
            FROM signing_secrets s
            WHERE s.api_key_id = ANY (${uuids(ids)})
              AND (s.expires_at IS NULL OR s.expires_at > ${timestamptz(at)})
              AND EXISTS (SELECT FROM api_keys k WHERE k.id = s.api_key_id AND k.account_id = ${uuid(accountId)})
            ORDER BY s.id`),
        idempotentOrDefect
      )
    })
  })
)
