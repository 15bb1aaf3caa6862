/** How an account fares: what was counted, its receivers, and what goes on now. */
import type { KnownAttemptCause } from "../Deliveries.ts"
import type { Answer } from "../Envelope.ts"
import type { Open } from "../Json.ts"

export type UsageSpan = "hour" | "day"
export type UsageGroup = "none" | "key" | "task"

export interface UsageQuery {
  /** `hour` unless given. Hours and days are those of UTC. */
  readonly by?: UsageSpan
  /** `none` unless given: the counts of the account, or of the key or task that is named. */
  readonly group?: UsageGroup
  /** 24 hours or 30 days before `to` unless given. */
  readonly from?: string
  /** Now unless given. */
  readonly to?: string
  readonly key_id?: string
  readonly task_id?: string
}

/** Milliseconds within which half of them, and 95 of 100, were done; null when there were none. */
export interface Latency {
  readonly p50: number | null
  readonly p95: number | null
}

/** What attempts at callbacks came to. */
export interface CallbackCounts {
  readonly delivered: number
  readonly failed_attempts: number
  readonly dead: number
}

export interface UsageTotal {
  /** The key whose counts these are. */
  readonly key_id: string | null
  /** The task whose counts these are. */
  readonly task_id: string | null
  /** Requests that keys have opened; null for a task, since none of it is known of them. */
  readonly requests: number | null
  readonly created: number
  readonly started: number
  readonly completed: number
  readonly failed: number
  readonly aborted: number
  readonly cancelled: number
  /** Those of the aborted and cancelled that never ran. */
  readonly never_started: number
  readonly to_start_ms: Latency
  readonly to_finish_ms: Latency
  readonly callbacks: CallbackCounts | null
}

export interface UsageItem extends UsageTotal {
  /** When the hour or day began. */
  readonly at: string
}

/** What was counted, oldest first. */
export interface UsageReport extends Answer {
  readonly by: UsageSpan
  readonly group: UsageGroup
  readonly from: string
  readonly to: string
  readonly data: ReadonlyArray<UsageItem>
  readonly totals: ReadonlyArray<UsageTotal>
  /** Whether older counts are left out: ask for a shorter time. */
  readonly is_more: boolean
}

/**
 * - `open`: it fails, so that only a probe is sent now and then.
 * - `failing`: its last attempt failed.
 * - `paused`: it asked for a pause.
 * - `recovering`: it is back, and what waited is sent bit by bit.
 * - `untried`: nothing was sent to it yet.
 */
export type KnownReceiverState = "open" | "failing" | "paused" | "recovering" | "untried" | "healthy"

/** What the last attempt came to that failed. */
export interface LastFailure {
  readonly cause: Open<KnownAttemptCause> | null
  readonly status: number | null
}

/** Where callbacks of the account go: one origin of URLs. */
export interface Receiver {
  readonly origin: string
  readonly state: Open<KnownReceiverState>
  /** Nothing is sent to it before. */
  readonly until: string | null
  readonly delivered_24h: number
  /** Attempts that failed. */
  readonly failed_24h: number
  /** Counted up to 1000. */
  readonly waiting: number
  /** Counted up to 1000. */
  readonly dead: number
  readonly last_success_at: string | null
  readonly last_failure_at: string | null
  readonly last_failure: LastFailure | null
}

export interface ReceiverQuery {
  /** 1 to 200; 50 unless given. */
  readonly limit?: number
}

/** Receivers, the worst first. */
export interface ReceiverList extends Answer {
  readonly data: ReadonlyArray<Receiver>
  readonly is_more: boolean
}

/** What goes on now, as of the last second. */
export interface Overview extends Answer {
  readonly running: number
  /** What the agents may run at once. */
  readonly slots: number
  readonly queued: number
  readonly needs_input: number
  /** Since when the oldest has been due that waits for a runner. */
  readonly oldest_queued_at: string | null
  /** Runner processes that were heard of in the last minute. */
  readonly runners: number
  /** Those of them that take no more work. */
  readonly draining: number
  readonly waiting_deliveries: number
  readonly dead_letters: number
  /** Numbers that are counted end here: there may be more. */
  readonly counts_to: number
}
