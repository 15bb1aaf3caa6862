/** The move to another place in the queue, as `core/domain/Rescheduling` has it. */
import type { Rescheduling } from "@runhook/core/domain/Rescheduling"
import type * as DateTime from "effect/DateTime"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Moments } from "../clock/StoreClock.ts"
import { instant } from "../Instants.ts"
import type { Step } from "./Frame.ts"

export const reschedule = (
  sql: SqlClient,
  { change, moments }: { readonly change: Rescheduling; readonly moments: Moments }
): Step => {
  const { expiresAt, priority, scheduledAt } = change
  const at = (moment: DateTime.Utc | null) => sql`${instant(moment)}::timestamptz(3)`
  const request = [
    ...(priority === undefined ? [] : [sql`priority = ${priority}::smallint`]),
    ...(scheduledAt === undefined ? [] : [sql`scheduled_at = ${at(scheduledAt)}`]),
    ...(expiresAt === undefined ? [] : [sql`expires_at = ${at(expiresAt)}`])
  ]
  const run = [
    ...(priority === undefined ? [] : [sql`priority = ${priority}::smallint`]),
    ...(scheduledAt === undefined ? [] : [sql`due_at = greatest(${moments.now}, ${at(scheduledAt)})`]),
    // Only what was never started can expire.
    ...(expiresAt === undefined ? [] : [sql`start_by = CASE WHEN b.attempt = 0 THEN ${at(expiresAt)} END`])
  ]
  return {
    moments,
    condition: sql`e.slot IS NULL AND e.status = ANY ('{pending,queued}'::text[])`,
    assignments: sql.csv(run),
    request: sql.csv(request)
  }
}
