import { assert, describe, it } from "@effect/vitest"
import type { AlertMail } from "@runhook/core/alerts/AlertChannels"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import type { SMTPServerOptions } from "smtp-server"
import * as SmtpMail from "../../src/alerts/SmtpMail.ts"
import { mailUrl } from "../../src/settings/MailSettings.ts"
import { eventually } from "../Http.ts"
import { certificate, mailServer, privateKey, refusing } from "./MailServer.ts"

const mail: AlertMail = { to: "ops@example.com", subject: "Runhook: 1 new", text: "A receiver is down" }

const sending = (url: string, options: Partial<SmtpMail.SmtpMailOptions> = {}) =>
  SmtpMail.make({
    server: Result.getOrThrow(mailUrl(url)),
    from: "alerts@runhook.example",
    authorities: [],
    ...options
  })

/** What comes of a mail, and what the operator reads of it. */
const outcome = Effect.fnUntraced(function* (
  url: string,
  options: Partial<SmtpMail.SmtpMailOptions> & { readonly mail?: AlertMail } = {}
) {
  const logged: Array<unknown> = []
  const logger = Logger.layer([Logger.make<unknown, void>(({ message }) => void logged.push(message))])
  const smtp = yield* sending(url, options)
  const error = yield* Effect.provide(smtp.mail(options.mail ?? mail), logger)
  return { error, log: JSON.stringify(logged) }
})

const tls = { cert: certificate, key: privateKey, disabledCommands: [] }

type OnAuth = NonNullable<SMTPServerOptions["onAuth"]>

const knows =
  (password: string): OnAuth =>
  (auth, _session, done) =>
    auth.password === password
      ? done(null, { user: "runhook" })
      : done(refusing(535, `No such password: ${auth.password}`))

