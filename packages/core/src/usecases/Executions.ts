/** What integration callers and operators do with executions. */
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import {
  executionCreated,
  executionReleased,
  executionRemoved,
  executionRescheduled,
  executionStopped
} from "../domain/audit/ActivityEvents.ts"
import { type CreateExecution, newExecution, type RerunVersion } from "../domain/execution/CreateExecution.ts"
import type { Execution } from "../domain/execution/Execution.ts"
import { isTerminal } from "../domain/execution/ExecutionStatus.ts"
import { checkTimes, type RescheduleRequest } from "../domain/execution/RescheduleRequest.ts"
import { type AccountId, ExecutionId, type InAccount, instantOf } from "../domain/Ids.ts"
import type { JsonObject } from "../domain/json/Json.ts"
import type { ApiKeyRecord } from "../domain/keys/ApiKeyRecord.ts"
import { checkScope, type Scoped } from "../domain/keys/KeyScope.ts"
import type { PageRequest } from "../domain/Page.ts"
import { traceparentIn } from "../domain/trace/Traceparent.ts"
import { type ExecutionFilter, type ExecutionNotFound, ExecutionStore } from "../ports/ExecutionStore.ts"
import type { Known } from "../ports/HistoryStore.ts"
import { RunStore } from "../ports/RunStore.ts"
import { Signals } from "../ports/Signals.ts"
import { changedByOperator, changeOf, makeAnnounce } from "../runtime/ChangeSignals.ts"
import { isRefusable } from "../runtime/InOrder.ts"
import type { WaitingKey } from "../runtime/LongPoll.ts"
import { Pepper } from "../runtime/Pepper.ts"
import { makeWatchedExecutions } from "../runtime/WatchedExecutions.ts"
import { ExecutionLimits } from "../Settings.ts"
import { audited, intervention } from "./Audited.ts"
import { makeLimitsOfAccounts } from "./LimitsOfAccounts.ts"
import { Admission, type Admitted } from "./Admission.ts"
import { makeOrigins, type Origin } from "./Origins.ts"
import { Unauthorized } from "./Authentication.ts"
import { spanned, useCase } from "./UseCase.ts"

/** Names one execution of an account. */
export type ExecutionRef = InAccount<ExecutionId>

/** Names one for a change. One that is out of scope is refused. */
export interface ChangedExecution extends ExecutionRef, Scoped {}

/** A request to queue an execution, and who made it. */
export interface CreateCall {
  readonly caller: ApiKeyRecord
  readonly request: CreateExecution
  readonly idempotencyKey: string | undefined
  readonly requestId: string
  /**
   * Where the request belongs in its caller's trace, by the header of W3C Trace Context. A repeat under the same
   * idempotency key changes nothing about it.
   */
  readonly traceparent?: string | null
}

/** A request to run an execution again, and who made it. */
export interface RerunCall extends ChangedExecution, Omit<CreateCall, "request"> {
  readonly version: RerunVersion
  /** In place of the original ones. */
  readonly params: JsonObject | undefined
}

/** What a create answers. */
export interface Queued {
  readonly execution: Execution
  /** Whether an earlier request under the same idempotency key had queued it. */
  readonly isDuplicate: boolean
}

export class Executions extends Context.Service<Executions>()("@runhook/core/usecases/Executions", {
  make: Effect.gen(function* () {
    const admission = yield* Admission
    const origins = yield* makeOrigins
    const runs = yield* RunStore
    const store = yield* ExecutionStore
    const { awaitLook } = yield* makeWatchedExecutions
    const limits = yield* ExecutionLimits
    const limitsOf = yield* makeLimitsOfAccounts
    const random = yield* SecureRandom
    const signals = yield* Signals

    // Fetched by hand: providing a service far below a request copies the whole context.
    const nextId = Effect.map(random.uuidV7(), (id) => ExecutionId.make(id))
    const announce = yield* makeAnnounce

    /** What is to be stored. Executions that are prepared one after the other have rising ids. */
    const prepare = Effect.fnUntraced(function* (admitted: Admitted, call: CreateCall, origin: Origin) {
      const { fingerprint, rerunOf } = origin
      const { caller, idempotencyKey, requestId } = call
      const id = yield* nextId
      const at = instantOf(id)
      return {
        execution: newExecution({
          ...admitted,
          sealedParams: yield* origins.sealFor(id, admitted.secrets, origin),
          id,
          caller,
          requestId,
          rerunOf,
          scheduleId: null,
          traceparent: traceparentIn(call.traceparent ?? undefined),
          at
        }),
        idempotency:
          idempotencyKey === undefined
            ? null
            : {
                key: idempotencyKey,
                fingerprint: fingerprint(),
                expiresAt: DateTime.addDuration(at, limits.idempotencyLifetime)
              },
        accountMaxLive: (yield* limitsOf(caller.accountId)).maxLive,
        keyMaxLive: caller.maxLive,
        audit: yield* intervention(executionCreated)
      }
    })

    const storeNew = Effect.fnUntraced(function* (prepared: Effect.Success<ReturnType<typeof prepare>>) {
      const { change, isDuplicate } = yield* store
        .create(prepared)
        // As it is with its next request.
        .pipe(Effect.catchTag("AccountNotFound", () => new Unauthorized()))
      yield* announce([change])
      return { execution: change.run.execution, isDuplicate }
    })

    // A duplicate is answered even if what made the first request acceptable is gone by now.
    const findDuplicate = Effect.fnUntraced(function* (
      { caller, idempotencyKey }: CreateCall,
      { fingerprint }: Origin
    ) {
      if (idempotencyKey === undefined) return undefined
      return yield* store.findDuplicate({
        accountId: caller.accountId,
        apiKeyId: caller.id,
        key: idempotencyKey,
        fingerprint: fingerprint(),
        at: yield* DateTime.now
      })
    })

    const orDuplicate =
      (call: CreateCall, origin: Origin) =>
      <E, R>(queued: Effect.Effect<Queued, E, R>) =>
        queued.pipe(
          Effect.catch((refusal) =>
            Effect.flatMap(findDuplicate(call, origin), (execution) =>
              execution === undefined
                ? Effect.fail(refusal)
                : Effect.succeed({ execution, isDuplicate: true })
            )
          )
        )

    const queue = (call: CreateCall, origin: Origin) =>
      Effect.flatMap(admission.admit(call.caller, call.request, origin.secretAt), (admitted) =>
        Effect.flatMap(prepare(admitted, call, origin), storeNew)
      ).pipe(orDuplicate(call, origin))

    /** Queues an execution, or finds the one that an equal request under the same idempotency key queued. */
    const create = flow(
      (call: CreateCall) => queue(call, origins.ofCreate(call.request)),
      spanned("Executions.create")
    )

    /**
     * Admits what `create` would queue. The answer of the effect stores it: so what is admitted one after the other can be
     * stored together, by `createInOrder`.
     */
    const admit = flow((call: CreateCall) => {
      const origin = origins.ofCreate(call.request)
      const preparing = Effect.flatMap(admission.admit(call.caller, call.request), (admitted) =>
        prepare(admitted, call, origin)
      )
      return Effect.map(Effect.exit(preparing), (prepared) => ({
        isRefusable: Exit.isSuccess(prepared) && isRefusable(prepared.value.execution),
        create: Effect.flatMap(prepared, storeNew).pipe(orDuplicate(call, origin))
      }))
    }, spanned("Executions.admit"))

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
