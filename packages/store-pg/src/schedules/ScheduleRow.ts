/** The row of a schedule. */
import { Schedule } from "@runhook/core/schedules/Schedule"
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
