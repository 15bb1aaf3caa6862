/** The bodies of callbacks, which the core renders. */
import { ExecutionEventType } from "@runhook/core/deliveries/WebhookEventType"
import { ExecutionStatus } from "@runhook/core/executions/ExecutionStatus"
import { AccountId, AgentId, EventId, ExecutionId, TaskId, TaskVersionId } from "@runhook/core/shared/Ids"
import { KnownJsonObject } from "@runhook/core/shared/json/Json"
import { Timestamp } from "@runhook/core/shared/Timestamp"
import * as Schema from "effect/Schema"
import { RequestId } from "../RequestId.ts"
import { described } from "../shared/Described.ts"

const shared = {
  event_id: EventId.pipe(described("The same on every attempt, and in X-Webhook-Event-Id.")),
  occurred_at: Timestamp,
  request_id: RequestId,
  reference: Schema.String,
  metadata: KnownJsonObject
}

/** An execution as it was when the event occurred. */
export const ExecutionEvent = Schema.Struct({
  ...shared,
  type: ExecutionEventType,
  execution: Schema.Struct({
    id: ExecutionId,
    account_id: AccountId,
    agent_id: AgentId,
    task_id: TaskId,
    task_version_id: TaskVersionId,
    status: ExecutionStatus,
    result: Schema.NullOr(KnownJsonObject).pipe(described("What the work produced; null unless completed.")),
    error_message: Schema.NullOr(Schema.String).pipe(described("Null unless the run has failed.")),
    started_at: Schema.NullOr(Timestamp),
    stopped_at: Schema.NullOr(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp
  })
}).annotate({
  identifier: "ExecutionEvent",
  description: "An execution entered a status; it is shown as it was then."
})

export const TestEvent = Schema.Struct({
  ...shared,
  type: Schema.Literal("webhook.test"),
  execution: Schema.Null,
  message: Schema.String
}).annotate({ identifier: "TestEvent", description: "A test of the receiver, about no execution." })
