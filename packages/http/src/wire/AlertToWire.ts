/** Alerts and their targets as callers see them. */
import type { AlertItem, AlertTargetChangeBody, AlertTargetItem } from "@runhook/contract/wire/AlertWire"
import type { AlertTarget, AlertTargetChange } from "@runhook/core/domain/alert/AlertTarget"
import { type AlertOfAccount, factsOf } from "@runhook/core/domain/alert/AlertText"
import { shownAddress } from "@runhook/core/domain/audit/AlertEvents"

export const targetItem = (target: AlertTarget): typeof AlertTargetItem.Type => ({
  id: target.id,
  channel: target.channel,
  address: shownAddress(target),
  kinds: target.kinds,
  paused_until: target.pausedUntil,
  failures: target.failures,
  last_error: target.lastError,
  last_sent_at: target.lastSentAt,
  next_attempt_at: target.nextAttemptAt,
  created_at: target.createdAt,
  updated_at: target.updatedAt
})

export const targetChange = ({
  kinds,
  paused_until
}: typeof AlertTargetChangeBody.Type): AlertTargetChange => ({
  ...(kinds && { kinds }),
  ...(paused_until !== undefined && { pausedUntil: paused_until })
})

/** Lists show what is or was open. */
export const alertItem = (alert: AlertOfAccount, pageUrl: string | null): typeof AlertItem.Type => ({
  ...factsOf(alert, pageUrl),
  since: alert.since,
  opened_at: alert.openedAt ?? alert.seenAt,
  closed_at: alert.closedAt
})
