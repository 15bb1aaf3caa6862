import { assert, describe, it } from "@effect/vitest"
import { beginningOf } from "@runhook/core/usage/UsageCounts"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import { answering, start } from "@runhook/test-support/receivers/Receiver"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { runningServer, temporaryDirectory } from "../RunhookProcess.ts"
import { onDatabase, testPostgres } from "../TestPostgres.ts"
import { process, secretKey, target, troubled } from "./AlertProcess.ts"
import { mailServer } from "./MailServer.ts"

const password = "a-very-secret-password"

describe("a server with a mail server", () => {
  it.live("sends alerts when it starts, none of them again after a restart, and logs no secret", () =>
    Effect.gen(function* () {
      const { url } = yield* testPostgres
      yield* Effect.orDie(PgDatabase.upToDate({ url: Redacted.make(url) }))
      const mailbox = yield* mailServer({
        allowInsecureAuth: true,
        authOptional: false,
        onAuth: (auth, _session, done) =>
          done(auth.password === password ? null : new Error("wrong"), { user: "a" })
      })
      const receiver = yield* start(answering(204))
      const smtpUrl = mailbox.url.replace("//", `//runhook:${password}@`)
      const own = yield* process({ url, smtpUrl })
      const account = yield* troubled(own, beginningOf("hour", yield* DateTime.now))
      yield* target(own, account, { channel: "email", address: "ops@example.com" })
      yield* target(own, account, { channel: "webhook", address: `${receiver.url}/secret-path` })
      const settings = {
        RUNHOOK_ADMIN_KEY: "an-admin-key-of-the-operator-himself",
        RUNHOOK_ALERT_FROM: "alerts@runhook.example",
        RUNHOOK_CALLBACK_ALLOW: "127.0.0.0/8",
        RUNHOOK_DATA_DIR: yield* temporaryDirectory,
        RUNHOOK_DATABASE_URL: url,
        RUNHOOK_LOG_LEVEL: "debug",
        RUNHOOK_SECRET_KEY: secretKey,
        RUNHOOK_SMTP_URL: smtpUrl,
        RUNHOOK_STOP_NOTICE: "0"
      }

      const first = yield* runningServer(settings)
      const mail = yield* Queue.take(mailbox.mails)
      const webhook = yield* Queue.take(receiver.received)
      first.signal("SIGTERM")
      const { stderr, stdout } = yield* first.ended
      yield* target(own, account, { channel: "email", address: "new@example.com" })
      // A minute later, which nobody waits for.
      yield* onDatabase(
        url,
        SqlClient.use((sql) => sql`UPDATE alert_turns SET until = 'epoch'`)
      )
      const second = yield* runningServer(settings)
      const { to } = yield* Queue.take(mailbox.mails)

      assert.deepStrictEqual([mail.to, to], [["ops@example.com"], ["new@example.com"]])
      assert.match(mail.text, /^From: Runhook <alerts@runhook\.example>\r$/m)
      assert.include(mail.text, `${first.baseUrl}/integrations/dead-letters`)
      assert.strictEqual(JSON.parse(webhook.body).type, "alerts.changed")
      assert.deepStrictEqual([yield* Queue.size(mailbox.mails), yield* Queue.size(receiver.received)], [0, 0])
      for (const secret of [password, "secret-path"]) {
        assert.notInclude(stdout + stderr + second.log(), secret)
      }
    })
  )
})
