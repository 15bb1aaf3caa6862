/**
 * Keeps executions, as their callers see them. A change stores the status, the
 * event and its delivery together, or nothing.
 *
 * Processes may disagree on the time. `at` is what the caller takes for now, here
 * and in the other stores. A store shared by several processes has its own clock:
 * it takes moments that callers count from now (the end of a lease, a delay) by
 * their distance from `at`. The times of one execution never go back: a move is not
 * earlier than the move before it.
 */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type { Audit, Audited } from "../audit/AuditEntry.ts"
import type { Execution, ListedExecution } from "./Execution.ts"
import type { ExecutionStatus } from "./ExecutionStatus.ts"
import type { NotWaiting, RescheduleRequest } from "./RescheduleRequest.ts"
import type {
  AccountId,
  AgentId,
  ApiKeyId,
  ExecutionId,
  InAccount,
  InputId,
  ScheduleId,
  TaskId
} from "../shared/Ids.ts"
import type { Json } from "../shared/json/Json.ts"
import type { Scoped } from "../keys/KeyScope.ts"
import type { Page, PageRequest } from "../shared/Page.ts"
import type { InputClosed, InputNotFound } from "../runs/InputMoves.ts"
import type {
  AccountNotFound,
  ConcurrencyLimitReached,
  ExecutionNotFound,
  IdempotencyConflict,
  NoSeatLeft,
  NotRemovable,
  OutOfScope
} from "../shared/Refusals.ts"
import type { InputRequest } from "../runs/InputRequest.ts"
import type { Change } from "../runs/Run.ts"

/** How a create recognizes its duplicates. Idempotency keys are private to their API key. */
export interface Idempotency {
  readonly key: string
  /** Made from the request. Two are compared by `isRepeat`. */
  readonly fingerprint: string
  readonly expiresAt: DateTime.Utc
}

/** Which executions a list wants; null means any. */
export interface ExecutionFilter {
  readonly statuses: ReadonlyArray<ExecutionStatus> | null
  readonly taskId: TaskId | null
  readonly agentId: AgentId | null
  readonly reference: string | null
  readonly scheduleId: ScheduleId | null
  /** The beginning of its id, of eight digits at least, or of its reference. At most `foundMax` of each are looked at. */
  readonly find: string | null
  /** Created at or after. */
  readonly from: DateTime.Utc | null
  /** Created at or before. */
  readonly to: DateTime.Utc | null
}

/** Who changes an execution, and when. One that is out of their scope stays as it is. */
type Changing = InAccount<ExecutionId> & Scoped & Audited<[moved: Execution]>

export class ExecutionStore extends Context.Service<
  ExecutionStore,
  {
    /**
     * Stores a new execution, queued or held. If its idempotency key has made one
     * before, answers that one. Of any number of equal creates at once, exactly one
     * stores. Nothing is stored in an account that was removed, in whatever process.
     * Limits count unfinished executions. One whose policy is `reject` is not
     * stored while its key has no seat for it, beside those that wait for one.
     *
     * Creates of an account that begin one after the other are decided in that order, but for those with the policy
     * `reject`: `createInOrder` makes them wait.
     */
    create(options: {
      readonly execution: Execution
      readonly idempotency: Idempotency | null
      readonly accountMaxLive: number
      readonly keyMaxLive: number | null
      readonly audit?: Audit<[created: Execution]> | undefined
    }): Effect.Effect<
      { readonly change: Change; readonly isDuplicate: boolean },
      AccountNotFound | IdempotencyConflict | ConcurrencyLimitReached | NoSeatLeft
    >

    /** The execution that an unexpired idempotency key made, if any. */
    findDuplicate(options: {
      readonly accountId: AccountId
      readonly apiKeyId: ApiKeyId
      readonly key: string
      readonly fingerprint: string
      readonly at: DateTime.Utc
    }): Effect.Effect<Execution | undefined, IdempotencyConflict>

    get(accountId: AccountId, id: ExecutionId): Effect.Effect<Execution, ExecutionNotFound>

    /** Newest first. An execution counts as `executionBytes`; nothing after the end of the page is read. */
    list(
      accountId: AccountId,
      filter: ExecutionFilter,
      page: PageRequest
    ): Effect.Effect<Page<ListedExecution>>

    /**
     * Stops an execution, regardless of its runner. If two stop it at once, one wins; a
     * finished one stays as it is. With `since` it counts as stopped then, unless it has changed after that.
     */
    stop(
      options: Changing & {
        readonly to: "aborted" | "cancelled"
        readonly reason: string | null
        readonly since?: DateTime.Utc
      }
    ): Effect.Effect<Change, ExecutionNotFound | OutOfScope>

    /** Queues a held execution; any other stays as it is. */
    release(options: Changing): Effect.Effect<Change, ExecutionNotFound | OutOfScope>

    /**
     * Removes an execution that has ended, if no callback of it is pending, with all that
     * is its: request, history, result, callbacks, idempotency key, and artifacts, whose
     * files are left over then (`SweepStore.leftOvers`).
     */
    remove(
      options: InAccount<ExecutionId> & {
        readonly audit?: Audit<[removed: Execution]> | undefined
      }
    ): Effect.Effect<void, ExecutionNotFound | NotRemovable>

    /** Changes an execution's place in the queue, while no runner has it. */
    reschedule(
      options: Changing & { readonly change: RescheduleRequest }
    ): Effect.Effect<Change, ExecutionNotFound | NotWaiting | OutOfScope>

    /** The questions the execution asked, oldest first. */
    inputs(
      accountId: AccountId,
      id: ExecutionId
    ): Effect.Effect<ReadonlyArray<InputRequest>, ExecutionNotFound>

    /** Answers a question. If two answer at once, one wins. */
    answer(
      options: Changing & { readonly inputId: InputId; readonly value: Json }
    ): Effect.Effect<Change, ExecutionNotFound | InputNotFound | InputClosed | OutOfScope>
  }
>()("@runhook/core/executions/ExecutionStore") {}
