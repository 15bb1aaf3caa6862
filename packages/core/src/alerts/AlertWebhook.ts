/** A message as a webhook: JSON for programs, with a text for chats. Pure functions. */
import * as DateTime from "effect/DateTime"
import type { EventId } from "../shared/Ids.ts"
import type { JsonObject } from "../shared/json/Json.ts"
import {
  type AlertAddressee,
  type AlertNews,
  type AlertOfAccount,
  factsOf,
  headlineOf,
  spelledOutMax,
  summaryOf,
  testText
} from "./AlertText.ts"

/** An alert in JSON. */
const alertFields = (alert: AlertOfAccount, pageUrl: string | null) => ({
  ...factsOf(alert, pageUrl),
  since: DateTime.formatIso(alert.since),
  opened_at: alert.openedAt && DateTime.formatIso(alert.openedAt),
  closed_at: alert.closedAt && DateTime.formatIso(alert.closedAt)
})

/** One webhook. */
interface Sending extends AlertAddressee {
  readonly id: EventId
}

const body = (
  type: string,
  { accountId, id, targetId }: Sending,
  at: DateTime.Utc,
  more: JsonObject
): string =>
  JSON.stringify({
    event_id: id,
    type,
    occurred_at: DateTime.formatIso(at),
    target_id: targetId,
    account_id: accountId,
    ...more
  })

/** Lines about single alerts in what a chat shows. */
const chatLinesMax = 10

/** What chats show of a webhook: a line that sums it up, and one for each of the first alerts if there are several. */
const chatText = (message: AlertNews, pageUrl: string | null): string => {
  const withUrl = (said: string, alert: AlertOfAccount): string => {
    const { url } = factsOf(alert, pageUrl)
    return said + (url === null || alert.closedAt !== null ? "" : ` ${url}`)
  }
  const linesOf = (word: string, alerts: ReadonlyArray<AlertOfAccount>) =>
    alerts.map((alert) => withUrl(`${word}: ${headlineOf(alert)}`, alert))
  const [first, ...others] = [...message.opened, ...message.open, ...message.over]
  const summary = summaryOf(message)
  if (first !== undefined && others.length === 0) return withUrl(summary, first)
  const lines = [
    ...linesOf("New", message.opened),
    ...linesOf("Still open", message.open),
    ...linesOf("Over", message.over)
  ]
  const rest = lines.length - chatLinesMax
  return [summary, ...lines.slice(0, chatLinesMax), ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n")
}

/** The body of a webhook. */
export const webhookBody = (message: AlertNews, sending: Sending): string => {
  const shown = (alerts: ReadonlyArray<AlertOfAccount>) =>
    alerts.slice(0, spelledOutMax).map((alert) => alertFields(alert, sending.pageUrl))
  const { open, opened, over } = message
  return body("alerts.changed", sending, message.at, {
    text: chatText(message, sending.pageUrl),
    opened: shown(opened),
    open: shown(open),
    over: shown(over),
    counts: { opened: opened.length, open: open.length, over: over.length }
  })
}

export const webhookTestBody = (sending: Sending, at: DateTime.Utc): string =>
  body("alerts.test", sending, at, { text: testText })
