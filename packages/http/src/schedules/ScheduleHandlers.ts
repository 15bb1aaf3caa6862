/** Schedules: what callers with a key, and members and operators of an account, do with them alike. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import {
  type NewScheduleBody,
  type ScheduleChangeBody,
  ScheduleItem,
  type TriggerScheduleBody
} from "@runhook/contract/schedules/ScheduleWire"
import type { pageQuery } from "@runhook/contract/shared/Envelope"
import type { AccountId, ScheduleId } from "@runhook/core/shared/Ids"
import type { ApiKeyRecord, Capability } from "@runhook/core/keys/ApiKeyRecord"
import type { MissingCapability } from "@runhook/core/shared/Refusals"
import { type Schedule, takesOver } from "@runhook/core/schedules/Schedule"
import { Schedules } from "@runhook/core/schedules/Schedules"
import * as Effect from "effect/Effect"
import { callerWith } from "../authentication/CurrentCaller.ts"
import { writerOf } from "../encoding/JsonWriter.ts"
import { toApiError, toCreateError } from "../errors/ErrorTable.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { pageAnswer, pageRequest } from "../shared/Paging.ts"
import { scheduleItem, wantedChange, wantedSchedule } from "./ScheduleToWire.ts"
import {
  type Audience,
  keyHolder,
  makeMembers,
  type Of,
  type OfOne,
  type Queried,
  type Sent
} from "../shared/Audience.ts"

/** Whom an execution that is asked for besides the due times belongs to. */
interface ScheduleAudience<Path, Naming, R> extends Audience<Path, Naming, R> {
  /** The key that takes a changed schedule over, if one does. */
  takerOf(
    path: Path,
    change: { readonly naming: Partial<Naming>; readonly isTaken: boolean }
  ): ReturnType<Audience<Path, Naming, R>["keyOf"]> | Effect.Effect<null>
  /** Whose request a trigger is, where it is a key's. */
  readonly callerOf: Effect.Effect<ApiKeyRecord | null, MissingCapability, R>
}

type OfSchedule<Path> = OfOne<Path, ScheduleId>

const scheduleText = writerOf(ScheduleItem)

const scheduleHandlers = Effect.fnUntraced(function* <Path, Naming extends object, R>(
  who: ScheduleAudience<Path, Naming, R>
) {
  const schedules = yield* Schedules

  const refOf = (params: OfSchedule<Path>["params"], capability: Capability) =>
    Effect.map(who.ownerOf(params, capability), ({ accountId, scope }) => ({
      accountId,
      scope,
      id: params.id
    }))

  /** Hides what the caller may not see. */
  const showing = (accountId: AccountId) =>
    Effect.map(who.visibilityOf(accountId), ({ callback }) => (schedule: Schedule) => {
      const item = scheduleItem(schedule)
      return { ...item, execution: callback(item.execution) }
    })

  const shown = (schedule: Schedule) => Effect.map(showing(schedule.accountId), (show) => show(schedule))

  return {
    list: Effect.fnUntraced(function* ({ params, query }: Of<Path> & Queried<typeof pageQuery>) {
      const { accountId } = yield* who.ownerOf(params, "executions:read")
      return yield* pageAnswer(pageRequest(query), {
        list: (page) => schedules.list(accountId, page),
        toWire: yield* showing(accountId),
        toText: scheduleText
      })
    }, toApiError),

    create: Effect.fnUntraced(function* ({
      params,
      payload
    }: Of<Path> & Sent<typeof NewScheduleBody, Naming>) {
      const key = yield* who.keyOf(params, payload)
      return yield* shown(yield* schedules.create(key, wantedSchedule(payload)))
    }, toCreateError),

    get: Effect.fnUntraced(function* ({ params }: OfSchedule<Path>) {
      return yield* shown(yield* schedules.get(yield* refOf(params, "executions:read")))
    }, toApiError),

    change: Effect.fnUntraced(function* ({
      params,
      payload
    }: OfSchedule<Path> & Sent<typeof ScheduleChangeBody, Partial<Naming>>) {
      const ref = yield* refOf(params, "executions:write")
      const wanted = wantedChange(payload)
      const isTaken = takesOver(yield* schedules.get(ref), wanted)
      const taker = yield* who.takerOf(params, { naming: payload, isTaken })
      return yield* shown(yield* schedules.change(ref, wanted, taker))
    }, toCreateError),

    remove: Effect.fnUntraced(function* ({ params }: OfSchedule<Path>) {
      yield* schedules.remove(yield* refOf(params, "executions:write"))
    }, toApiError),

    trigger: Effect.fnUntraced(function* ({
      params,
      payload
    }: OfSchedule<Path> & { readonly payload: typeof TriggerScheduleBody.Type | null }) {
      const ref = yield* refOf(params, "executions:write")
      const caller = yield* who.callerOf
      const requestId = yield* CurrentRequestId
      const { id, status } = yield* schedules.trigger(ref, { caller, requestId, params: payload?.params })
      return { schedule_id: ref.id, execution_id: id, status }
    }, toCreateError)
  }
})

export const ScheduleHandlers = handlersOf(
  IntegrationApi,
  "schedules",
  Effect.fnUntraced(function* (handle) {
    const writer = callerWith("executions:write")
    return handle(
      yield* scheduleHandlers({
        ...keyHolder,
        takerOf: (_, { isTaken }) => (isTaken ? writer : Effect.succeed(null)),
        callerOf: writer
      })
    )
  })
)

export const AdminScheduleHandlers = handlersOf(
  AdminApi,
  "schedules",
  Effect.fnUntraced(function* (handle) {
    const members = yield* makeMembers
    return handle(
      yield* scheduleHandlers({
        ...members,
        takerOf: (path, { naming: { key_id } }) =>
          key_id === undefined ? Effect.succeed(null) : members.keyOf(path, { key_id }),
        callerOf: Effect.succeed(null)
      })
    )
  })
)
