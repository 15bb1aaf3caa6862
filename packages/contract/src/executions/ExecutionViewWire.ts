/** Executions as operators see them: with names beside ids, callbacks, progress, and files under links of the admin API. */
import { ContentType } from "@runhook/core/artifacts/Artifact"
import { VersionNumber } from "@runhook/core/catalog/VersionSelector"
import { DeliveryState } from "@runhook/core/deliveries/Delivery"
import { ExecutionEventType, WebhookEventType } from "@runhook/core/deliveries/WebhookEventType"
import { TimeoutSeconds } from "@runhook/core/executions/Execution"
import { ExecutionStatus } from "@runhook/core/executions/ExecutionStatus"
import { ApiKeyId, ArtifactId, EventId, ExecutionId, PlatformId } from "@runhook/core/shared/Ids"
import { Timestamp } from "@runhook/core/shared/Timestamp"
import * as Schema from "effect/Schema"
import { described } from "../shared/Described.ts"
import { bodyOf } from "../shared/Envelope.ts"
import { CreateExecutionBody, executionFields, RerunBody } from "./ExecutionWire.ts"

export const CallbackMark = Schema.Struct({
  event_id: EventId,
  type: WebhookEventType,
  state: DeliveryState,
  attempts: Schema.Int,
  last_status: Schema.NullOr(Schema.Int),
  created_at: Timestamp,
  settled_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "CallbackMark", description: "The state of one event's callback." })

const view = {
  ...executionFields,
  key_id: ApiKeyId.pipe(described("The key in whose name it runs, and whose secret signs its callbacks.")),
  callback_url: Schema.NullOr(Schema.String),
  callback_events: Schema.NullOr(Schema.Array(ExecutionEventType)),
  callbacks: Schema.Array(CallbackMark),
  agent_name: Schema.NullOr(Schema.String).pipe(described("Null after the agent was removed.")),
  task_name: Schema.String,
  task_slug: Schema.String,
  task_version_number: VersionNumber,
  expires_at: Schema.NullOr(Timestamp),
  timeout_seconds: Schema.NullOr(TimeoutSeconds)
}

export const ExecutionViewItem = Schema.Struct({ id: ExecutionId, ...view }).annotate({
  identifier: "AdminExecution",
  description: "An execution as operators' lists show it."
})

export const ProgressItem = Schema.Struct({
  percent: Schema.NullOr(Schema.Finite),
  message: Schema.NullOr(Schema.String),
  step: Schema.NullOr(Schema.String),
  at: Timestamp
}).annotate({ identifier: "Progress", description: "The runner's latest report on its work." })

const file = {
  id: ArtifactId,
  file_name: Schema.String,
  content_type: ContentType.pipe(described("As its runner said. The bytes decide how it is shown.")),
  size_bytes: Schema.Int,
  created_at: Timestamp,
  url: Schema.String.pipe(described("Stable link, opened like the other calls; answers the bytes."))
}

export const ExecutionViewFile = Schema.Struct(file).annotate({
  identifier: "AdminFile",
  description: "A file the run captured."
})

export const ExecutionViewVideo = Schema.Struct({
  ...file,
  platform_id: Schema.NullOr(PlatformId),
  handler: Schema.NullOr(Schema.String),
  started_offset_ms: Schema.NullOr(Schema.Int).pipe(
    described("When the recording began, after the start of the work.")
  )
}).annotate({ identifier: "AdminVideo", description: "A video of the session." })

const files = {
  downloads: Schema.Array(ExecutionViewFile),
  prints: Schema.Array(ExecutionViewFile),
  screenshots: Schema.Array(ExecutionViewFile)
}

export const ExecutionViewDetail = bodyOf(
  "AdminExecutionDetail",
  "An execution with its files and how far it is.",
  { execution_id: ExecutionId, ...view, progress: Schema.NullOr(ProgressItem), ...files }
)

export const ExecutionViewArtifacts = bodyOf("AdminExecutionArtifacts", "Everything the run captured.", {
  execution_id: ExecutionId,
  status: ExecutionStatus,
  started_at: Schema.NullOr(Timestamp),
  stopped_at: Schema.NullOr(Timestamp),
  videos: Schema.Array(ExecutionViewVideo),
  ...files
})

const key_id = ApiKeyId.pipe(
  described("The key in whose name it runs: within its tasks, agents and limits, signed with its secret.")
)

export const CreateExecutionAsBody = Schema.Struct({ ...CreateExecutionBody.fields, key_id }).annotate({
  identifier: "AdminCreateExecution",
  description: "A request to queue an execution in the name of a key."
})

export const RerunAsBody = Schema.Struct({
  ...RerunBody.fields,
  key_id: Schema.optionalKey(key_id)
}).annotate({
  identifier: "AdminRerunExecution",
  description: "How an execution is run again; in the name of its own key unless another is given."
})
