/** Keeps schedules, and creates the executions that they are due for. */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Audit } from "../audit/AuditEntry.ts"
import type { Execution } from "../executions/Execution.ts"
import { type AccountId, ScheduleId } from "../shared/Ids.ts"
import type { JsonObject } from "../shared/json/Json.ts"
import type { Page, PageRequest } from "../shared/Page.ts"
import type { Change } from "../runs/Run.ts"
import type { Came, Schedule } from "./Schedule.ts"
import type { AccountNotFound, ConcurrencyLimitReached, NoSeatLeft } from "../shared/Refusals.ts"

/** No such schedule in the account. */
export class ScheduleNotFound extends Schema.TaggedError<ScheduleNotFound>()("ScheduleNotFound", {
  id: ScheduleId
}) {
  override get message() {
    return `There is no schedule ${this.id}`
  }
}

/** The account has as many schedules as it may. */
export class ScheduleLimitReached extends Schema.TaggedError<ScheduleLimitReached>()("ScheduleLimitReached", {
  limit: Schema.Int
}) {
  override get message() {
    return `This account has reached its limit of ${this.limit} schedules`
  }
}

/** Names one schedule of an account. */
export interface ScheduleRef {
  readonly accountId: AccountId
  readonly id: ScheduleId
}

/** An execution that a schedule asks for. */
export interface ScheduledCreate {
  readonly execution: Execution
  readonly accountMaxLive: number
  readonly keyMaxLive: number | null
  /** A refusal by these limits, as the schedule keeps it. */
  readonly refused: (error: AccountNotFound | ConcurrencyLimitReached | NoSeatLeft) => JsonObject
}

export interface Firing {
  /** As it was claimed, or read. */
  readonly schedule: Schedule
  readonly at: DateTime.Utc
  /** What is to come of it: an execution, if its overlap policy and the limits allow one, or what has come of it already. */
  readonly wanted: ScheduledCreate | Came
  /** What the schedule becomes. */
  readonly becomes: (came: Came) => Schedule
  readonly audit?: Audit<[schedule: Schedule, came: Came]> | undefined
}

export interface Fired {
  readonly schedule: Schedule
  readonly came: Came
  /** The execution that was created, and those that were cancelled for it. */
  readonly changes: ReadonlyArray<Change>
}

export class ScheduleStore extends Context.Service<
  ScheduleStore,
  {
    /** Adds a schedule, unless its account has `limit` of them. */
    create(
      schedule: Schedule,
      options: { readonly limit: number; readonly audit?: Audit<[Schedule]> | undefined }
    ): Effect.Effect<void, ScheduleLimitReached>

    get(ref: ScheduleRef): Effect.Effect<Schedule, ScheduleNotFound>

    /** Newest first. A schedule counts with the bytes of its request; nothing after the end of the page is read. */
    list(accountId: AccountId, page: PageRequest): Effect.Effect<Page<Schedule>>

    /** Changes a schedule by a pure function, which is called with the schedule as it is locked. */
    change<E>(
      ref: ScheduleRef,
      options: {
        readonly change: (before: Schedule) => Result.Result<Schedule, E>
        readonly audit?: Audit<[before: Schedule, after: Schedule]> | undefined
      }
    ): Effect.Effect<Schedule, E | ScheduleNotFound>

    /**
     * Removes a schedule, unless a pure function refuses, which is called with the schedule as it is locked. The
     * executions that it has made stay.
     */
    remove<E = never>(
      ref: ScheduleRef,
      options?: {
        readonly check?: ((found: Schedule) => Result.Result<void, E>) | undefined
        readonly audit?: Audit<[Schedule]> | undefined
      }
    ): Effect.Effect<void, E | ScheduleNotFound>

    /** When the next schedule wakes: not after `at` if one has by now, null if none will. By the store's clock. */
    nextWakeAt(at: DateTime.Utc): Effect.Effect<DateTime.Utc | null>

    /**
     * Claims schedules that are awake by the store's clock, until a moment, when they wake again unless they were
     * fired. Of any number of processes one gets each. Accounts take turns among the thousand that woke first.
     */
    claimDue(options: {
      readonly at: DateTime.Utc
      readonly until: DateTime.Utc
      readonly limit: number
    }): Effect.Effect<ReadonlyArray<Schedule>>

    /**
     * Fires schedules: creates the execution and stores what the schedule becomes, together or not at all. A schedule
     * that has changed since it was claimed or read is left alone, and is not in the answer. The overlap policy is
     * judged in the same transaction, among the latest `overlapLookedAt` executions of the schedule; who fires a
     * schedule waits for others who do. Limits are those of `ExecutionStore.create`.
     */
    fire(firings: ReadonlyArray<Firing>): Effect.Effect<ReadonlyArray<Fired>>
  }
>()("@runhook/core/schedules/ScheduleStore") {}
