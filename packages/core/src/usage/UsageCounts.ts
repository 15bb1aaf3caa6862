/** What is counted in an account as it happens, by hours and days of UTC. Pure values. */
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { AccountId, ApiKeyId, TaskId } from "../shared/Ids.ts"
import { addLatencies, type Latencies, noLatencies } from "./Latencies.ts"

/**
 * What is counted. `neverStarted` are the aborted and cancelled executions that
 * never ran. `failedAttempts`, `delivered` and `dead` are of callbacks.
 */
export const counters = [
  "requests",
  "created",
  "started",
  "completed",
  "failed",
  "aborted",
  "cancelled",
  "neverStarted",
  "delivered",
  "failedAttempts",
  "dead"
] as const
export type Counter = (typeof counters)[number]

export interface Counts extends Readonly<Record<Counter, number>> {
  /** From its due time to its first start. */
  readonly toStart: Latencies
  /** From its due time until its runner completed or failed it. */
  readonly toFinish: Latencies
}

export const noCounts: Counts = {
  requests: 0,
  created: 0,
  started: 0,
  completed: 0,
  failed: 0,
  aborted: 0,
  cancelled: 0,
  neverStarted: 0,
  delivered: 0,
  failedAttempts: 0,
  dead: 0,
  toStart: noLatencies,
  toFinish: noLatencies
}

export const addCounts = (one: Counts, other: Counts): Counts => ({
  requests: one.requests + other.requests,
  created: one.created + other.created,
  started: one.started + other.started,
  completed: one.completed + other.completed,
  failed: one.failed + other.failed,
  aborted: one.aborted + other.aborted,
  cancelled: one.cancelled + other.cancelled,
  neverStarted: one.neverStarted + other.neverStarted,
  delivered: one.delivered + other.delivered,
  failedAttempts: one.failedAttempts + other.failedAttempts,
  dead: one.dead + other.dead,
  toStart: addLatencies(one.toStart, other.toStart),
  toFinish: addLatencies(one.toFinish, other.toFinish)
})

/** Counting further would cost more than the number is worth. */
export const countsTo = 10_000

/** The same for all accounts together. */
export const serviceCountsTo = 100_000

/** Waiting and dead deliveries of one receiver are counted up to this. */
export const receiverCountsTo = 1_000

export const UsageSpan = Schema.Literals(["hour", "day"])
export type UsageSpan = typeof UsageSpan.Type

export const spanMillis: Readonly<Record<UsageSpan, number>> = { hour: 3_600_000, day: 86_400_000 }

/** When the hour or day of an instant began. */
export const beginningOf = (span: UsageSpan, at: DateTime.Utc): DateTime.Utc =>
  DateTime.makeUnsafe(Math.floor(at.epochMilliseconds / spanMillis[span]) * spanMillis[span])

/** Whose counts: of the whole account, or of one of its keys or tasks. */
export const UsageSubject = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("account"), id: AccountId }),
  Schema.Struct({ kind: Schema.Literal("key"), id: ApiKeyId }),
  Schema.Struct({ kind: Schema.Literal("task"), id: TaskId })
])
export type UsageSubject = typeof UsageSubject.Type

/** What was counted for a subject in one hour or day. */
export interface UsageSum {
  readonly accountId: AccountId
  readonly subject: UsageSubject
  readonly span: UsageSpan
  /** When the hour or day began. */
  readonly at: DateTime.Utc
  readonly counts: Counts
}

/** Whose sums: of one subject, or of all keys or all tasks of the account. */
export type UsageOf = UsageSubject | { readonly kind: "key" | "task"; readonly id: null }
