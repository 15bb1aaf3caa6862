/** The execution that a due time of a schedule creates, by the same checks as a create of the schedule's key. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { type CreateExecution, newExecution } from "../executions/create/CreateExecution.ts"
import { ExecutionId, instantOf, makeIds } from "../shared/Ids.ts"
import { isCapable, isUsable } from "../keys/ApiKeyRecord.ts"
import { MissingCapability } from "../shared/Refusals.ts"
import type { Came, Schedule } from "./Schedule.ts"
import { requestIn } from "./ScheduledRequest.ts"
import { ApiKeyStore } from "../keys/ApiKeyStore.ts"
import type { TooManyChecks } from "../executions/params/ParamsValidator.ts"
import type { ScheduledCreate } from "./ScheduleStore.ts"
import { Admission } from "../executions/create/Admission.ts"
import { makeLimitsOfAccounts } from "../accounts/LimitsOfAccounts.ts"
import { makeParamSecrets } from "../executions/params/ParamSecrets.ts"
import { encodeRefusal, KeyUnusable, type ScheduleRefusal } from "./ScheduleRefusals.ts"

interface ScheduledCreateOptions {
  readonly requestId: string
  /** In place of that of the schedule. */
  readonly request?: CreateExecution | undefined
}

export const makeScheduledCreates = Effect.gen(function* () {
  const admission = yield* Admission
  const keys = yield* ApiKeyStore
  const limitsOf = yield* makeLimitsOfAccounts
  const newId = yield* makeIds
  const secrets = yield* makeParamSecrets

  /** The key of a schedule, if it may still create executions. */
  const keyOf = Effect.fnUntraced(function* ({ accountId, apiKeyId: id }: Schedule) {
    const key = yield* keys
      .get(accountId, id)
      .pipe(Effect.mapError(() => new KeyUnusable({ id, reason: "removed" })))
    if (key.revokedAt !== null) return yield* new KeyUnusable({ id, reason: "revoked" })
    if (!isUsable(key, yield* DateTime.now)) return yield* new KeyUnusable({ id, reason: "expired" })
    if (isCapable(key, "executions:write")) return key
    return yield* new MissingCapability({ capability: "executions:write" })
  })

  /** The execution of a schedule, as its key may create it now. */
  const wanted = Effect.fnUntraced(function* (
    schedule: Schedule,
    { request = requestIn(schedule.request), requestId }: ScheduledCreateOptions
  ) {
    const caller = yield* keyOf(schedule)
    const admitted = yield* admission.admit(caller, request)
    const id = yield* newId(ExecutionId)
    const create: ScheduledCreate = {
      execution: newExecution({
        ...admitted,
        sealedParams: yield* secrets.sealFor(id, admitted.secrets),
        id,
        caller,
        requestId,
        rerunOf: null,
        scheduleId: schedule.id,
        traceparent: null,
        at: instantOf(id)
      }),
      accountMaxLive: (yield* limitsOf(schedule.accountId)).maxLive,
      keyMaxLive: caller.maxLive,
      refused: encodeRefusal
    }
    return create
  })

  /** The same, or the refusal as the schedule keeps it. Only a check for which there is no room is tried again. */
  const wantedOrRefused = (
    schedule: Schedule,
    requestId: string
  ): Effect.Effect<ScheduledCreate | Came, TooManyChecks> =>
    wanted(schedule, { requestId }).pipe(
      Effect.catch((error) =>
        error._tag === "TooManyChecks" ? Effect.fail(error) : Effect.succeed(refusal(error))
      )
    )

  return { keyOf, wanted, wantedOrRefused }
})

const refusal = (error: ScheduleRefusal): Came => ({
  outcome: "refused",
  error: encodeRefusal(error),
  isLast: error._tag === "KeyUnusable"
})
