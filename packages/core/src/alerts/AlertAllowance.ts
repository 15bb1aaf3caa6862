/**
 * How many messages somebody may cause in an hour, so that nobody floods a mailbox that is not theirs. Pure functions.
 *
 * Tests and alerts are counted apart: tests never use up what alerts need. Alerts to a mailbox are counted for each
 * account, since otherwise one account could use up what another needs.
 */
import * as Duration from "effect/Duration"
import type { AlertTarget } from "./AlertTarget.ts"

/** Messages of one sort that may be caused in `allowanceFor`. */
export interface AlertAllowance {
  /** What they have in common. */
  readonly subject: string
  readonly max: number
}

/** From the first message on, after which all are allowed again. */
export const allowanceFor = Duration.hours(1)

/** Mails of alerts in an hour. A target alone gets at most twelve. */
export const mailsMax = { ofAccount: 60, ofMailbox: 12 }

/** Tests in an hour. */
export const testsMax = { ofOwner: 20, ofMailbox: 5 }

type Addressee = Pick<AlertTarget, "accountId" | "address" | "channel">

/** The same for all spellings of an address that lead to one mailbox at most providers. */
const mailboxOf = ({ address }: Addressee): string => address.toLowerCase().replace(/\+[^@]*@/, "@")

/** What a message about alerts uses up. The operator's own targets have no bound but their pace. */
export const allowancesOfAlert = (target: Addressee): ReadonlyArray<AlertAllowance> =>
  target.accountId === null || target.channel !== "email"
    ? []
    : [
        { subject: `mails of ${target.accountId}`, max: mailsMax.ofAccount },
        { subject: `mails of ${target.accountId} to ${mailboxOf(target)}`, max: mailsMax.ofMailbox }
      ]

export const allowancesOfTest = (target: Addressee): ReadonlyArray<AlertAllowance> => [
  { subject: `tests of ${target.accountId ?? "the operator"}`, max: testsMax.ofOwner },
  ...(target.channel === "email"
    ? [{ subject: `tests to ${mailboxOf(target)}`, max: testsMax.ofMailbox }]
    : [])
]
