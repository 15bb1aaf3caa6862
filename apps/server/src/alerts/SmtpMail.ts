/** Sends mails by SMTP: one connection for each, which ends with it. */
import * as tls from "node:tls"
import type { AlertMail } from "@runhook/core/alerts/AlertChannels"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { MailServer } from "../settings/MailSettings.ts"
import { late, mailFailureOf } from "./MailFailure.ts"

export interface SmtpMailOptions {
  readonly server: Redacted.Redacted<MailServer>
  /** The address that mails come from. */
  readonly from: string
  /** PEM certificates of authorities to trust besides the public ones. */
  readonly authorities: ReadonlyArray<string>
  /** Longest time for one mail. Default: 15 s. */
  readonly total?: Duration.Duration
}

/** Milliseconds of each part; all of it together has a limit of its own. */
const limits = {
  dnsTimeout: 3_000,
  connectionTimeout: 5_000,
  greetingTimeout: 10_000,
  socketTimeout: 10_000,
  socketCloseTimeout: 1_000,
  maxResponseSize: 65_536
}

const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host)

export const make = Effect.fnUntraced(function* ({ authorities, from, server, total }: SmtpMailOptions) {
  const longest = total ?? Duration.seconds(15)
  const { credentials, host, isSecure, port } = Redacted.value(server)
  // Half a megabyte of sources, which a service without mails never loads.
  const { createTransport } = yield* Effect.promise(() => import("nodemailer"))
  const transport = createTransport({
    ...limits,
    host,
    port,
    secure: isSecure,
    ignoreTLS: isLoopback(host),
    requireTLS: credentials !== null && !isLoopback(host),
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
    tls: {
      minVersion: "TLSv1.2",
      ...(authorities.length > 0 && { ca: [...tls.getCACertificates("default"), ...authorities] })
    },
    disableFileAccess: true,
    disableUrlAccess: true
  })

  const failing = (error: unknown) => mailFailureOf(error instanceof Error ? error : new Error(String(error)))

  const send = ({ subject, text, to }: AlertMail) =>
    Effect.tryPromise({
      try: (signal) =>
        transport.sendMail({
          from: { name: "Runhook", address: from },
          to: { name: "", address: to },
          subject,
          text,
          // No out-of-office replies, please.
          headers: { "Auto-Submitted": "auto-generated" },
          signal
        }),
      catch: failing
    })

  return {
    /** Answers null, or why the mail was not taken. An interruption cuts the connection. */
    mail: (mail: AlertMail): Effect.Effect<string | null> =>
      send(mail).pipe(
        Effect.as(null),
        Effect.catch(({ detail, words }) =>
          Effect.as(Effect.logWarning("The mail server did not take a mail", detail), words)
        ),
        Effect.timeoutOrElse({ duration: longest, orElse: () => Effect.succeed(late) })
      ),

    /** Whether the server lets this service in, without a mail. Answers where it is, or fails with what is wrong. */
    check: Effect.tryPromise({ try: () => transport.verify(), catch: failing }).pipe(
      Effect.as(`${host}:${port}`),
      Effect.mapError(({ detail: { answer, status }, words }) =>
        [words, answer ?? status].filter((each) => each !== undefined).join(": ")
      ),
      Effect.timeoutOrElse({ duration: longest, orElse: () => Effect.fail(late) })
    )
  }
})
