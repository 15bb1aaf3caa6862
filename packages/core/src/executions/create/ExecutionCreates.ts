/** Queues executions, once for each idempotency key. */
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { flow } from "effect/Function"
import { executionCreated } from "../../audit/ActivityEvents.ts"
import { type CreateExecution, newExecution } from "./CreateExecution.ts"
import type { Execution } from "../Execution.ts"
import { ExecutionId, instantOf } from "../../shared/Ids.ts"
import type { ApiKeyRecord } from "../../keys/ApiKeyRecord.ts"
import { traceparentIn } from "../Traceparent.ts"
import { ExecutionStore } from "../ExecutionStore.ts"
import { makeAnnounce } from "../../signals/ChangeSignals.ts"
import { isRefusable } from "./InOrder.ts"
import { ExecutionLimits } from "../../Settings.ts"
import { Admission, type Admitted } from "./Admission.ts"
import { intervention } from "../../audit/Audited.ts"
import { Unauthorized } from "../../keys/Authentication.ts"
import { makeLimitsOfAccounts } from "../../accounts/LimitsOfAccounts.ts"
import { makeOrigins, type Origin } from "./Origins.ts"
import { spanned } from "../../engine/UseCase.ts"

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

/** What a create answers. */
export interface Queued {
  readonly execution: Execution
  /** Whether an earlier request under the same idempotency key had queued it. */
  readonly isDuplicate: boolean
}

export const makeExecutionCreates = Effect.gen(function* () {
  const admission = yield* Admission
  const origins = yield* makeOrigins
  const store = yield* ExecutionStore
  const limits = yield* ExecutionLimits
  const limitsOf = yield* makeLimitsOfAccounts
  const random = yield* SecureRandom
  const announce = yield* makeAnnounce

  // Fetched by hand: providing a service far below a request copies the whole context.
  const nextId = Effect.map(random.uuidV7(), (id) => ExecutionId.make(id))
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
            execution === undefined ? Effect.fail(refusal) : Effect.succeed({ execution, isDuplicate: true })
          )
        )
      )

  const queue = (call: CreateCall, origin: Origin) =>
    Effect.flatMap(admission.admit(call.caller, call.request, origin.secretAt), (admitted) =>
      Effect.flatMap(prepare(admitted, call, origin), storeNew)
    ).pipe(orDuplicate(call, origin))

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

  return { admit, queue }
})
