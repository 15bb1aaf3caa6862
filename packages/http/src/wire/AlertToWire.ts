/** Alerts and their targets as callers see them. */
import { type AlertItem, type AlertTargetChangeBody, AlertTargetItem } from "@runhook/contract/wire/AlertWire"
import type { AlertTarget, AlertTargetChange } from "@runhook/core/domain/alert/AlertTarget"
import { type AlertOfAccount, factsOf } from "@runhook/core/domain/alert/AlertText"
import { shownAddress } from "@runhook/core/domain/audit/AlertEvents"
import { inDomainNames, showing } from "./Names.ts"

export const targetItem = showing(AlertTargetItem)<AlertTarget>({ address: shownAddress })

export const targetChange = (body: typeof AlertTargetChangeBody.Type): AlertTargetChange =>
  inDomainNames(body)

/** Lists show what is or was open. */
export const alertItem = (alert: AlertOfAccount, pageUrl: string | null): typeof AlertItem.Type => ({
  ...factsOf(alert, pageUrl),
  since: alert.since,
  opened_at: alert.openedAt ?? alert.seenAt,
  closed_at: alert.closedAt
})
