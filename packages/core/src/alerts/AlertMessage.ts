/** What one message to a target says: everything that it does not know yet, together. Pure functions. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Array from "effect/Array"
import * as Order from "effect/Order"
import { type Alert, alertKey, isOpen } from "./Alert.ts"
import { type AlertTarget, concerns, remindEvery, type ToldAlerts } from "./AlertTarget.ts"

export interface AlertMessage {
  readonly at: DateTime.Utc
  /** What the target was not told yet. */
  readonly opened: ReadonlyArray<Alert>
  /** What it was told, and what is still so. */
  readonly open: ReadonlyArray<Alert>
  /** What it was told, and what is over. */
  readonly over: ReadonlyArray<Alert>
  /** What it knows once it has this message. */
  readonly told: ToldAlerts
}

const oldestFirst = Order.combine(
  Order.mapInput(DateTime.Order, ({ since }: Alert) => since),
  Order.mapInput(Order.String, alertKey)
)

/** The message for a target; null while there is nothing new for it, and no reminder is due. */
export const messageFor = (
  target: Pick<AlertTarget, "accountId" | "kinds" | "told">,
  alerts: ReadonlyArray<Alert>,
  at: DateTime.Utc
): AlertMessage | null => {
  const own = Array.sort(
    alerts.filter((alert) => concerns(target, alert)),
    oldestFirst
  )
  const known = (alert: Alert) => {
    const told = target.told[alertKey(alert)]
    return told?.opened === alert.openedAt?.epochMilliseconds ? told : undefined
  }
  const remindedBefore = at.epochMilliseconds - Duration.toMillis(remindEvery)
  const all = own.filter(isOpen)
  const opened = all.filter((alert) => known(alert) === undefined)
  const open = all.filter((alert) => known(alert) !== undefined)
  const over = own.filter((alert) => alert.closedAt !== null && known(alert) !== undefined)
  const isReminder = open.some((alert) => (known(alert)?.at ?? 0) <= remindedBefore)
  if (opened.length === 0 && over.length === 0 && !isReminder) return null
  const told = Object.fromEntries(
    all.map((alert) => [
      alertKey(alert),
      { opened: alert.openedAt?.epochMilliseconds ?? 0, at: at.epochMilliseconds }
    ])
  )
  return { at, opened, open, over, told }
}