describe("mails by SMTP", () => {
  it.live(
    "arrive as plain text for one mailbox, from the operator's address, and ask for no automatic answer",
    () =>
      Effect.gen(function* () {
        const { connections, mails, url } = yield* mailServer()

        const { error, log } = yield* outcome(url, { mail: { ...mail, text: "Ein Empfänger fehlt" } })

        const { from, text, to } = yield* Queue.take(mails)
        assert.deepStrictEqual(
          [error, log, from, to],
          [null, "[]", "alerts@runhook.example", ["ops@example.com"]]
        )
        assert.match(text, /^From: Runhook <alerts@runhook\.example>\r$/m)
        assert.match(text, /^To: ops@example\.com\r$/m)
        assert.match(text, /^Subject: Runhook: 1 new\r$/m)
        assert.match(text, /^Auto-Submitted: auto-generated\r$/m)
        assert.match(text, /^Content-Type: text\/plain; charset=utf-8\r$/m)
        assert.include(text, "Ein Empf=C3=A4nger fehlt")
        yield* eventually(connections, (open) => open === 0)
      })
  )

  it.live("have no headers and no recipients that somebody smuggled into a name", () =>
    Effect.gen(function* () {
      const { mails, url } = yield* mailServer()
      const smuggled = "x\r\nBcc: victim@example.com\r\n\r\nHello"

      yield* outcome(url, { mail: { ...mail, subject: smuggled } })
      const { error: refused } = yield* outcome(url, {
        mail: { ...mail, to: "ops@example.com>\r\nRCPT TO:<victim@example.com" }
      })

      const { text, to } = yield* Queue.take(mails)
      assert.deepStrictEqual(to, ["ops@example.com"])
      assert.notMatch(text, /^Bcc:/im)
      assert.isNotNull(refused)
      assert.strictEqual(yield* Queue.size(mails), 0)
    })
  )

  it.live("give their password by TLS alone, to a server of a trusted authority", () =>
    Effect.gen(function* () {
      const heard: Array<string | null | undefined> = []
      const onAuth: OnAuth = (auth, session, done) => {
        heard.push(session.secure ? auth.password : "in the clear")
        done(null, { user: "runhook" })
      }
      const upgrading = yield* mailServer({ ...tls, onAuth })
      const secure = yield* mailServer({ ...tls, onAuth, secure: true })
      const plain = yield* mailServer({ onAuth, allowInsecureAuth: true })
      const urlOf = (scheme: string, port: number) => `${scheme}://runhook:hu%23sh@0.0.0.0:${port}`
      const trusting = { authorities: [certificate] }

      const outcomes = [
        yield* outcome(urlOf("smtp", upgrading.port), trusting),
        yield* outcome(urlOf("smtps", secure.port), trusting),
        yield* outcome(urlOf("smtp", upgrading.port)),
        yield* outcome(urlOf("smtp", plain.port), trusting)
      ]

      const untrusted = "The mail server offers no TLS that can be trusted"
      assert.deepStrictEqual(
        outcomes.map(({ error }) => error),
        [null, null, untrusted, untrusted]
      )
      assert.deepStrictEqual(heard, ["hu#sh", "hu#sh"])
      assert.isTrue((yield* Queue.take(upgrading.mails)).isSecure)
      // To this machine itself it may go as it is.
      assert.isNull((yield* outcome(`smtp://runhook:hush@127.0.0.1:${plain.port}`)).error)
    })
  )

  it.live("are refused in words, of which the log has more, and neither has the password", () =>
    Effect.gen(function* () {
      const password = "a-very-secret-password"
      const server = yield* mailServer({
        allowInsecureAuth: true,
        onAuth: knows(password),
        onMailFrom: ({ address }, _session, done) =>
          address.startsWith("nobody") ? done(refusing(553, "Not you")) : done(),
        onRcptTo: ({ address }, _session, done) =>
          address === mail.to ? done() : done(refusing(550, "No such mailbox")),
        onData: (stream, _session, done) => {
          stream.resume().on("end", () => done(refusing(552, "Too long")))
        }
      })
      const as = (words: string) => `smtp://runhook:${words}@127.0.0.1:${server.port}`
      const closed = yield* Effect.scoped(mailServer())

      const outcomes = [
        yield* outcome(as("wrong-password")),
        yield* outcome(as(password), { from: "nobody@runhook.example" }),
        yield* outcome(as(password), { mail: { ...mail, to: "gone@example.com" } }),
        yield* outcome(as(password)),
        yield* outcome(closed.url)
      ]

      assert.deepStrictEqual(
        outcomes.map(({ error }) => error),
        [
          "The mail server did not accept the service's password",
          "The mail server refused the sender of alerts (553)",
          "The mail server refused the mailbox (550)",
          "The mail server refused the mail (552)",
          "The mail server cannot be reached"
        ]
      )
      assert.include(outcomes[2]?.log, "No such mailbox")
      for (const secret of ["wrong-password", password]) {
        const shown = [secret, Buffer.from(`\0runhook\0${secret}`).toString("base64")]
        for (const { log } of outcomes) for (const each of shown) assert.notInclude(log, each)
      }
    })
  )

  it.live("are not needed to find out whether the server lets the service in", () =>
    Effect.gen(function* () {
      const { connections, mails, port } = yield* mailServer({
        allowInsecureAuth: true,
        authOptional: false,
        onAuth: knows("right")
      })
      const checked = (password: string) =>
        Effect.flatMap(sending(`smtp://runhook:${password}@127.0.0.1:${port}`), ({ check }) =>
          Effect.result(check)
        )

      const [right, wrong] = [yield* checked("right"), yield* checked("wrong")]

      assert.deepStrictEqual(right, Result.succeed(`127.0.0.1:${port}`))
      assert.deepStrictEqual(wrong, Result.fail("The mail server did not accept the service's password: 535"))
      assert.strictEqual(yield* Queue.size(mails), 0)
      yield* eventually(connections, (open) => open === 0)
    })
  )

  it.live(
    "give up a server that hangs, and one that nobody waits for any more, and leave no connection",
    () =>
      Effect.gen(function* () {
        // Answers its greeting, and no mail.
        const { connections, url } = yield* mailServer({ onMailFrom: () => undefined })
        const connected = (count: number) => eventually(connections, (open) => open === count)

        const { error } = yield* outcome(url, { total: Duration.millis(300) })
        yield* connected(0)
        const waiting = yield* Effect.forkChild(outcome(url))
        yield* connected(1)
        yield* Fiber.interrupt(waiting)

        assert.strictEqual(error, "The mail server did not answer in time")
        yield* connected(0)
      })
  )
})
