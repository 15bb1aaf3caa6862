/** Schedules between the wire and the domain. */
import {
  type NewScheduleBody,
  type ScheduleChangeBody,
  ScheduleItem
} from "@runhook/contract/schedules/ScheduleWire"
import { nextDueTimes, type Schedule } from "@runhook/core/schedules/Schedule"
import { requestIn } from "@runhook/core/schedules/ScheduledRequest"
import { decodeRefusal } from "@runhook/core/schedules/ScheduleRefusals"
import type { WantedChange, WantedSchedule } from "@runhook/core/schedules/Schedules"
import { refusedCreate } from "../errors/ErrorTable.ts"
import { createExecution, scheduledExecution } from "../executions/CreateFromWire.ts"
import { inDomainNames, showing } from "../shared/Names.ts"

/** Due times that are shown. */
const shownMax = 5

export const wantedSchedule = (body: typeof NewScheduleBody.Type): WantedSchedule => ({
  name: body.name,
  cron: body.cron ?? null,
  timeZone: body.time_zone ?? null,
  everySeconds: body.every_seconds ?? null,
  startsAt: body.starts_at ?? null,
  endsAt: body.ends_at ?? null,
  overlap: body.overlap ?? "allow",
  missed: body.missed ?? "last",
  jitterSeconds: body.jitter_seconds ?? 0,
  isEnabled: body.enabled ?? true,
  request: createExecution(body.execution)
})

/** What the body gives. One kind of times takes the place of the other. */
export const wantedChange = ({
  cron = null,
  enabled,
  every_seconds: everySeconds = null,
  execution,
  time_zone: timeZone = null,
  ...body
}: typeof ScheduleChangeBody.Type): WantedChange => ({
  ...inDomainNames(body),
  ...(everySeconds !== null && { everySeconds, ...(cron === null && { cron, timeZone: null }) }),
  ...(cron !== null && { cron, ...(everySeconds === null && { everySeconds }) }),
  ...(timeZone !== null && { timeZone }),
  ...(enabled !== undefined && { isEnabled: enabled }),
  ...(execution !== undefined && { request: createExecution(execution) })
})

const lastOf = ({
  lastAt,
  lastError,
  lastExecutionId,
  lastOutcome
}: Schedule): (typeof ScheduleItem.Type)["last"] =>
  lastAt === null || lastOutcome === null
    ? null
    : {
        at: lastAt,
        execution_id: lastExecutionId,
        outcome: lastOutcome,
        error: lastError && refusedCreate(decodeRefusal(lastError))
      }

export const scheduleItem = showing(ScheduleItem)<Schedule>({
  key_id: ({ apiKeyId }) => apiKeyId,
  enabled: ({ isEnabled }) => isEnabled,
  execution: ({ request }) => scheduledExecution(requestIn(request)),
  next_at: (schedule) => nextDueTimes(schedule, shownMax),
  last: lastOf
})
