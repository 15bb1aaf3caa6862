/** Cancels of many executions on the wire. */
import { countedMax } from "@runhook/core/cancels/CancelJob"
import { Reference } from "@runhook/core/executions/Execution"
import { ExecutionStatus } from "@runhook/core/executions/ExecutionStatus"
import { AgentId, JobId, ScheduleId, TaskId } from "@runhook/core/shared/Ids"
import { JobStatus } from "@runhook/core/jobs/Job"
import { Timestamp } from "@runhook/core/shared/Timestamp"
import * as Schema from "effect/Schema"
import { described } from "../shared/Described.ts"
import { bodyOf } from "../shared/Envelope.ts"
import { CancelBody, executionFilter } from "../executions/ExecutionWire.ts"

const chosen = {
  ...executionFilter,
  status: Schema.optionalKey(Schema.Array(ExecutionStatus)).pipe(
    described("All that are not finished unless given. Finished ones match nothing.")
  )
}

const description =
  "Which executions, as a list of them is filtered. An empty one means all that are not finished."

export const CancelFilter = Schema.Struct(chosen).annotate({ identifier: "CancelFilter", description })

export const AdminCancelFilter = Schema.Struct({
  ...chosen,
  find: Schema.optionalKey(Reference).pipe(
    described("The beginning of its id, of eight digits at least, or of its reference, in the same case.")
  )
}).annotate({ identifier: "AdminCancelFilter", description })

const rest = {
  reason: CancelBody.fields.reason,
  dry_run: Schema.optionalKey(Schema.Boolean).pipe(
    described("Answer how many match, and cancel nothing. False unless given.")
  )
}

export const CancelManyBody = Schema.Struct({ filter: CancelFilter, ...rest }).annotate({
  identifier: "CancelExecutions",
  description: "Which executions are to be stopped, and why."
})

export const AdminCancelManyBody = Schema.Struct({ filter: AdminCancelFilter, ...rest }).annotate({
  identifier: "AdminCancelExecutions",
  description: "Which executions of the account are to be stopped, and why."
})

const matched = Schema.NullOr(Schema.Int).pipe(
  described(
    `How many match now; null if more than ${countedMax.toLocaleString("en")} executions are unfinished.`
  )
)

export const CancelBegun = bodyOf("CancelBegun", "A job has begun to cancel what matches.", {
  job_id: JobId,
  matched
})

export const CancelRepeated = bodyOf(
  "CancelRepeated",
  "An equal request under the same key had begun the job before.",
  {
    job_id: JobId,
    matched: Schema.NullOr(Schema.Int).pipe(described("How many matched when it began.")),
    idempotent_replay: Schema.Literal(true)
  }
)

export const WouldCancel = bodyOf("WouldCancel", "What a job would do. Nothing has been changed.", {
  job_id: Schema.NullOr(JobId).pipe(described("Null: there is no job.")),
  matched,
  dry_run: Schema.Literal(true)
})

const accepted = {
  status: Schema.NullOr(Schema.Array(ExecutionStatus)),
  task_id: Schema.NullOr(TaskId),
  agent_id: Schema.NullOr(AgentId),
  reference: Schema.NullOr(Schema.String),
  schedule_id: Schema.NullOr(ScheduleId),
  from: Schema.NullOr(Timestamp),
  to: Schema.NullOr(Timestamp)
}

const asRequested = "As requested; null for any."

const AcceptedCancelFilter = Schema.Struct(accepted).annotate({
  identifier: "AcceptedCancelFilter",
  description: asRequested
})

export const AdminAcceptedCancelFilter = Schema.Struct({
  ...accepted,
  find: Schema.NullOr(Schema.String)
}).annotate({ identifier: "AdminAcceptedCancelFilter", description: asRequested })

const detail = {
  job_id: JobId,
  status: JobStatus.pipe(described("`cancelled`: the job itself was stopped.")),
  matched: Schema.NullOr(Schema.Int).pipe(
    described("How many matched when it began; null if there were too many to count.")
  ),
  cancelled: Schema.Int.pipe(described("Executions that it has cancelled so far.")),
  skipped: Schema.Int.pipe(described("Those that had ended or changed a moment before it reached them.")),
  failed: Schema.Int.pipe(described("Those that it could not cancel: look at them one by one.")),
  reason: Schema.NullOr(Schema.String)
}

const times = {
  created_at: Timestamp.pipe(described("Executions created after this are not touched.")),
  updated_at: Timestamp,
  finished_at: Schema.NullOr(Timestamp).pipe(
    described("Null while it runs; the job is removed 30 days later.")
  )
}

const about = "A job that cancels executions."

export const JobDetail = bodyOf("CancelJob", about, {
  ...detail,
  filter: AcceptedCancelFilter,
  ...times
})

export const AdminJobDetail = bodyOf("AdminCancelJob", about, {
  ...detail,
  filter: AdminAcceptedCancelFilter,
  ...times
})
