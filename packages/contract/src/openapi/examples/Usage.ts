/** What was counted on the day of the story. */
import { OverviewBody, ReceiverList, UsageReport } from "../../wire/UsageWire.ts"
import { exampleOf } from "./Example.ts"
import { requestId, times } from "./Names.ts"

const counts = {
  key_id: null,
  task_id: null,
  requests: 1_480,
  created: 312,
  started: 311,
  completed: 298,
  failed: 9,
  aborted: 2,
  cancelled: 1,
  never_started: 1,
  to_start_ms: { p50: 140, p95: 920 },
  to_finish_ms: { p50: 8_300, p95: 31_500 },
  callbacks: { delivered: 928, failed_attempts: 14, dead: 1 }
}

export const usageExamples = [
  exampleOf(UsageReport, {
    by: "hour",
    group: "none",
    from: "2026-03-02T09:00:00.000Z",
    to: times.queued,
    data: [{ at: "2026-03-02T09:00:00.000Z", ...counts }],
    totals: [counts],
    is_more: false,
    request_id: requestId
  }),
  exampleOf(ReceiverList, {
    data: [
      {
        origin: "https://hooks.example.com",
        state: "open",
        until: "2026-03-02T09:31:00.000Z",
        delivered_24h: 928,
        failed_24h: 14,
        waiting: 3,
        dead: 1,
        last_success_at: times.delivered,
        last_failure_at: "2026-03-02T09:30:30.000Z",
        last_failure: { cause: "server_error", status: 503 }
      }
    ],
    is_more: false,
    request_id: requestId
  }),
  exampleOf(OverviewBody, {
    running: 4,
    slots: 8,
    queued: 2,
    needs_input: 1,
    oldest_queued_at: times.queued,
    runners: 2,
    draining: 0,
    waiting_deliveries: 3,
    dead_letters: 1,
    counts_to: 10_000,
    request_id: requestId
  })
]
