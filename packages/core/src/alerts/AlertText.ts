/** Alerts in words: what, where, how many, what to do. Pure functions. */
import * as Duration from "effect/Duration"
import type { Account } from "../accounts/Account.ts"
import { onOneLine } from "../shared/OneLine.ts"
import type { AlertTargetId } from "../shared/Ids.ts"
import { type Alert, type AlertKind, heldFor, troubleCountsTo } from "./Alert.ts"
import type { AlertMessage } from "./AlertMessage.ts"
import { withHarmlessNames } from "./AlertNames.ts"

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

const titleOf = (alert: Alert): string => onOneLine(words[alert.kind].title(alert))

/** What people read first of an alert. */
export const headlineOf = (alert: AlertOfAccount): string => {
  const named = withHarmlessNames(alert)
  return `${titleOf(named)} (${named.accountName})`
}

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

/** To whom. */
export interface AlertAddressee {
  readonly targetId: AlertTargetId
  readonly accountId: Account["id"] | null
  readonly pageUrl: string | null
}

/** Characters of a summary. */
const summaryMax = 120

/** What a message is about: always one line. */
export const summaryOf = ({ open, opened, over }: AlertNews): string => {
  const [first] = opened.length > 0 ? opened : open.length > 0 ? open : over
  const counts = [
    ...(opened.length > 0 ? [`${opened.length} new`] : []),
    ...(open.length > 0 ? [`${open.length} still open`] : []),
    ...(over.length > 0 ? [`${over.length} over`] : [])
  ]
  const isOne = opened.length + open.length + over.length === 1 && first !== undefined
  const alone = opened.length > 0 ? "" : open.length > 0 ? "Still: " : "Over: "
  const line = `Runhook: ${isOne ? alone + headlineOf(first) : counts.join(", ")}`
  return line.length > summaryMax ? `${line.slice(0, summaryMax - 1)}…` : line
}

export const testText = "This is a test. Alerts will reach you here."
