/** A message as a mail: plain text. Pure functions. */
import * as DateTime from "effect/DateTime"
import type { AlertTargetId } from "../shared/Ids.ts"
import { withHarmlessNames } from "./AlertNames.ts"
import {
  type AlertAddressee,
  type AlertNews,
  type AlertOfAccount,
  factsOf,
  spelledOutMax,
  testText
} from "./AlertText.ts"

const minuteOf = (instant: DateTime.Utc): string =>
  `${DateTime.formatIso(instant).slice(0, 16).replace("T", " ")} UTC`

const paragraph = (alert: AlertOfAccount, pageUrl: string | null): string => {
  const { account_name, advice, detail, title, url } = factsOf(withHarmlessNames(alert), pageUrl)
  const since = `Since ${minuteOf(alert.since)}`
  return [
    `* ${title}`,
    `  Account: ${account_name}`,
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
