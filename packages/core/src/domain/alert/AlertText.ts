/** Alerts in words and as JSON: what, where, since when, how many, what to do. Pure functions. */
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import type { Account } from "../account/Account.ts"
import { onOneLine } from "../account/OneLine.ts"
import type { AlertTargetId, EventId } from "../Ids.ts"
import { instantText } from "../InstantText.ts"
import type { JsonObject } from "../json/Json.ts"
import { type Alert, type AlertKind, heldFor, troubleCountsTo } from "./Alert.ts"
import type { AlertMessage } from "./AlertMessage.ts"

/** Alerts that a message spells out under each heading; the rest is counted. */
export const spelledOutMax = 20

/** An alert with the account that it is about. */
export type AlertOfAccount = Alert & { readonly accountName: string }

/** A message about alerts, each with its account. */
export interface AlertNews extends Pick<AlertMessage, "at"> {
  readonly opened: ReadonlyArray<AlertOfAccount>
  readonly open: ReadonlyArray<AlertOfAccount>
  readonly over: ReadonlyArray<AlertOfAccount>
}

interface Words {
  readonly title: (alert: Alert) => string
  readonly fact: (alert: Alert, count: string) => string
  readonly advice: string
  /** Of the page for people. */
  readonly path: (alert: Alert) => string
}

const countOf = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count >= troubleCountsTo ? `${count} or more` : count} ${many}`

const words: { readonly [Kind in AlertKind]: Words } = {
  dead_letters: {
    title: () => "Callbacks were given up",
    fact: ({ count, name }) => {
      const receivers = name === "" ? "" : ` Most dead letters are of: ${name}.`
      return `${countOf(count, "callback was", "callbacks were")} given up in this hour and the one before.${receivers}`
    },
    advice: "Repair the receiver, then replay its dead letters.",
    path: () => "/dead-letters"
  },
  receiver_held: {
    title: ({ name }) => `A receiver has been down for ${Duration.toHours(heldFor)} hour or longer: ${name}`,
    fact: ({ count }) =>
      `${countOf(count, "callback waits", "callbacks wait")} for it; it is tried with one now and then.`,
    advice: "Repair the receiver. What waits is sent by itself once it answers.",
    path: () => "/receivers"
  },
  no_runner: {
    title: ({ name }) => `No runner serves the agent ${name}`,
    fact: ({ count }) => `${countOf(count, "execution is", "executions are")} due, and no runner takes them.`,
    advice: "Start a runner for the agent, or look why its runner is silent.",
    path: ({ subject }) => `/agents/${subject}`
  },
  failing_rate: {
    title: ({ name }) => `At least half of the executions of ${name} fail`,
    fact: ({ count }) => `${countOf(count, "execution has", "executions have")} failed lately.`,
    advice: "Look at the errors of its last executions.",
    path: () => "/executions?status=error"
  }
}

export const titleOf = (alert: Alert): string => onOneLine(words[alert.kind].title(alert))

/** What callers see of an alert, apart from its times. */
export const factsOf = (alert: AlertOfAccount, pageUrl: string | null) => ({
  kind: alert.kind,
  account_id: alert.accountId,
  account_name: alert.accountName,
  subject: alert.subject === "" ? null : alert.subject,
  title: titleOf(alert),
  detail: words[alert.kind].fact(alert, String(alert.count)),
  advice: words[alert.kind].advice,
  count: alert.count,
  url: pageUrl && pageUrl + words[alert.kind].path(alert)
})

/** An alert in JSON. */
const alertFields = (alert: AlertOfAccount, pageUrl: string | null) => ({
  ...factsOf(alert, pageUrl),
  since: instantText(alert.since),
  opened_at: alert.openedAt && instantText(alert.openedAt),
  closed_at: alert.closedAt && instantText(alert.closedAt)
})

/** To whom. */
export interface AlertAddressee {
  readonly targetId: AlertTargetId
  readonly accountId: Account["id"] | null
  readonly pageUrl: string | null
}

/** One webhook to them. */
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
    occurred_at: instantText(at),
    target_id: targetId,
    account_id: accountId,
    ...more
  })

/** The body of a webhook. */
export const webhookBody = (message: AlertNews, sending: Sending): string => {
  const shown = (alerts: ReadonlyArray<AlertOfAccount>) =>
    alerts.slice(0, spelledOutMax).map((alert) => alertFields(alert, sending.pageUrl))
  const { open, opened, over } = message
  return body("alerts.changed", sending, message.at, {
    opened: shown(opened),
    open: shown(open),
    over: shown(over),
    counts: { opened: opened.length, open: open.length, over: over.length }
  })
}

export const testText = "This is a test. Alerts will reach you here."

export const webhookTestBody = (sending: Sending, at: DateTime.Utc): string =>
  body("alerts.test", sending, at, { message: testText })

const minuteOf = (instant: DateTime.Utc): string =>
  `${instantText(instant).slice(0, 16).replace("T", " ")} UTC`

const subjectMax = 120

/** The subject line of a mail: always one line. */
export const mailSubject = ({ open, opened, over }: AlertNews): string => {
  const [first] = opened.length > 0 ? opened : open.length > 0 ? open : over
  const counts = [
    ...(opened.length > 0 ? [`${opened.length} new`] : []),
    ...(open.length > 0 ? [`${open.length} still open`] : []),
    ...(over.length > 0 ? [`${over.length} over`] : [])
  ]
  const isOne = opened.length + open.length + over.length === 1 && first !== undefined
  const alone = opened.length > 0 ? "" : open.length > 0 ? "Still: " : "Over: "
  const said = isOne ? `${alone}${titleOf(first)} (${first.accountName})` : counts.join(", ")
  const line = onOneLine(`Runhook: ${said}`)
  return line.length > subjectMax ? `${line.slice(0, subjectMax - 1)}…` : line
}

const paragraph = (alert: AlertOfAccount, pageUrl: string | null): string => {
  const { advice, detail, title, url } = factsOf(alert, pageUrl)
  const since = `Since ${minuteOf(alert.since)}`
  return [
    `* ${title}`,
    `  Account: ${onOneLine(alert.accountName)}`,
    ...(alert.closedAt !== null
      ? [`  ${since}, until ${minuteOf(alert.closedAt)}`]
      : [`  ${since}`, `  ${detail}`, `  What to do: ${advice}`, ...(url === null ? [] : [`  ${url}`])])
  ].join("\n")
}

const section = (heading: string, alerts: ReadonlyArray<AlertOfAccount>, pageUrl: string | null) =>
  alerts.length === 0
    ? []
    : [
        heading,
        ...alerts.slice(0, spelledOutMax).map((alert) => paragraph(alert, pageUrl)),
        ...(alerts.length > spelledOutMax ? [`and ${alerts.length - spelledOutMax} more`] : [])
      ]

const footer = (targetId: AlertTargetId) => [`-- \nSent by Runhook to the alert target ${targetId}.`]

/** The text of a mail. */
export const mailText = (message: AlertNews, { pageUrl, targetId }: AlertAddressee): string =>
  [
    ...section("NEW", message.opened, pageUrl),
    ...section("STILL OPEN", message.open, pageUrl),
    ...section("OVER", message.over, pageUrl),
    ...footer(targetId)
  ].join("\n\n")

export const mailTestText = ({ targetId }: AlertAddressee): string =>
  [testText, ...footer(targetId)].join("\n\n")
