/** Integration keys and their signing secrets in PostgreSQL. */
import { ApiKeyRecord } from "@runhook/core/domain/keys/ApiKeyRecord"
import type { AuditEvent } from "@runhook/core/domain/audit/AuditEntry"
import {
  keyCreated,
  keyRevoked,
  keyRotated,
  keyUpdated,
  signingSecretResealed,
  signingSecretRotated
} from "@runhook/core/domain/audit/KeyEvents"
import type { AccountId, ApiKeyId } from "@runhook/core/domain/Ids"
import type { SigningSecretRecord } from "@runhook/core/domain/keys/SigningSecretRecord"
import { ApiKeyNotFound, ApiKeyRevoked, ApiKeyStore } from "@runhook/core/ports/ApiKeyStore"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { uuids } from "../sql/Arrays.ts"
import { makeNote } from "../audit/AuditEntries.ts"
import { Buckets } from "../accounts/Buckets.ts"
import { PointReads } from "../connections/PointReads.ts"
import { instant } from "../sql/Instants.ts"
import { decoded, orDefect, idempotentOrDefect } from "../sql/SqlErrors.ts"
import { behind, oneMore, pageOf } from "../sql/Paging.ts"
import { apiKeyTable, signingSecretTable } from "./KeyRow.ts"
import { firstOf, rowsOf } from "../rows/Rows.ts"

const ResealedRow = Schema.Struct({ apiKeyId: ApiKeyRecord.fields.id })

interface KeyOfAccount {
  readonly accountId: AccountId
  readonly id: ApiKeyId
}

