/** What happened to executions and why they wait, from the domain to the wire. */
import type { ExecutionExplained, HistoryEventItem, RescheduleBody } from "@runhook/contract/wire/HistoryWire"
import type { Execution } from "@runhook/core/domain/execution/Execution"
import type { Explanation } from "@runhook/core/domain/execution/Explanation"
import type { Rescheduling } from "@runhook/core/domain/execution/Rescheduling"
import type { ExecutionId } from "@runhook/core/domain/Ids"
import type { ToldEvent } from "@runhook/core/usecases/History"

export const eventItem = ({ at, attempt, data, sequence, status, type }: ToldEvent) =>
  ({ sequence, type, at, status, attempt, data }) satisfies typeof HistoryEventItem.Type

export const explained = (
  execution_id: ExecutionId,
  { blockedBy, expiresAt, notBefore, position, runnersOnline, state }: Explanation
): Omit<typeof ExecutionExplained.Type, "request_id"> => ({
  execution_id,
  state,
  position,
  blocked_by: blockedBy,
  runners_online: runnersOnline,
  not_before: notBefore,
  expires_at: expiresAt
})

export const rescheduling = (body: typeof RescheduleBody.Type): Rescheduling => ({
  ...(body.scheduled_at === undefined ? {} : { scheduledAt: body.scheduled_at }),
  ...(body.priority === undefined ? {} : { priority: body.priority }),
  ...(body.expires_at === undefined ? {} : { expiresAt: body.expires_at })
})

export const rescheduled = ({ expiresAt, id, priority, scheduledAt, status }: Execution) => ({
  execution_id: id,
  status,
  scheduled_at: scheduledAt,
  priority,
  expires_at: expiresAt
})
