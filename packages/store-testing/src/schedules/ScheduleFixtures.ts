/** Schedules of a tenant, and how they are fired. */
import type { Execution } from "@runhook/core/executions/Execution"
import { ScheduleId } from "@runhook/core/shared/Ids"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import { afterDue, dueAfter, type Came, newSchedule, type Schedule } from "@runhook/core/schedules/Schedule"
import type { Firing, ScheduledCreate } from "@runhook/core/schedules/ScheduleStore"
import { ScheduleStore } from "@runhook/core/schedules/ScheduleStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { idAt, newExecution, plenty, second, type Tenant } from "../Fixtures.ts"

/** A schedule of every minute that is not stored yet; its first due time is a minute into the test. */
export const makeNewSchedule = Effect.fnUntraced(function* (
  { accountId, apiKeyId }: Pick<Tenant, "accountId" | "apiKeyId">,
  fields: Partial<Schedule> = {}
) {
  const schedule = newSchedule({
    id: yield* idAt(ScheduleId, fields.createdAt ?? second(0)),
    accountId,
    apiKeyId,
    name: "Invoices of the night",
    cron: null,
    timeZone: null,
    everySeconds: 60,
    startsAt: null,
    endsAt: null,
    overlap: "allow",
    missed: "last",
    jitterSeconds: 0,
    isEnabled: true,
    request: StoredJson.of({ params: { "zu löschen": 'ein "Wort"' } }),
    createdAt: second(0),
    ...fields
  })
  return { ...schedule, ...fields }
})

/** The same, stored. */
export const makeSchedule = Effect.fnUntraced(function* (tenant: Tenant, fields: Partial<Schedule> = {}) {
  const schedule = yield* makeNewSchedule(tenant, fields)
  yield* Effect.orDie(ScheduleStore.use((store) => store.create(schedule, { limit: plenty })))
  return schedule
})

/** The execution that a due time asks for. */
export const created = (execution: Execution, limits: Partial<ScheduledCreate> = {}): ScheduledCreate => ({
  execution,
  accountMaxLive: plenty,
  keyMaxLive: null,
  refused: (error) => {
    switch (error._tag) {
      case "AccountNotFound":
        return { account: error.id }
      case "ConcurrencyLimitReached":
        return { limit: error.limit, scope: error.scope }
      case "NoSeatLeft":
        return { limit: error.limit }
    }
  },
  ...limits
})

/** Fires a schedule at its next due time. */
export const firing = (schedule: Schedule, wanted: Came | ScheduledCreate): Firing => {
  const due = schedule.nextAt ?? second(0)
  return {
    schedule,
    at: due,
    wanted,
    becomes: (came) => afterDue(schedule, { came, due, nextAt: dueAfter(schedule, due) })
  }
}

/** The execution of a schedule at its next due time. */
export const executionOf = (tenant: Tenant, schedule: Schedule, fields: Partial<Execution> = {}) =>
  newExecution(tenant, { scheduleId: schedule.id, createdAt: schedule.nextAt ?? second(0), ...fields })

/** Fires it with an execution at its next due time. */
export const fireOnce = Effect.fnUntraced(function* (
  tenant: Tenant,
  schedule: Schedule,
  fields: Partial<Execution> = {}
) {
  const store = yield* ScheduleStore
  const execution = yield* executionOf(tenant, schedule, fields)
  const [fired] = yield* store.fire([firing(schedule, created(execution))])
  return fired ?? (yield* Effect.die(new Error("The schedule was not fired")))
})

/** A minute of the test. */
export const minute = (count: number): DateTime.Utc => second(count * 60)
