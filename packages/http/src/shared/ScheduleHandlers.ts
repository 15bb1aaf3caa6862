/** Schedules: what callers with a key, and members and operators of an account, do with them alike. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import {
  type NewScheduleBody,
  type ScheduleChangeBody,
  ScheduleItem,
  type TriggerScheduleBody
} from "@runhook/contract/wire/ScheduleWire"
import type { pageQuery } from "@runhook/contract/wire/Envelope"
import type { AccountId, ApiKeyId, ScheduleId } from "@runhook/core/domain/Ids"
import type { ApiKeyRecord, Capability } from "@runhook/core/domain/keys/ApiKeyRecord"
import type { InvalidField, MissingCapability } from "@runhook/core/domain/Refusals"
import { type Schedule, takesOver } from "@runhook/core/domain/schedule/Schedule"
import type { ApiKeyNotFound, ApiKeyStore } from "@runhook/core/ports/ApiKeyStore"
import { actingKey } from "@runhook/core/usecases/ActingKeys"
import { Schedules } from "@runhook/core/usecases/Schedules"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import type * as Schema from "effect/Schema"
import { visibilityOf } from "../admin/Visibility.ts"
import { callerWith } from "../authentication/CurrentCaller.ts"
import { writerOf } from "../encoding/JsonWriter.ts"
import { toApiError, toCreateError } from "../errors/ErrorTable.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { pageAnswer, pageRequest } from "../wire/Paging.ts"
import { scheduleItem, wantedChange, wantedSchedule } from "../wire/ScheduleToWire.ts"

type Item = typeof ScheduleItem.Type

/** Whose schedules a path is about, and which key an execution would be created by. */
interface Audience<Path, Naming, R> {
  accountOf(path: Path, capability: Capability): Effect.Effect<AccountId, MissingCapability, R>
  /** The key that a new schedule is for. */
  keyOf(
    path: Path,
    naming: Naming
  ): Effect.Effect<ApiKeyRecord, ApiKeyNotFound | InvalidField | MissingCapability, R>
  /** The key that takes a changed schedule over, if one does. */
  takerOf(
    path: Path,
    change: { readonly naming: Partial<Naming>; readonly isTaken: boolean }
  ): Effect.Effect<ApiKeyRecord | null, ApiKeyNotFound | InvalidField | MissingCapability, R>
  /** Whose request a trigger is, where it is a key's. */
  readonly callerOf: Effect.Effect<ApiKeyRecord | null, MissingCapability, R>
  /** Hides what the caller may not see. */
  visibleOf(accountId: AccountId): Effect.Effect<(item: Item) => Item, never, R>
}

interface Of<Path> {
  readonly params: Path
}

interface OfOne<Path> {
  readonly params: Path & { readonly id: ScheduleId }
}

const scheduleText = writerOf(ScheduleItem)

const scheduleHandlers = Effect.fnUntraced(function* <Path, Naming extends object, R>(
  who: Audience<Path, Naming, R>
) {
  const schedules = yield* Schedules

  const refOf = (params: OfOne<Path>["params"], capability: Capability) =>
    Effect.map(who.accountOf(params, capability), (accountId) => ({ accountId, id: params.id }))

  const shown = (schedule: Schedule) =>
    Effect.map(who.visibleOf(schedule.accountId), (visible) => visible(scheduleItem(schedule)))

  return {
    list: Effect.fnUntraced(function* ({
      params,
      query
    }: Of<Path> & { readonly query: Schema.Struct<typeof pageQuery>["Type"] }) {
      const accountId = yield* who.accountOf(params, "executions:read")
      const visible = yield* who.visibleOf(accountId)
      return yield* pageAnswer(pageRequest(query), {
        list: (page) => schedules.list(accountId, page),
        toWire: (schedule: Schedule) => visible(scheduleItem(schedule)),
        toText: scheduleText
      })
    }, toApiError),

    create: Effect.fnUntraced(function* ({
      params,
      payload
    }: Of<Path> & { readonly payload: Naming & typeof NewScheduleBody.Type }) {
      const key = yield* who.keyOf(params, payload)
      return yield* shown(yield* schedules.create(key, wantedSchedule(payload)))
    }, toCreateError),

    get: Effect.fnUntraced(function* ({ params }: OfOne<Path>) {
      return yield* shown(yield* schedules.get(yield* refOf(params, "executions:read")))
    }, toApiError),

    change: Effect.fnUntraced(function* ({
      params,
      payload
    }: OfOne<Path> & { readonly payload: Partial<Naming> & typeof ScheduleChangeBody.Type }) {
      const ref = yield* refOf(params, "executions:write")
      const wanted = wantedChange(payload)
      const taker = yield* who.takerOf(params, { naming: payload, isTaken: takesOver(wanted) })
      return yield* shown(yield* schedules.change(ref, wanted, taker))
    }, toCreateError),

    remove: Effect.fnUntraced(function* ({ params }: OfOne<Path>) {
      yield* schedules.remove(yield* refOf(params, "executions:write"))
    }, toApiError),

    trigger: Effect.fnUntraced(function* ({
      params,
      payload
    }: OfOne<Path> & { readonly payload: typeof TriggerScheduleBody.Type | null }) {
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
        accountOf: (_: object, capability) =>
          Effect.map(callerWith(capability), ({ accountId }) => accountId),
        keyOf: () => writer,
        takerOf: (_, { isTaken }) => (isTaken ? writer : Effect.succeed(null)),
        callerOf: writer,
        visibleOf: () => Effect.succeed(identity<Item>)
      })
    )
  })
)

export const AdminScheduleHandlers = handlersOf(
  AdminApi,
  "schedules",
  Effect.fnUntraced(function* (handle) {
    const keys = yield* Effect.context<ApiKeyStore>()
    const named = ({ account_id }: { readonly account_id: AccountId }, id: ApiKeyId) =>
      Effect.provide(actingKey(account_id, id), keys)
    return handle(
      yield* scheduleHandlers({
        accountOf: (path: { readonly account_id: AccountId }) => Effect.succeed(path.account_id),
        keyOf: (path, { key_id }: { readonly key_id: ApiKeyId }) => named(path, key_id),
        takerOf: (path, { naming }) =>
          naming.key_id === undefined ? Effect.succeed(null) : named(path, naming.key_id),
        callerOf: Effect.succeed(null),
        visibleOf: (accountId) =>
          Effect.map(visibilityOf(accountId), ({ callback }) => (item: Item) => ({
            ...item,
            execution: callback(item.execution)
          }))
      })
    )
  })
)
