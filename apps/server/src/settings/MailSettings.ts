/** The mail server that takes alerts, and the address that they come from. */
import { isMailAddress, mailAddressRule } from "@runhook/core/shared/MailAddress"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { secretSetting, setting } from "./Setting.ts"
import type { Parse } from "./SettingText.ts"

/** A mail server and how to speak to it. */
export interface MailServer {
  readonly host: string
  readonly port: number
  /** TLS from the beginning; otherwise once the server offers it. */
  readonly isSecure: boolean
  readonly credentials: { readonly user: string; readonly password: string } | null
}

/** Ports by scheme: that of submission, and that of submission by TLS. */
const ports: { readonly [scheme: string]: number } = { "smtp:": 587, "smtps:": 465 }

const notMailUrl = Result.fail(
  "must be like smtp://user:password@mail.example.com:587, or smtps:// for TLS from the beginning"
)

const decoded = (text: string) => Result.try(() => decodeURIComponent(text))

export const mailUrl: Parse<Redacted.Redacted<MailServer>> = (text) => {
  const url = URL.parse(text)
  const port = url === null ? undefined : ports[url.protocol]
  if (url === null || port === undefined) return notMailUrl
  const host = url.hostname.replace(/^\[|\]$/g, "")
  const [user, password] = [decoded(url.username), decoded(url.password)]
  const hasMore = url.pathname.replace("/", "") + url.search + url.hash !== ""
  if (hasMore || !/^[0-9A-Za-z.:-]{1,253}$/.test(host)) return notMailUrl
  if (Result.isFailure(user) || Result.isFailure(password)) return notMailUrl
  if ((user.success === "") !== (password.success === "")) return notMailUrl
  return Result.succeed(
    Redacted.make({
      host,
      port: url.port === "" ? port : Number(url.port),
      isSecure: url.protocol === "smtps:",
      credentials: user.success === "" ? null : { user: user.success, password: password.success }
    })
  )
}

const mailAddress: Parse<string> = (text) =>
  isMailAddress(text) ? Result.succeed(text) : Result.fail(mailAddressRule)

export const mailSettings = {
  mailServer: secretSetting({
    name: "RUNHOOK_SMTP_URL",
    default: "unset: [alerts](alerts.md) are not sent by e-mail",
    meaning:
      "The mail server that takes [alerts](alerts.md), `smtp://user:password@mail.example.com:587`, or `smtps://` for TLS from the beginning. A password is only sent by TLS, or to this machine.",
    parse: mailUrl
  }),
  alertFrom: setting({
    name: "RUNHOOK_ALERT_FROM",
    default: "unset",
    meaning: "The address that these mails come from, such as `alerts@example.com`.",
    parse: mailAddress
  })
}
