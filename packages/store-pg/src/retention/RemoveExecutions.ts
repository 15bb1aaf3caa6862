/**
 * Removes finished executions with everything that belongs to them, by plain
 * statements of one bucket each, which Citus sends to one node whole.
 */
import type { DeliveryState } from "@runhook/core/deliveries/Delivery"
import { type AccountId, ApiKeyId, ArtifactId, EventId, ExecutionId } from "@runhook/core/shared/Ids"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { keyRows } from "../executions/create/IdempotencyKeys.ts"
import { bigint, integer, smallint, text, texts, uuid, uuids } from "../sql/Parameters.ts"
import { rows } from "../sql/Rows.ts"
import { decoded } from "../sql/SqlErrors.ts"
import { makeDeleteOwned } from "./DeleteOwned.ts"
import { ExecutionRemoval } from "./ExecutionRemoval.ts"

const IdRow = Schema.Struct({ id: ExecutionId })

const DeliveryRow = Schema.Struct({ id: EventId })

const KeyRow = Schema.Struct({ apiKeyId: ApiKeyId, key: Schema.NullOr(Schema.String) })

const ReleaseRow = Schema.Struct({ apiKeyId: ApiKeyId })

const FileRow = Schema.Struct({ id: ArtifactId, storageKey: Schema.String, sizeBytes: Schema.Finite })

const makeRemoval = Effect.gen(function* () {
  const sql = yield* SqlClient
  const deleteOwned = yield* makeDeleteOwned

  /** Those of which endpoints are yet to be told. */
  const untold = (bucket: number, ids: ReadonlyArray<ExecutionId>) =>
    decoded(IdRow)(sql`
      SELECT DISTINCT execution_id AS id
      FROM endpoint_outbox
      WHERE bucket = ${smallint(bucket)} AND execution_id = ANY (${uuids(ids)})`)

  /** Those whose callbacks are not all in one of the states, or that somebody is at. Locks the callbacks of the others. */
  const awaited = (bucket: number, ids: ReadonlyArray<ExecutionId>, settled: ReadonlyArray<DeliveryState>) =>
    decoded(IdRow)(sql`
      WITH settled AS (
        SELECT d.id
        FROM webhook_deliveries d
        WHERE d.bucket = ${smallint(bucket)} AND d.execution_id = ANY (${uuids(ids)})
          AND d.state = ANY (${texts(settled)})
        FOR UPDATE SKIP LOCKED
      )
      SELECT DISTINCT d.execution_id AS id
      FROM webhook_deliveries d
      WHERE d.bucket = ${smallint(bucket)} AND d.execution_id = ANY (${uuids(ids)})
        AND NOT EXISTS (SELECT FROM settled s WHERE s.id = d.id)`)

  const removeCallbacks = Effect.fnUntraced(function* (
    bucket: number,
    accountId: AccountId,
    ids: ReadonlyArray<ExecutionId>
  ) {
    const removed = yield* decoded(DeliveryRow)(sql`
      DELETE FROM webhook_deliveries
      WHERE bucket = ${smallint(bucket)} AND execution_id = ANY (${uuids(ids)})
      RETURNING id`)
    yield* deleteOwned("delivery", { bucket, accountIds: [accountId], ids: removed.map(({ id }) => id) })
  })

  const removeRequests = Effect.fnUntraced(function* (bucket: number, ids: ReadonlyArray<ExecutionId>) {
    const removed = yield* decoded(KeyRow)(sql`
      DELETE FROM execution_requests
      WHERE bucket = ${smallint(bucket)} AND id = ANY (${uuids(ids)})
      RETURNING api_key_id AS "apiKeyId", idempotency_key AS key`)
    const used = removed.flatMap(({ apiKeyId, key }) => (key === null ? [] : [{ apiKeyId, key }]))
    if (used.length === 0) return
    // A key whose time was over may have made another execution since.
    yield* sql`
      DELETE FROM idempotency_keys k
      USING ${keyRows("used", used)}
      WHERE k.bucket = ${smallint(bucket)} AND k.api_key_id = used.api_key_id AND k.key = used.key
        AND k.execution_id = ANY (${uuids(ids)})`
  })

  /** The account has their bytes back at once, and the files are left over until somebody has deleted them. */
  const removeArtifacts = Effect.fnUntraced(function* (
    bucket: number,
    accountId: AccountId,
    ids: ReadonlyArray<ExecutionId>
  ) {
    const files = yield* decoded(FileRow)(sql`
      DELETE FROM artifacts
      WHERE bucket = ${smallint(bucket)} AND execution_id = ANY (${uuids(ids)})
      RETURNING id, storage_key AS "storageKey", size_bytes::float8 AS "sizeBytes"`)
    if (files.length === 0) return
    yield* sql`
      INSERT INTO artifact_leftovers (bucket, account_id, id, storage_key)
      SELECT ${smallint(bucket)}, ${uuid(accountId)}, f.id, f.storage_key
      FROM ${rows("f", files, { id: uuid(({ id }) => id), storage_key: text(({ storageKey }) => storageKey) })}`
    yield* sql`
      UPDATE artifact_usage
      SET bytes = bytes - ${bigint(files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0))}
      WHERE bucket = ${smallint(bucket)} AND account_id = ${uuid(accountId)}`
  })

  /** Their ends that no create has counted yet are counted. Comes last: creates of the account wait for these counts. */
  const removeReleases = Effect.fnUntraced(function* (
    bucket: number,
    accountId: AccountId,
    ids: ReadonlyArray<ExecutionId>
  ) {
    const ofAccount = sql`bucket = ${smallint(bucket)} AND account_id = ${uuid(accountId)}`
    const released = yield* decoded(ReleaseRow)(sql`
      DELETE FROM live_releases
      WHERE ${ofAccount} AND execution_id = ANY (${uuids(ids)})
      RETURNING api_key_id AS "apiKeyId"`)
    const ofKeys = Object.entries(Array.groupBy(released, ({ apiKeyId }) => apiKeyId)).toSorted()
    for (const [apiKeyId, { length }] of ofKeys) {
      yield* sql`
        UPDATE live_counts SET live = live - ${integer(length)} WHERE ${ofAccount} AND api_key_id = ${uuid(apiKeyId)}`
    }
  })

  const remove: ExecutionRemoval["Service"]["remove"] = Effect.fnUntraced(function* (options) {
    const { accountId, bucket } = options
    if (options.ids.length === 0) return options.ids
    const waiting = [
      ...(yield* untold(bucket, options.ids)),
      ...(yield* awaited(bucket, options.ids, options.settled))
    ]
    const kept = new Set(waiting.map(({ id }) => id))
    const ids = options.ids.filter((id) => !kept.has(id))
    if (ids.length === 0) return ids
    yield* removeCallbacks(bucket, accountId, ids)
    yield* removeArtifacts(bucket, accountId, ids)
    yield* removeRequests(bucket, ids)
    yield* deleteOwned("execution", { bucket, accountIds: [accountId], ids })
    yield* removeReleases(bucket, accountId, ids)
    return ids
  })

  return ExecutionRemoval.of({ remove })
})

export const layer = Layer.effect(ExecutionRemoval, makeRemoval)
