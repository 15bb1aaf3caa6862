/** The usage of an account, from the domain to the wire. */
import {
  CallbackCounts,
  OverviewBody,
  ReceiverItem,
  type UsageItem,
  UsageTotal
} from "@runhook/contract/usage/UsageWire"
import { type Latencies, percentile } from "@runhook/core/usage/Latencies"
import type { UsageSum } from "@runhook/core/usage/UsageCounts"
import { countsTo } from "@runhook/core/usage/UsageCounts"
import { type AccountStanding } from "@runhook/core/usage/UsageStore"
import type { ReceiverView, UsageTotal as Total } from "@runhook/core/usage/Usage"
import { showing } from "../shared/Names.ts"

const latency = (latencies: Latencies) => ({
  p50: percentile(latencies, 0.5),
  p95: percentile(latencies, 0.95)
})

const callbackCounts = showing(CallbackCounts)<Total["counts"]>({})

export const usageTotal = ({ counts, subject }: Total) => shownTotal({ ...counts, subject })

const shownTotal = showing(UsageTotal)<Total["counts"] & Pick<Total, "subject">>({
  key_id: ({ subject }) => (subject.kind === "key" ? subject.id : null),
  task_id: ({ subject }) => (subject.kind === "task" ? subject.id : null),
  requests: ({ requests, subject }) => (subject.kind === "task" ? null : requests),
  to_start_ms: ({ toStart }) => latency(toStart),
  to_finish_ms: ({ toFinish }) => latency(toFinish),
  callbacks: (counts) => (counts.subject.kind === "task" ? null : callbackCounts(counts))
})

export const usageItem = (sum: UsageSum): typeof UsageItem.Type => ({ at: sum.at, ...usageTotal(sum) })

export const receiverItem = showing(ReceiverItem)<ReceiverView>({
  state: ({ standing }) => standing,
  until: ({ standing, state }) => (standing === "open" || standing === "paused" ? state.heldUntil : null),
  delivered_24h: ({ delivered }) => delivered,
  failed_24h: ({ failed }) => failed,
  last_failure_at: ({ lastFailure }) => lastFailure && lastFailure.at,
  last_failure: ({ lastFailure }) => lastFailure && { cause: lastFailure.cause, status: lastFailure.status }
})

export const overviewFields = showing(OverviewBody)<AccountStanding>({ counts_to: () => countsTo })
