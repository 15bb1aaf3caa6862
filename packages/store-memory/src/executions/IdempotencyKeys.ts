/** Finds the run that an idempotency key has created, for its duplicates. */
import type { ApiKeyId } from "@runhook/core/shared/Ids"
import { isRepeat } from "@runhook/core/shared/Repeat"
import type { Run } from "@runhook/core/runs/Run"
import { IdempotencyConflict } from "@runhook/core/shared/Refusals"
import type { Idempotency } from "@runhook/core/executions/ExecutionStore"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import type { IdempotencyRow, Tables } from "../MemoryDatabase.ts"

/** Keys are private to the API key that used them. */
const rowKey = (apiKeyId: ApiKeyId, key: string): string => `${apiKeyId} ${key}`

/** The run that the key has made for an equal request, while the key lives. */
export const findDuplicate = (
  tables: Tables,
  use: {
    readonly apiKeyId: ApiKeyId
    readonly key: string
    readonly fingerprint: string
    readonly at: DateTime.Utc
  }
): Result.Result<Run | undefined, IdempotencyConflict> => {
  const row = tables.idempotency.get(rowKey(use.apiKeyId, use.key))
  if (row === undefined || isOver(row, use.at)) return Result.succeed(undefined)
  return isRepeat(row.fingerprint, use.fingerprint)
    ? Result.succeed(tables.runs.get(row.executionId))
    : Result.fail(new IdempotencyConflict({ executionId: row.executionId }))
}

/** Remembers the execution of a key, in place of one from before the key expired. */
export const remember = (tables: Tables, idempotency: Idempotency, { execution }: Run): void => {
  tables.idempotency.set(rowKey(execution.apiKeyId, idempotency.key), {
    ...idempotency,
    executionId: execution.id
  })
}

const isOver = (row: IdempotencyRow, at: DateTime.Utc): boolean =>
  DateTime.isLessThanOrEqualTo(row.expiresAt, at)
