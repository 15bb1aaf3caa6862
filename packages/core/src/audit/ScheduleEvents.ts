/** Audit events of schedules. What a schedule asks for may be large and private: only that it changed is told. */
import type { JsonObject } from "../shared/json/Json.ts"
import type { Came, Schedule } from "../schedules/Schedule.ts"
import { about, changed, event, textOf } from "./AuditedChange.ts"
import type { AuditEvent } from "./AuditEntry.ts"

export const scheduleCreated = (schedule: Schedule): AuditEvent =>
  event(ofSchedule(schedule), "schedule.created", stateOf(schedule))

export const scheduleUpdated = (before: Schedule, after: Schedule): AuditEvent | undefined => {
  const isOther = before.request.text !== after.request.text
  return changed(
    ofSchedule(after),
    "schedule.updated",
    { ...stateOf(before), ...(isOther && { execution: "before" }) },
    { ...stateOf(after), ...(isOther && { execution: "changed" }) }
  )
}

export const scheduleTriggered = (schedule: Schedule, came: Came): AuditEvent | undefined =>
  came.outcome === "created"
    ? event(ofSchedule(schedule), "schedule.triggered", { execution_id: came.executionId })
    : undefined

export const scheduleRemoved = (schedule: Schedule): AuditEvent =>
  event(ofSchedule(schedule), "schedule.removed", null, stateOf(schedule))

const ofSchedule = ({ accountId, id, name }: Schedule) => about(accountId, { kind: "schedule", id, name })

const stateOf = (schedule: Schedule): JsonObject => ({
  name: schedule.name,
  key_id: schedule.apiKeyId,
  cron: schedule.cron,
  time_zone: schedule.timeZone,
  every_seconds: schedule.everySeconds,
  starts_at: textOf(schedule.startsAt),
  ends_at: textOf(schedule.endsAt),
  overlap: schedule.overlap,
  missed: schedule.missed,
  jitter_seconds: schedule.jitterSeconds,
  enabled: schedule.isEnabled
})
