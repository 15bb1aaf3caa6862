/**
 * Why a mail was not taken: in words for everybody who may see the target, who is not always the operator of the mail
 * server, and in more detail for the operator's log.
 */
import { onOneLine } from "@runhook/core/shared/OneLine"
import type { NodemailerError } from "nodemailer"

/** Characters of a server's answer that are logged. */
const answerMax = 300

const untrusted = "The mail server offers no TLS that can be trusted"
const away = "The mail server cannot be reached"
export const late = "The mail server did not answer in time"

const words: { readonly [code: string]: string } = {
  EAUTH: "The mail server did not accept the service's password",
  ECONNECTION: away,
  EDNS: away,
  EPROTOCOL: "The mail server does not speak SMTP",
  ESOCKET: away,
  ETIMEDOUT: late,
  ETLS: untrusted
}

/** What a server refuses, by the command that it answered. */
const refused: { readonly [command: string]: string } = {
  "MAIL FROM": "the sender of alerts",
  "RCPT TO": "the mailbox"
}

/** A certificate that is not trusted has the code of a broken connection. */
const isUntrusted = ({ code, message }: NodemailerError): boolean =>
  code === "ESOCKET" && /certificate|altname/i.test(message)

const wordsOf = (error: NodemailerError): string => {
  const { code = "", command = "", responseCode } = error
  const known = isUntrusted(error) ? untrusted : words[code]
  if (known !== undefined) return known
  const status = responseCode === undefined ? "" : ` (${responseCode})`
  return `The mail server refused ${refused[command] ?? "the mail"}${status}`
}

export interface MailFailure {
  readonly words: string
  /** For the log. */
  readonly detail: { readonly answer?: string; readonly [name: string]: unknown }
}

/** What a server says about credentials is left out: it may repeat them. */
export const mailFailureOf = (error: NodemailerError): MailFailure => {
  const { code, command, message, responseCode: status } = error
  const answer = code === "EAUTH" ? {} : { answer: onOneLine(message).slice(0, answerMax) }
  return { words: wordsOf(error), detail: { code, command, status, ...answer } }
}
