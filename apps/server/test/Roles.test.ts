import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { failingReceiver } from "./FailingReceiver.ts"
import { bodyOf, request } from "./Http.ts"
import { runhook, runningServer, temporaryDirectory } from "./RunhookProcess.ts"
import { emptyPostgres } from "./TestPostgres.ts"

const Account = Schema.Struct({ id: Schema.String })
const Key = Schema.Struct({ key: Schema.String })

const adminKey = "an-admin-key-of-the-operator-himself"

const jsonWith = (key: string, body: object): RequestInit => ({
  method: "POST",
  headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
  body: JSON.stringify(body)
})

/** The settings of servers that share a database, whose schema is not there yet. */
const shared = Effect.gen(function* () {
  const { url } = yield* emptyPostgres
  return {
    RUNHOOK_ADMIN_KEY: adminKey,
    RUNHOOK_SECRET_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    RUNHOOK_CALLBACK_ALLOW: "127.0.0.0/8",
    RUNHOOK_DATA_DIR: yield* temporaryDirectory,
    RUNHOOK_DATABASE_URL: url
  }
})

describe("two servers on one database", () => {
  it.live(
    "share the work: one answers requests, the other delivers callbacks",
    () =>
      Effect.gen(function* () {
        const settings = yield* shared
        const receiver = yield* failingReceiver(1)
        const migrated = yield* runhook(["migrate"], settings)
        const again = yield* runhook(["migrate"], settings)
        const api = yield* runningServer({ ...settings, RUNHOOK_ROLES: "api" })
        const dispatcher = yield* runningServer({ ...settings, RUNHOOK_ROLES: "dispatcher" })
        const accounts = `${api.baseUrl}/api/v1/admin/accounts`
        const account = yield* Effect.flatMap(
          request(accounts, jsonWith(adminKey, { name: "Acme" })),
          bodyOf(Account)
        )
        const { key } = yield* Effect.flatMap(
          request(`${accounts}/${account.id}/keys`, jsonWith(adminKey, { name: "Orders" })),
          bodyOf(Key)
        )
        const tested = "/api/v1/integrations/webhooks/test"

        const accepted = yield* request(api.baseUrl + tested, jsonWith(key, { callback_url: receiver.url }))

        assert.strictEqual(accepted.status, 202)
        yield* receiver.received(1)
        const elsewhere = yield* request(dispatcher.baseUrl + tested, jsonWith(key, {}))
        const ready = yield* request(`${dispatcher.baseUrl}/readyz`)
        assert.deepStrictEqual([elsewhere.status, ready.status], [404, 200])
        assert.match(migrated.stdout, /^Applied 1 schema\n/)
        assert.strictEqual(again.stdout, "Nothing to apply: the schema is up to date\n")
        const logs = yield* Effect.forEach([api, dispatcher], (server) => {
          server.signal("SIGTERM")
          return server.ended
        })
        for (const { code, stderr } of logs) {
          assert.strictEqual(code, 0)
          assert.notInclude(stderr, '"level":"error"')
        }
      }),
    120_000
  )
})
