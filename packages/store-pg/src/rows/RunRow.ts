/** A run as its rows hold it: the request, what happened since, the result. */
import { Execution } from "@runhook/core/domain/Execution"
import { ExecutionStatus } from "@runhook/core/domain/ExecutionStatus"
import { SessionId } from "@runhook/core/domain/Ids"
import { InputRequest } from "@runhook/core/domain/InputRequest"
import type { Lease } from "@runhook/core/domain/Lease"
import type { Completion, Run } from "@runhook/core/domain/Run"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { foundField } from "../Paging.ts"

/** The questions in their column, oldest first. */
export const InputsJson = Schema.toCodecJson(Schema.Array(InputRequest))

/** What the row of a run has beyond its execution. */
const runnerFields = {
  revision: Schema.Int,
  sessionId: Schema.NullOr(SessionId),
  claimId: Schema.NullOr(Schema.String),
  leaseExpiresAt: Schema.NullOr(Schema.DateTimeUtc),
  attemptEpoch: Schema.NullOr(Schema.Int),
  dueAt: Schema.DateTimeUtc,
  deadlineAt: Schema.NullOr(Schema.DateTimeUtc),
  inputs: InputsJson,
  completionEpoch: Schema.NullOr(Schema.Int),
  completionFingerprint: Schema.NullOr(Schema.String),
  completionStatus: Schema.NullOr(ExecutionStatus)
}

export const RunRow = Schema.Struct({ ...Struct.omit(Execution.fields, ["inputRequest"]), ...runnerFields })
export type RunRow = typeof RunRow.Type

/** What the store knows of a run beside it. */
const storedFields = {
  /** Which slot of its agent it holds. */
  slot: Schema.NullOr(Schema.Int),
  /** The size of its metadata and params; null in rows of versions that did not measure them. */
  requestBytes: Schema.NullOr(Schema.Int)
}

export const StoredRunRow = Schema.Struct({ ...RunRow.fields, ...storedFields })
export type StoredRunRow = typeof StoredRunRow.Type

/** A run as it is stored. */
export interface StoredRun extends Struct.Simplify<Pick<StoredRunRow, keyof typeof storedFields>> {
  readonly run: Run
}

export const storedRunOf = ({ requestBytes, slot, ...row }: StoredRunRow): StoredRun => ({
  run: runOf(row),
  slot,
  requestBytes
})

/** The columns of a `StoredRunRow` beyond those of its run, of a request `r` and an execution of the given alias. */
export const storedColumns = (e: string): string => `${e}.slot, r.bytes AS "requestBytes"`

/** The columns of a `RunRow` but its result, of a request `r` and an execution of the given alias, with its questions or some of them. */
export const runColumns = (e: string, inputs = `${e}.inputs`): string => `
  r.id, r.account_id AS "accountId", r.api_key_id AS "apiKeyId", r.agent_id AS "agentId",
  r.task_id AS "taskId", r.task_version_id AS "taskVersionId", r.reference, r.priority,
  r.scheduled_at AS "scheduledAt", r.expires_at AS "expiresAt", r.timeout_seconds AS "timeoutSeconds",
  r.max_attempts AS "maxAttempts", r.retry_backoff AS "retryBackoff", r.callback_url AS "callbackUrl", r.callback_events AS "callbackEvents",
  r.request_id AS "requestId", r.rerun_of AS "rerunOf", r.created_at AS "createdAt",
  ${e}.status, ${e}.status_reason AS "statusReason", ${e}.error_message AS "errorMessage",
  ${e}.attempt, ${e}.epoch, ${e}.revision, ${e}.announced, ${e}.updated_at AS "updatedAt",
  ${e}.started_at AS "startedAt", ${e}.stopped_at AS "stoppedAt",
  ${e}.session_id AS "sessionId", ${e}.claim_id AS "claimId", ${e}.lease_expires_at AS "leaseExpiresAt",
  ${e}.attempt_epoch AS "attemptEpoch", ${e}.due_at AS "dueAt", ${e}.deadline_at AS "deadlineAt", ${inputs} AS inputs,
  ${e}.completion_epoch AS "completionEpoch", ${e}.completion_fingerprint AS "completionFingerprint",
  ${e}.completion_status AS "completionStatus", r.metadata, r.params`

/** A `RunRow` on a page. */
export const ListedRow = Schema.Struct({ ...RunRow.fields, ...foundField })

/** The execution of a row, as a run or a list has it. */
export const executionOf = (row: RunRow & Partial<typeof ListedRow.Type>): Execution => ({
  ...Struct.omit(row, [...Struct.keys(runnerFields), "found"]),
  inputRequest: openInput(row)
})

export const runOf = (row: RunRow): Run => ({ execution: executionOf(row), ...runnerSideOf(row) })

const runnerSideOf = (row: RunRow) => ({
  revision: row.revision,
  lease: leaseOf(row),
  attemptEpoch: row.attemptEpoch,
  dueAt: row.dueAt,
  deadlineAt: row.deadlineAt,
  inputs: row.inputs,
  completion: completionOf(row)
})

/** Only the last question can be open, and it is exactly while the execution waits. */
const openInput = ({ inputs, status }: RunRow): InputRequest | null =>
  status === "awaiting_input" ? (inputs.at(-1) ?? null) : null

/** Whatever takes the lease away raises the epoch, and whoever gives it too: the execution's epoch is the lease's. */
export const leaseOf = ({
  sessionId,
  claimId,
  epoch,
  leaseExpiresAt
}: Pick<RunRow, "claimId" | "epoch" | "leaseExpiresAt" | "sessionId">): Lease | null =>
  sessionId === null || claimId === null || leaseExpiresAt === null
    ? null
    : { sessionId, claimId, epoch, expiresAt: leaseExpiresAt }

const completionOf = ({
  completionEpoch,
  completionFingerprint,
  completionStatus
}: RunRow): Completion | null =>
  completionEpoch === null || completionFingerprint === null || completionStatus === null
    ? null
    : { epoch: completionEpoch, fingerprint: completionFingerprint, status: completionStatus }
