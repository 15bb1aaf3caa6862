/** The row of a schedule. */
import { Schedule } from "@runhook/core/domain/schedule/Schedule"
import { columnsOf, rowTable } from "../rows/RowTable.ts"
import { boolean, integer, json, text, timestamptz, uuid } from "../sql/Parameters.ts"

/** Columns of a schedule `s`. */
export const scheduleColumns = columnsOf(Schedule, "s.", { request: "s.request::text" })

export const scheduleTable = rowTable(scheduleColumns, Schedule)

export const key = {
  account_id: uuid(({ accountId }: Schedule) => accountId),
  id: uuid(({ id }: Schedule) => id)
}

/** What a due time changes. */
export const state = {
  is_enabled: boolean(({ isEnabled }: Schedule) => isEnabled),
  next_at: timestamptz(({ nextAt }: Schedule) => nextAt),
  wake_at: timestamptz(({ wakeAt }: Schedule) => wakeAt),
  last_at: timestamptz(({ lastAt }: Schedule) => lastAt),
  last_outcome: text(({ lastOutcome }: Schedule) => lastOutcome),
  last_execution_id: uuid(({ lastExecutionId }: Schedule) => lastExecutionId),
  last_error: json(({ lastError }: Schedule) => lastError && JSON.stringify(lastError)),
  revision: integer(({ revision }: Schedule) => revision)
}

/** What people change as well. */
export const rest = {
  api_key_id: uuid(({ apiKeyId }: Schedule) => apiKeyId),
  name: text(({ name }: Schedule) => name),
  cron: text(({ cron }: Schedule) => cron),
  time_zone: text(({ timeZone }: Schedule) => timeZone),
  every_seconds: integer(({ everySeconds }: Schedule) => everySeconds),
  anchor_at: timestamptz(({ anchorAt }: Schedule) => anchorAt),
  starts_at: timestamptz(({ startsAt }: Schedule) => startsAt),
  ends_at: timestamptz(({ endsAt }: Schedule) => endsAt),
  overlap: text(({ overlap }: Schedule) => overlap),
  missed: text(({ missed }: Schedule) => missed),
  jitter_seconds: integer(({ jitterSeconds }: Schedule) => jitterSeconds),
  request: json(({ request }: Schedule) => request.text),
  created_at: timestamptz(({ createdAt }: Schedule) => createdAt),
  updated_at: timestamptz(({ updatedAt }: Schedule) => updatedAt)
}
