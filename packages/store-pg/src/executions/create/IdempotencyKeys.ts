/** Finds the run that an idempotency key has created, for its duplicates. */
import type { AccountId, ApiKeyId } from "@runhook/core/shared/Ids"
import { ExecutionId } from "@runhook/core/shared/Ids"
import { isRepeat } from "@runhook/core/shared/Repeat"
import type { Run } from "@runhook/core/runs/Run"
import { IdempotencyConflict } from "@runhook/core/shared/Refusals"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../../accounts/Buckets.ts"
import { PgRuns } from "../../runs/moves/PgRuns.ts"
import { smallint, text, uuid } from "../../sql/Parameters.ts"
import { rows } from "../../sql/Rows.ts"
import { decodedFirst } from "../../sql/SqlErrors.ts"

/** The use of a key, as a repeat of the request makes it. */
export interface KeyUse {
  readonly accountId: AccountId
  readonly apiKeyId: ApiKeyId
  readonly key: string
  readonly fingerprint: string
  readonly at: DateTime.Utc
}

const KeyRow = Schema.Struct({ fingerprint: Schema.String, executionId: ExecutionId })

/** Keys for a statement to join: each is found by itself, however many others there are. */
export const keyRows = (
  name: string,
  keys: ReadonlyArray<{ readonly apiKeyId: string; readonly key: string }>
) => rows(name, keys, { api_key_id: uuid(({ apiKeyId }) => apiKeyId), key: text(({ key }) => key) })

/** Finds the run that a living key has made for an equal request. */
export const makeFindDuplicate = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const runs = yield* PgRuns

  return Effect.fnUntraced(function* ({ accountId, apiKeyId, at, fingerprint, key }: KeyUse) {
    const bucket = yield* buckets.of(accountId)
    const made = yield* decodedFirst(KeyRow)(sql`
      SELECT fingerprint, execution_id AS "executionId"
      FROM idempotency_keys
      WHERE bucket = ${smallint(bucket)} AND api_key_id = ${uuid(apiKeyId)} AND key = ${text(key)}
        AND expires_at > ${runs.timeSqlAt(at).now}`)
    if (made === undefined) return undefined
    const { executionId } = made
    if (!isRepeat(made.fingerprint, fingerprint)) return yield* new IdempotencyConflict({ executionId })
    const run: Run | undefined = yield* Effect.catchTag(
      runs.get({ accountId, id: executionId }),
      "ExecutionNotFound",
      // Removed meanwhile, and the key with it.
      () => Effect.succeed(undefined)
    )
    return run
  })
})
