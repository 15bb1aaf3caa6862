/** The rows of a run: its request, its state, its result. */
import { Execution } from "@runhook/core/executions/Execution"
import { ExecutionStatus } from "@runhook/core/executions/ExecutionStatus"
import { SessionId } from "@runhook/core/shared/Ids"
import { InputRequest } from "@runhook/core/runs/InputRequest"
import type { Lease } from "@runhook/core/runs/Lease"
import type { Completion, Run } from "@runhook/core/runs/Run"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { both, columnsOf, type RowTable, rowTable } from "../rows/RowTable.ts"

/** Questions as a column holds them, oldest first. */
export const InputsJson = Schema.toCodecJson(Schema.Array(InputRequest))

/** The execution of a row, without its open question. */
export const ExecutionFields = Schema.Struct(Struct.omit(Execution.fields, ["inputRequest"]))

/** Columns of a request `r`, an execution `e` and its result `x`. */
export const ofExecution = columnsOf(ExecutionFields, "r.", {
  status: "e.status",
  statusReason: "e.status_reason",
  metadata: "r.metadata::text",
  params: "r.params::text",
  result: "x.result::text",
  errorMessage: "e.error_message",
  attempt: "e.attempt",
  epoch: "e.epoch",
  updatedAt: "e.updated_at",
  startedAt: "e.started_at",
  stoppedAt: "e.stopped_at"
})

export const RunFields = Schema.Struct({
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
  completionStatus: Schema.NullOr(ExecutionStatus),
  /** The slot that it holds on its agent. */
  slot: Schema.NullOr(Schema.Int),
  /** The size of its metadata and params. */
  requestBytes: Schema.Int
})
type RunFields = typeof RunFields.Type

/** Columns of an execution `e` and its request `r`: what the store knows of a run besides the execution. */
export const ofRun = columnsOf(RunFields, "e.", { requestBytes: "r.bytes" })

/** A run as it is stored. */
export interface StoredRun extends Pick<RunFields, "requestBytes" | "slot"> {
  readonly run: Run
}

/** Runs among the columns of a statement. */
export const runTable = (columns: typeof ofExecution & typeof ofRun): RowTable<StoredRun> =>
  both(rowTable(columns, ExecutionFields), rowTable(columns, RunFields), (execution, row) => ({
    run: {
      execution: { ...execution, inputRequest: openInput(execution, row) },
      revision: row.revision,
      lease: leaseOf(execution, row),
      attemptEpoch: row.attemptEpoch,
      dueAt: row.dueAt,
      deadlineAt: row.deadlineAt,
      inputs: row.inputs,
      completion: completionOf(row)
    },
    slot: row.slot,
    requestBytes: row.requestBytes
  }))

/** Only the last question can be open, and it is exactly while the execution is `awaiting_input`. */
const openInput = (
  { status }: Pick<Execution, "status">,
  { inputs }: Pick<RunFields, "inputs">
): InputRequest | null => (status === "awaiting_input" ? (inputs.at(-1) ?? null) : null)

/** Granting and revoking a lease both raise the epoch, so the execution's epoch is always the lease's. */
export const leaseOf = (
  { epoch }: Pick<Execution, "epoch">,
  { claimId, leaseExpiresAt, sessionId }: Pick<RunFields, "claimId" | "leaseExpiresAt" | "sessionId">
): Lease | null =>
  sessionId === null || claimId === null || leaseExpiresAt === null
    ? null
    : { sessionId, claimId, epoch, expiresAt: leaseExpiresAt }

const completionOf = ({
  completionEpoch,
  completionFingerprint,
  completionStatus
}: RunFields): Completion | null =>
  completionEpoch === null || completionFingerprint === null || completionStatus === null
    ? null
    : { epoch: completionEpoch, fingerprint: completionFingerprint, status: completionStatus }