export const layer = Layer.effect(
  ApiKeyStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const reads = yield* PointReads
    const buckets = yield* Buckets
    const note = yield* makeNote
    const columns = sql.literal(apiKeyTable.columns)

    const secretColumns = sql.literal(signingSecretTable.columns)

    const insertSecret = (secret: SigningSecretRecord) => sql`
      INSERT INTO signing_secrets (id, api_key_id, ciphertext, active_at, expires_at, created_at)
      VALUES (
        ${secret.id}::uuid, ${secret.apiKeyId}::uuid, ${secret.ciphertext}::text,
        ${instant(secret.activeAt)}::timestamptz, ${instant(secret.expiresAt)}::timestamptz,
        ${instant(secret.createdAt)}::timestamptz
      )`

    const find = Effect.fnUntraced(function* ({ accountId, id }: KeyOfAccount) {
      const key = yield* firstOf(apiKeyTable)(
        reads`SELECT ${columns} FROM api_keys WHERE id = ${id}::uuid AND account_id = ${accountId}::uuid`
      )
      return key ?? (yield* new ApiKeyNotFound({ id }))
    })

    /** Locks the key, so that of two changes at once the second sees what the first has made of it. */
    const locked = Effect.fnUntraced(function* ({ accountId, id }: KeyOfAccount) {
      const key = yield* firstOf(apiKeyTable)(sql`
        SELECT ${columns} FROM api_keys
        WHERE id = ${id}::uuid AND account_id = ${accountId}::uuid
        FOR UPDATE`)
      return key ?? (yield* new ApiKeyNotFound({ id }))
    })

    const lockedUnrevoked = Effect.fnUntraced(function* (which: KeyOfAccount) {
      const key = yield* locked(which)
      return key.revokedAt === null ? key : yield* new ApiKeyRevoked({ id: key.id })
    })

    const change = Effect.fnUntraced(
      function* <E>(
        locking: Effect.Effect<ApiKeyRecord, E>,
        next: (key: ApiKeyRecord) => ApiKeyRecord,
        event: (before: ApiKeyRecord, after: ApiKeyRecord) => AuditEvent | undefined
      ) {
        const before = yield* locking
        const key = next(before)
        yield* sql`
          UPDATE api_keys
          SET name = ${key.name}::text, secret_hash = ${key.secretHash}::text,
            previous_hash = ${key.previousHash}::text,
            previous_expires_at = ${instant(key.previousExpiresAt)}::timestamptz,
            allowed_task_ids = ${key.allowedTaskIds}::uuid[], allowed_agent_ids = ${key.allowedAgentIds}::uuid[],
            capabilities = ${key.capabilities}::text[], max_live = ${key.maxLive}::integer,
            rate_limit = ${key.rateLimit && JSON.stringify(key.rateLimit)}::json,
            expires_at = ${instant(key.expiresAt)}::timestamptz, revoked_at = ${instant(key.revokedAt)}::timestamptz,
            updated_at = ${instant(key.updatedAt)}::timestamptz
          WHERE id = ${key.id}::uuid`
        yield* note(event(before, key))
        return key
      },
      (changing) => sql.withTransaction(changing)
    )

    return ApiKeyStore.of({
      create: Effect.fnUntraced(
        function* (key, secret) {
          const bucket = yield* buckets.of(key.accountId)
          yield* sql`
            INSERT INTO api_keys (
              id, account_id, name, prefix, secret_hash, previous_hash, previous_expires_at, allowed_task_ids,
              allowed_agent_ids, capabilities, max_live, rate_limit, expires_at, revoked_at, created_at, updated_at
            )
            VALUES (
              ${key.id}::uuid, ${key.accountId}::uuid, ${key.name}::text, ${key.prefix}::text,
              ${key.secretHash}::text, ${key.previousHash}::text, ${instant(key.previousExpiresAt)}::timestamptz,
              ${key.allowedTaskIds}::uuid[], ${key.allowedAgentIds}::uuid[], ${key.capabilities}::text[],
              ${key.maxLive}::integer, ${key.rateLimit && JSON.stringify(key.rateLimit)}::json,
              ${instant(key.expiresAt)}::timestamptz, ${instant(key.revokedAt)}::timestamptz,
              ${instant(key.createdAt)}::timestamptz, ${instant(key.updatedAt)}::timestamptz
            )`
          yield* insertSecret(secret)
          // Creates lock this row to keep within limits, so it must be there before the first of them.
          yield* sql`
            INSERT INTO live_counts (bucket, account_id, api_key_id)
            VALUES (${bucket}::smallint, ${key.accountId}::uuid, ${key.id}::uuid)`
          yield* note(keyCreated(key))
        },
        (creating) => sql.withTransaction(creating),
        orDefect
      ),

      findByPrefix: flow(
        (prefix) =>
          firstOf(apiKeyTable)(reads`SELECT ${columns} FROM api_keys WHERE prefix = ${prefix}::text`),
        idempotentOrDefect
      ),

      get: flow((accountId, id) => find({ accountId, id }), idempotentOrDefect),

      list: Effect.fnUntraced(function* (accountId, page) {
        const rows = yield* rowsOf(apiKeyTable)(sql`
          SELECT ${columns}
          FROM api_keys
          WHERE account_id = ${accountId}::uuid AND ${behind(sql, "id", page)}
          ORDER BY id DESC
          LIMIT ${oneMore(page)}::integer`)
        return pageOf(rows, page)
      }, idempotentOrDefect),

      update: flow(
        (options) =>
          change(
            locked(options),
            (key) => ({ ...key, ...options.change, updatedAt: options.at }),
            keyUpdated
          ),
        orDefect
      ),

      revoke: flow(
        ({ at, ...which }) =>
          change(
            locked(which),
            (key) => (key.revokedAt === null ? { ...key, revokedAt: at, updatedAt: at } : key),
            keyRevoked
          ),
        orDefect
      ),

      rotate: flow(
        ({ secretHash, previousExpiresAt, at, ...which }) =>
          change(
            lockedUnrevoked(which),
            (key) => ({
              ...key,
              secretHash,
              previousHash: key.secretHash,
              previousExpiresAt,
              updatedAt: at
            }),
            keyRotated
          ),
        orDefect
      ),

      rotateSigningSecret: Effect.fnUntraced(
        function* ({ secret, previousExpiresAt, ...which }) {
          const key = yield* lockedUnrevoked(which)
          yield* sql`
            UPDATE signing_secrets
            SET expires_at = least(expires_at, ${instant(previousExpiresAt)}::timestamptz)
            WHERE api_key_id = ${which.id}::uuid`
          yield* insertSecret(secret)
          yield* note(signingSecretRotated(key, { secret, previousExpiresAt }))
        },
        (rotating) => sql.withTransaction(rotating),
        orDefect
      ),

      signingSecrets: Effect.fnUntraced(function* ({ at, ...which }) {
        yield* find(which)
        return yield* rowsOf(signingSecretTable)(sql`
          SELECT ${secretColumns}
          FROM signing_secrets
          WHERE api_key_id = ${which.id}::uuid
            AND (expires_at IS NULL OR expires_at > ${instant(at)}::timestamptz)
          ORDER BY id`)
      }, idempotentOrDefect),

      signingSecretsOf: flow(
        ({ accountId, at, ids }) =>
          rowsOf(signingSecretTable)(sql`
            SELECT ${secretColumns}
            FROM signing_secrets s
            WHERE s.api_key_id = ANY (${uuids(ids)}::uuid[])
              AND (s.expires_at IS NULL OR s.expires_at > ${instant(at)}::timestamptz)
              AND EXISTS (SELECT FROM api_keys k WHERE k.id = s.api_key_id AND k.account_id = ${accountId}::uuid)
            ORDER BY s.id`),
        idempotentOrDefect
      ),

      signingSecretsSealedOtherwise: flow(
        ({ prefix, after, limit }) =>
          rowsOf(signingSecretTable)(sql`
            SELECT ${secretColumns}
            FROM signing_secrets
            WHERE NOT starts_with(ciphertext, ${prefix}::text)
              AND (${after}::uuid IS NULL OR id > ${after}::uuid)
            ORDER BY id
            LIMIT ${limit}::integer`),
        orDefect
      ),

      resealSigningSecret: Effect.fnUntraced(
        function* ({ id, from, to }) {
          const [resealed] = yield* decoded(ResealedRow)(sql`
            UPDATE signing_secrets
            SET ciphertext = ${to}::text
            WHERE id = ${id}::uuid AND ciphertext = ${from}::text
            RETURNING api_key_id AS "apiKeyId"`)
          if (resealed === undefined) return
          const key = yield* firstOf(apiKeyTable)(
            sql`SELECT ${columns} FROM api_keys WHERE id = ${resealed.apiKeyId}::uuid`
          )
          yield* note(key && signingSecretResealed(key))
        },
        (resealing) => sql.withTransaction(resealing),
        orDefect
      )
    })
  })
)
