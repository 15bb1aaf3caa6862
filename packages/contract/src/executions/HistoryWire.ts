/** What happened to executions, why they wait, and their place in the queue, on the wire. */
import { Priority } from "@runhook/core/executions/Execution"
import { ExecutionStatus } from "@runhook/core/executions/ExecutionStatus"
import { aheadMax, BlockKind, WaitState } from "@runhook/core/executions/history/Explanation"
import { HistoryEventType } from "@runhook/core/executions/history/HistoryEvent"
import { AnyId, ExecutionId } from "@runhook/core/shared/Ids"
import { Timestamp } from "@runhook/core/shared/Timestamp"
import * as Schema from "effect/Schema"
import { inQuery, queryNumbers } from "../QueryNumbers.ts"
import { described } from "../shared/Described.ts"
import { bodyOf, pageOf, pageQuery } from "../shared/Envelope.ts"

export const HistoryEventItem = Schema.Struct({
  sequence: Schema.Int.pipe(described("Counted from 1 without gaps.")),
  type: HistoryEventType,
  at: Timestamp,
  status: ExecutionStatus.pipe(described("After the change.")),
  attempt: Schema.Int.pipe(described("How often the work had been started.")),
  data: Schema.Json.pipe(described("Details: a reason, an error, a question."))
}).annotate({ identifier: "ExecutionHistoryEvent", description: "One change of an execution." })

export const HistoryEventList = pageOf("ExecutionHistory", HistoryEventItem, "Changes, oldest first.")

/** How a stream shows one of them. */
export const historyEventExample = `id: 3
event: started
data: {"sequence":3,"type":"started","at":"2026-03-02T09:00:01.250Z","status":"running","attempt":1,"data":null}

`

export const historyQuery = {
  after: Schema.optionalKey(inQuery(queryNumbers.after)),
  ...pageQuery,
  wait: Schema.optionalKey(inQuery(queryNumbers.wait))
}

const BlockItem = Schema.Struct({
  kind: BlockKind,
  id: AnyId.pipe(
    described(
      "Of the waiting execution itself if the kind is `held`, `not_before` or `concurrency_key`; of its agent if it is another."
    )
  ),
  key: Schema.NullOr(Schema.String).pipe(
    described("The concurrency key, if the kind is `concurrency_key`; otherwise null.")
  ),
  limit: Schema.NullOr(Schema.Int).pipe(
    described("The most that may be at work at once: for the key, or at the agent.")
  ),
  current: Schema.NullOr(Schema.Int).pipe(described("How many there are now."))
}).annotate({ identifier: "ExecutionBlock", description: "One obstacle to the start of an execution." })

export const ExecutionExplained = bodyOf("ExecutionExplained", "Why an execution has not started.", {
  execution_id: ExecutionId,
  state: WaitState,
  position: Schema.NullOr(Schema.Int).pipe(
    described(
      `Its place in the queue of its agent, from 1; null when it is not in the queue, or behind ${aheadMax} others.`
    )
  ),
  blocked_by: Schema.Array(BlockItem),
  runners_online: Schema.Int,
  not_before: Schema.NullOr(Timestamp),
  expires_at: Schema.NullOr(Timestamp)
})

export const RescheduleBody = Schema.Struct({
  scheduled_at: Schema.optionalKey(Schema.NullOr(Timestamp)).pipe(
    described("Not to start before then; null or a moment in the past means now.")
  ),
  priority: Schema.optionalKey(Priority),
  expires_at: Schema.optionalKey(Schema.NullOr(Timestamp)).pipe(
    described("Cancelled if not started by then; null: never.")
  )
}).annotate({
  identifier: "RescheduleExecution",
  description: "What to change; missing fields stay as they are."
})

export const ExecutionRescheduled = bodyOf("ExecutionRescheduled", "The execution as it is now.", {
  execution_id: ExecutionId,
  status: ExecutionStatus,
  scheduled_at: Schema.NullOr(Timestamp),
  priority: Priority,
  expires_at: Schema.NullOr(Timestamp)
})
