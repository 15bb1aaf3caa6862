/** Schedules of a tenant, over the use cases. */
import type { CreateExecution } from "@runhook/core/executions/create/CreateExecution"
import type { Schedule } from "@runhook/core/schedules/Schedule"
import { Schedules, type WantedSchedule } from "@runhook/core/schedules/Schedules"
import { newRequest, type Tenant } from "@runhook/test-support/engine/Tenant"
import * as Effect from "effect/Effect"

export const wantedSchedule = (
  tenant: Pick<Tenant, "agent" | "task">,
  fields: Partial<WantedSchedule> = {},
  request: Partial<CreateExecution> = {}
): WantedSchedule => ({
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
  request: newRequest(tenant, request),
  ...fields
})

/** A schedule of every minute. */
export const makeSchedule = Effect.fnUntraced(function* (
  tenant: Tenant,
  fields: Partial<WantedSchedule> = {},
  request: Partial<CreateExecution> = {}
) {
  return yield* (yield* Schedules).create(tenant.caller, wantedSchedule(tenant, fields, request))
})

/** The schedule as it is now. */
export const currentSchedule = Effect.fnUntraced(function* ({ accountId, id }: Schedule) {
  return yield* (yield* Schedules).get({ accountId, id })
})
