/** How an account is doing, on the wire: what was counted, its receivers, and what is going on now. */
import { AttemptCause } from "@runhook/core/deliveries/steps/AttemptCause"
import { ReceiverStanding } from "@runhook/core/deliveries/claim/ReceiverStanding"
import { ApiKeyId, TaskId } from "@runhook/core/shared/Ids"
import { Timestamp } from "@runhook/core/shared/Timestamp"
import { countsTo, receiverCountsTo, UsageSpan } from "@runhook/core/usage/UsageCounts"
import { beginningsMax, UsageGroup } from "@runhook/core/usage/UsageQuery"
import * as Schema from "effect/Schema"
import { inQuery, queryNumbers } from "../QueryNumbers.ts"
import { described } from "../shared/Described.ts"
import { bodyOf } from "../shared/Envelope.ts"

/** How many. */
const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

export const usageQuery = {
  by: Schema.optionalKey(UsageSpan).pipe(described("hour unless given. Hours and days are those of UTC.")),
  group: Schema.optionalKey(UsageGroup).pipe(
    described("none unless given: the counts of the account, or of the given key_id or task_id.")
  ),
  from: Schema.optionalKey(Timestamp).pipe(
    described(`Its hour or day is the first. 24 hours or 30 days unless given, ${beginningsMax} at most.`)
  ),
  to: Schema.optionalKey(Timestamp).pipe(
    described("Its hour or day is the last; the current one unless given.")
  ),
  key_id: Schema.optionalKey(ApiKeyId),
  task_id: Schema.optionalKey(TaskId)
}

const Latency = Schema.Struct({
  p50: Schema.NullOr(Count),
  p95: Schema.NullOr(Count)
}).annotate({
  identifier: "Latency",
  description:
    "Milliseconds within which half of them, and 95 of 100, were done; null if there were none. Approximate, since they are computed from counts by range."
})

export const CallbackCounts = Schema.Struct({
  delivered: Count,
  failed_attempts: Count,
  dead: Count
}).annotate({ identifier: "CallbackCounts", description: "The results of attempts at callbacks." })

const counts = {
  key_id: Schema.NullOr(ApiKeyId).pipe(described("The key whose counts these are.")),
  task_id: Schema.NullOr(TaskId).pipe(described("The task whose counts these are.")),
  requests: Schema.NullOr(Count).pipe(
    described("Requests with valid keys; null for a task, since requests are not counted by task.")
  ),
  created: Count,
  started: Count,
  completed: Count,
  failed: Count,
  aborted: Count,
  cancelled: Count,
  never_started: Count.pipe(described("Aborted and cancelled executions that never ran.")),
  to_start_ms: Latency,
  to_finish_ms: Latency,
  callbacks: Schema.NullOr(CallbackCounts)
}

export const UsageItem = Schema.Struct({
  at: Timestamp.pipe(described("When the hour or day began.")),
  ...counts
}).annotate({ identifier: "UsageItem", description: "What was counted in one hour or day." })

export const UsageTotal = Schema.Struct(counts).annotate({
  identifier: "UsageTotal",
  description: "What was counted in all."
})

export const UsageReport = bodyOf("Usage", "What was counted, oldest first.", {
  by: UsageSpan,
  group: UsageGroup,
  from: Timestamp,
  to: Timestamp,
  data: Schema.Array(UsageItem),
  totals: Schema.Array(UsageTotal),
  is_more: Schema.Boolean.pipe(described("Whether older counts are left out: ask for a shorter time."))
})

export const receiverQuery = { limit: Schema.optionalKey(inQuery(queryNumbers.limit)) }

const LastFailure = Schema.Struct({
  cause: Schema.NullOr(AttemptCause),
  status: Schema.NullOr(Schema.Int)
}).annotate({ identifier: "LastFailure", description: "The last failed attempt." })

export const ReceiverItem = Schema.Struct({
  origin: Schema.String,
  state: ReceiverStanding.pipe(
    described(
      "open: its breaker is open, and only a probe is sent now and then. failing: its last attempt failed. paused: it asked for a pause. recovering: it is back, and its backlog is sent bit by bit. untried: nothing was sent to it yet."
    )
  ),
  until: Schema.NullOr(Timestamp).pipe(described("Nothing is sent to it before then.")),
  delivered_24h: Count,
  failed_24h: Count.pipe(described("Attempts that failed.")),
  waiting: Count.pipe(described(`Counted up to ${receiverCountsTo}.`)),
  dead: Count.pipe(described(`Counted up to ${receiverCountsTo}.`)),
  last_success_at: Schema.NullOr(Timestamp),
  last_failure_at: Schema.NullOr(Timestamp),
  last_failure: Schema.NullOr(LastFailure)
}).annotate({ identifier: "Receiver", description: "Where callbacks of the account go: one origin of URLs." })

export const ReceiverList = bodyOf("ReceiverList", "Receivers, the worst first.", {
  data: Schema.Array(ReceiverItem),
  is_more: Schema.Boolean
})

export const OverviewBody = bodyOf("Overview", "What is going on now, at most a second old.", {
  running: Count,
  slots: Count.pipe(described("What the agents may run at once.")),
  queued: Count,
  needs_input: Count,
  oldest_queued_at: Schema.NullOr(Timestamp).pipe(
    described("Since when the oldest execution that waits for a runner has been due.")
  ),
  runners: Count.pipe(described("Runners heard from in the last minute.")),
  draining: Count.pipe(described("Those of them that take no more work.")),
  waiting_deliveries: Count,
  dead_letters: Count,
  counts_to: Count.pipe(described(`Counts end here, at ${countsTo}: there may be more.`))
})
