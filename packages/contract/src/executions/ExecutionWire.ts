/** Executions on the wire: as items of lists, in detail, as created. */
import { VersionName, VersionNumber } from "@runhook/core/catalog/VersionSelector"
import { ExecutionEventType } from "@runhook/core/deliveries/WebhookEventType"
import { ConcurrencyKey, ConcurrencyLimit, ConcurrencyPolicy } from "@runhook/core/runs/seats/Concurrency"
import { IdempotencyKey } from "@runhook/core/executions/create/CreateExecution"
import { Priority, TimeoutSeconds, Reference } from "@runhook/core/executions/Execution"
import { ExecutionStatus } from "@runhook/core/executions/ExecutionStatus"
import { CallerMetadata } from "@runhook/core/executions/Metadata"
import { AgentId, ExecutionId, InputId, ScheduleId, TaskId, TaskVersionId } from "@runhook/core/shared/Ids"
import { KnownJsonObject } from "@runhook/core/shared/json/Json"
import { isStorable, isStorableText } from "@runhook/core/shared/json/JsonText"
import { StoredObjectFromValue } from "@runhook/core/shared/json/StoredJson"
import { statusReasonLengthMax } from "@runhook/core/runs/EndMoves"
import { Timestamp } from "@runhook/core/shared/Timestamp"
import * as Schema from "effect/Schema"
import { FileArtifact } from "../artifacts/ArtifactWire.ts"
import { CallbackUrl } from "../shared/CallbackUrlWire.ts"
import { described } from "../shared/Described.ts"
import { bodyOf } from "../shared/Envelope.ts"

export const InputRequestSummary = Schema.Struct({
  input_id: InputId,
  prompt: Schema.String,
  schema: KnownJsonObject.pipe(described("JSON Schema of the answer.")),
  expires_at: Timestamp
}).annotate({ identifier: "InputRequestSummary", description: "The question the work is waiting on." })

/** What lists and details show of an execution. */
export const executionFields = {
  status: ExecutionStatus,
  status_reason: Schema.NullOr(Schema.String).pipe(described("Why it was stopped, if a reason was given.")),
  task_id: TaskId,
  task_version_id: TaskVersionId,
  agent_id: AgentId,
  reference: Schema.String.pipe(described("The caller's own name; the execution's id when none was given.")),
  metadata: StoredObjectFromValue,
  params: StoredObjectFromValue.pipe(
    described('As given at creation, with `"[secret]"` in place of what the schema marks `writeOnly: true`.')
  ),
  result: Schema.NullOr(StoredObjectFromValue).pipe(
    described("What the work produced; null unless completed.")
  ),
  error_message: Schema.NullOr(Schema.String).pipe(described("Null unless the run has failed.")),
  started_at: Schema.NullOr(Timestamp),
  stopped_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  scheduled_at: Schema.NullOr(Timestamp).pipe(described("Deferred start; null when not deferred.")),
  priority: Priority,
  attempt: Schema.Int.pipe(described("How often the work has been started.")),
  input_request: Schema.NullOr(InputRequestSummary),
  rerun_of: Schema.NullOr(ExecutionId),
  schedule_id: Schema.NullOr(ScheduleId).pipe(described("The schedule that it was made for.")),
  concurrency_key: Schema.NullOr(Schema.String)
}

export const ExecutionItem = Schema.Struct({ id: ExecutionId, ...executionFields }).annotate({
  identifier: "Execution",
  description: "An execution as lists show it."
})

export const ExecutionDetail = bodyOf("ExecutionDetail", "An execution with the files it captured.", {
  execution_id: ExecutionId,
  ...executionFields,
  downloads: Schema.Array(FileArtifact),
  prints: Schema.Array(FileArtifact),
  screenshots: Schema.Array(FileArtifact)
})

