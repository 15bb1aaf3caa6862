/** What integration callers and operators do with executions. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import {
  executionReleased,
  executionRemoved,
  executionRescheduled,
  executionStopped
} from "../audit/ActivityEvents.ts"
import type { CreateExecution, RerunVersion } from "./create/CreateExecution.ts"
import type { Execution } from "./Execution.ts"
import { isTerminal } from "./ExecutionStatus.ts"
import { checkTimes, type RescheduleRequest } from "./RescheduleRequest.ts"
import type { AccountId, ExecutionId, InAccount } from "../shared/Ids.ts"
import type { JsonObject } from "../shared/json/Json.ts"
import type { ApiKeyRecord } from "../keys/ApiKeyRecord.ts"
import { checkScope, type Scoped } from "../keys/KeyScope.ts"
import type { PageRequest } from "../shared/Page.ts"
import type { ExecutionNotFound } from "../shared/Refusals.ts"
import { type ExecutionFilter, ExecutionStore } from "./ExecutionStore.ts"
import type { Known } from "./history/HistoryStore.ts"
import { RunStore } from "../runs/RunStore.ts"
import { Signals } from "../signals/Signals.ts"
import { changedByOperator, changeOf, makeAnnounce } from "../signals/ChangeSignals.ts"
import type { WaitingKey } from "../engine/LongPoll.ts"
import { Pepper } from "../keys/sealing/Pepper.ts"
import { makeWatchedExecutions } from "./WatchedExecutions.ts"
import { audited, intervention } from "../audit/Audited.ts"
import { Admission } from "./create/Admission.ts"
import { type CreateCall, makeExecutionCreates } from "./create/ExecutionCreates.ts"
import { makeOrigins } from "./create/Origins.ts"
import { spanned, useCase } from "../engine/UseCase.ts"

/** Names one execution of an account. */
export type ExecutionRef = InAccount<ExecutionId>

/** Names one for a change. One that is out of scope is refused. */
export interface ChangedExecution extends ExecutionRef, Scoped {}

/** A request to run an execution again, and who made it. */
export interface RerunCall extends ChangedExecution, Omit<CreateCall, "request"> {
  readonly version: RerunVersion
  /** In place of the original ones. */
  readonly params: JsonObject | undefined
}

export class Executions extends Context.Service<Executions>()("@runhook/core/executions/Executions", {
  make: Effect.gen(function* () {
    const admission = yield* Admission
    const origins = yield* makeOrigins
    const runs = yield* RunStore
    const store = yield* ExecutionStore
    const { awaitLook } = yield* makeWatchedExecutions
    const signals = yield* Signals

    const announce = yield* makeAnnounce
    const { admit, queue } = yield* makeExecutionCreates

    /** Queues an execution, or finds the one that an equal request under the same idempotency key queued. */
    const create = flow(
      (call: CreateCall) => queue(call, origins.ofCreate(call.request)),
      spanned("Executions.create")
    )

    /** Queues the same work again, however the execution ended; checks all that `create` checks. */
    const rerun = useCase("Executions.rerun")(function* ({
      accountId,
      id,
      params,
      scope,
      version,
      ...call
    }: RerunCall) {
      const original = yield* store.get(accountId, id)
      yield* Effect.fromResult(checkScope({ scope }, original))
      const { origin, request } = yield* origins.ofRerun(original, { params, version })
      return yield* queue({ ...call, request }, origin)
    })

    /** Whether `create` would accept the request. Stores nothing. */
    const validate = useCase("Executions.validate")(function* (
      caller: ApiKeyRecord,
      request: CreateExecution
    ) {
      yield* admission.admit(caller, request)
    })

    const get = flow(({ accountId, id }: ExecutionRef) => store.get(accountId, id), spanned("Executions.get"))

    /**
     * The execution once it is finished or there is news, or as it is when the time is
     * up: `wait`, but at most `waitMax`. News is that it awaits input, unless the
     * caller defines it. The wait ends when its key does.
     */
    const awaitNews = <Shown, E = never>(
      ref: ExecutionRef,
      wait: Duration.Duration,
      {
        isNews = asksForInput,
        key,
        knows,
        show
      }: {
        /**
         * What to answer about it. Computed at each look, since a wait that a stop cuts
         * short reads nothing more.
         */
        readonly show: (execution: Execution) => Effect.Effect<Shown, ExecutionNotFound>
        readonly isNews?: ((execution: Execution, shown: Shown) => boolean) | undefined
        /** What else may be news than a change of the execution itself, and what is known of it. */
        readonly knows?: (shown: Shown) => Partial<Pick<Known, "artifacts" | "reportedAt">>
        readonly key: WaitingKey<E> | null
      }
    ) => {
      const look = Effect.gen(function* () {
        const { execution, revision } = yield* runs.get(ref)
        const found = yield* show(execution)
        return {
          found,
          isFinal: isTerminal(execution.status) || isNews(execution, found),
          knows: { after: revision, ...knows?.(found) }
        }
      })
      return awaitLook(ref, { key, wait, look }).pipe(spanned("Executions.awaitNews"))
    }

    const list = flow(
      (accountId: AccountId, filter: ExecutionFilter, page: PageRequest) =>
        store.list(accountId, filter, page),
      spanned("Executions.list")
    )

    /** A caller stops it (`aborted`), or an operator ends it (`cancelled`). A finished one stays as it is. */
    const stop = useCase("Executions.stop")(function* (
      options: ChangedExecution & { readonly to: "aborted" | "cancelled"; readonly reason: string | null }
    ) {
      const audit = yield* intervention(executionStopped)
      const change = yield* store.stop({ ...options, at: yield* DateTime.now, audit })
      yield* announce([change])
      return change
    })

    /** Changes when it may start, its priority, or by when it must have started, while no runner has it. */
    const reschedule = useCase("Executions.reschedule")(function* (
      ref: ChangedExecution,
      change: RescheduleRequest
    ) {
      const at = yield* DateTime.now
      const found = yield* store.get(ref.accountId, ref.id)
      yield* Effect.fromResult(checkScope(ref, found))
      yield* Effect.fromResult(checkTimes({ ...found, ...change }, { change, at }))
      const audit = yield* intervention(executionRescheduled)
      const moved = yield* store.reschedule({ ...ref, change, at, audit })
      yield* announce([moved])
      return moved.run.execution
    })

    /** Queues a held one; any other stays as it is. */
    const release = useCase("Executions.release")(function* (ref: ChangedExecution) {
      const audit = yield* intervention(executionReleased)
      const change = yield* store.release({ ...ref, at: yield* DateTime.now, audit })
      yield* announce([change])
      return change.run.execution
    })

    /** Removes a finished one with everything that belongs to it. The audit log keeps that it was there. */
    const remove = useCase("Executions.remove")(function* ({ accountId, id }: ExecutionRef) {
      yield* store.remove({ accountId, id, audit: yield* audited(executionRemoved) })
      yield* signals.notify([
        `execution:${id}`,
        ...changedByOperator(accountId, "execution", { id, state: "removed", isNew: false }),
        changeOf(accountId, "delivery", null)
      ])
    })

    return { create, admit, rerun, validate, get, awaitNews, list, stop, reschedule, release, remove }
  })
}) {
  static readonly layer = Layer.effect(Executions, Executions.make).pipe(Layer.provide(Pepper.layer))
}

const asksForInput = ({ status }: Execution): boolean => status === "awaiting_input"
