/** The usage of an account, from the domain to the wire. */
import type { OverviewBody, ReceiverItem, UsageItem, UsageTotal } from "@runhook/contract/wire/UsageWire"
import { type Latencies, percentile } from "@runhook/core/domain/usage/Latencies"
import type { UsageSum } from "@runhook/core/domain/usage/UsageCounts"
import { countsTo } from "@runhook/core/domain/usage/UsageCounts"
import { type Standing } from "@runhook/core/ports/UsageStore"
import type { ReceiverView, UsageTotal as Total } from "@runhook/core/usecases/Usage"

const latency = (latencies: Latencies) => ({
  p50: percentile(latencies, 0.5),
  p95: percentile(latencies, 0.95)
})

export const usageTotal = ({ counts, subject }: Total): typeof UsageTotal.Type => ({
  key_id: subject.kind === "key" ? subject.id : null,
  task_id: subject.kind === "task" ? subject.id : null,
  requests: subject.kind === "task" ? null : counts.requests,
  created: counts.created,
  started: counts.started,
  completed: counts.completed,
  failed: counts.failed,
  aborted: counts.aborted,
  cancelled: counts.cancelled,
  never_started: counts.neverStarted,
  to_start_ms: latency(counts.toStart),
  to_finish_ms: latency(counts.toFinish),
  callbacks:
    subject.kind === "task"
      ? null
      : { delivered: counts.delivered, failed_attempts: counts.failedAttempts, dead: counts.dead }
})

export const usageItem = (sum: UsageSum): typeof UsageItem.Type => ({ at: sum.at, ...usageTotal(sum) })

export const receiverItem = (receiver: ReceiverView): typeof ReceiverItem.Type => {
  const { delivered, failed, lastFailure, lastSuccessAt, origin, standing, state, waiting, dead } = receiver
  return {
    origin,
    state: standing,
    until: standing === "open" || standing === "paused" ? state.heldUntil : null,
    delivered_24h: delivered,
    failed_24h: failed,
    waiting,
    dead,
    last_success_at: lastSuccessAt,
    last_failure_at: lastFailure && lastFailure.at,
    last_failure: lastFailure && { cause: lastFailure.cause, status: lastFailure.status }
  }
}

export const overviewFields = (standing: Standing): Omit<typeof OverviewBody.Type, "request_id"> => ({
  running: standing.running,
  slots: standing.slots,
  queued: standing.queued,
  needs_input: standing.needsInput,
  oldest_queued_at: standing.oldestQueuedAt,
  runners: standing.runners,
  draining: standing.draining,
  waiting_deliveries: standing.waitingDeliveries,
  dead_letters: standing.deadLetters,
  counts_to: countsTo
})