export const CreateExecutionBody = Schema.Struct({
  agent_id: AgentId.pipe(described("The agent that executes the run.")),
  task_id: Schema.optionalKey(TaskId).pipe(described("The task to run; this or task_version_id.")),
  task_version_id: Schema.optionalKey(TaskVersionId).pipe(
    described("A specific version; wins over v and version.")
  ),
  version: Schema.optionalKey(VersionName).pipe(described("`current`, `tag:<name>` or a version's id.")),
  v: Schema.optionalKey(VersionNumber).pipe(described("A version's number; wins over version.")),
  params: Schema.optionalKey(KnownJsonObject.check(isStorable)).pipe(
    described("Input values, by the task's params schema.")
  ),
  reference: Schema.optionalKey(Reference).pipe(described("Your own name for it.")),
  metadata: Schema.optionalKey(CallerMetadata),
  callback_url: Schema.optionalKey(Schema.NullOr(CallbackUrl)).pipe(
    described("Where callbacks are sent; null: nowhere.")
  ),
  callback_events: Schema.optionalKey(Schema.NullOr(Schema.Array(ExecutionEventType))).pipe(
    described("The event types to send; all unless given.")
  ),
  scheduled_at: Schema.optionalKey(Schema.NullOr(Timestamp)).pipe(described("Not to start before.")),
  priority: Schema.optionalKey(Priority).pipe(described("Higher runs first; 0 unless given.", 0)),
  hold: Schema.optionalKey(Schema.Boolean).pipe(described("Accept as pending, to be queued by a release.")),
  expires_at: Schema.optionalKey(Schema.NullOr(Timestamp)).pipe(
    described("Cancelled if not started by then.")
  ),
  timeout_seconds: Schema.optionalKey(Schema.NullOr(TimeoutSeconds)).pipe(
    described("Longest run once started; the task's own unless given.")
  ),
  concurrency_key: Schema.optionalKey(Schema.NullOr(ConcurrencyKey)).pipe(
    described(
      "Executions of one key of the account share its limit, whatever their task and agent. Required with a limit or a policy."
    )
  ),
  concurrency_limit: Schema.optionalKey(ConcurrencyLimit).pipe(
    described(
      "Only beside `concurrency_key`. This one is not handed out while so many of its key are at work; 1 unless given."
    )
  ),
  concurrency_policy: Schema.optionalKey(ConcurrencyPolicy).pipe(
    described(
      "Only beside `concurrency_key`. While the limit is reached: `queue`, unless given, waits, `reject` is refused with 409, `cancel_running` goes first. As soon as it is due, it cancels the unfinished executions of the key that are older, all but the newest `concurrency_limit - 1`: at work, waiting, between attempts, held or awaiting input."
    )
  )
}).annotate({ identifier: "CreateExecution", description: "A request to queue an execution." })

/** Of the requests that make an execution. */
export const creatingHeaders = {
  "idempotency-key": Schema.optionalKey(IdempotencyKey).pipe(
    described("Repeating a request under the same key makes no second execution.")
  ),
  traceparent: Schema.optionalKey(Schema.String).pipe(
    described(
      "The caller's trace, by W3C Trace Context: the runner and the callbacks of the execution get it. One that is malformed is ignored."
    )
  )
}

export const ExecutionCreated = bodyOf("ExecutionCreated", "The execution was accepted.", {
  execution_id: ExecutionId,
  status: Schema.Literals(["queued", "pending"]),
  reference: Schema.String,
  metadata: StoredObjectFromValue,
  task_id: TaskId,
  task_version_id: TaskVersionId,
  scheduled_at: Schema.NullOr(Timestamp),
  priority: Priority
})

export const ExecutionReplayed = bodyOf(
  "ExecutionReplayed",
  "An equal request under the same key had made it before.",
  {
    execution_id: ExecutionId,
    status: ExecutionStatus.pipe(described("The execution's present status.")),
    idempotent_replay: Schema.Literal(true)
  }
)

export const WouldCreate = bodyOf("WouldCreate", "The request is valid; nothing was stored.", {
  would_create: Schema.Literal(true),
  status: Schema.Literal("would_create")
})

export const RerunBody = Schema.Struct({
  version: Schema.optionalKey(Schema.Literals(["same", "current"])).pipe(
    described("The task version it had, or the task's current one; `same` unless given.")
  ),
  params: Schema.optionalKey(KnownJsonObject.check(isStorable)).pipe(
    described(
      'In place of the original ones. `"[secret]"` in the place of a secret means the original\'s: for the key that gave it, for members and operators, and for all others beside the params of the original as they are shown.'
    )
  )
}).annotate({ identifier: "RerunExecution", description: "How an execution is run again." })

export const CancelBody = Schema.Struct({
  reason: Schema.optionalKey(
    Schema.String.check(Schema.isBetweenCodePoints(1, statusReasonLengthMax), isStorableText)
  ).pipe(described("Kept as status_reason."))
}).annotate({ identifier: "CancelExecution", description: "Why an execution is stopped." })

/** Which executions a list wants. */
export const executionFilter = {
  status: Schema.optionalKey(Schema.Array(ExecutionStatus)).pipe(described("May be repeated.")),
  task_id: Schema.optionalKey(TaskId),
  agent_id: Schema.optionalKey(AgentId),
  reference: Schema.optionalKey(Reference),
  schedule_id: Schema.optionalKey(ScheduleId).pipe(described("Made for this schedule.")),
  from: Schema.optionalKey(Timestamp).pipe(described("Created at or after.")),
  to: Schema.optionalKey(Timestamp).pipe(described("Created at or before."))
}

export const ExecutionCancelled = bodyOf("ExecutionCancelled", "The execution as it is now.", {
  execution_id: ExecutionId,
  status: ExecutionStatus,
  already_finished: Schema.optionalKey(Schema.Literal(true)).pipe(
    described("Present if it was already finished.")
  )
})

export const ExecutionReleased = bodyOf("ExecutionReleased", "The execution as it is now.", {
  execution_id: ExecutionId,
  status: ExecutionStatus
})
