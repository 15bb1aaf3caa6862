import { assert, describe, it } from "@effect/vitest"
import { apiAt } from "@runhook/test-support/world/Api"
import { makeBy, makeTenant } from "@runhook/test-support/world/Tenant"
import * as Effect from "effect/Effect"
import { failing } from "./Callbacks.ts"
import { request } from "./Http.ts"
import { runhook, runningServer, temporaryDirectory } from "./RunhookProcess.ts"
import { emptyPostgres } from "./TestPostgres.ts"

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
  it.live("share the work: one answers requests, the other delivers callbacks", () =>
    Effect.gen(function* () {
      const settings = yield* shared
      const receiver = yield* failing(1)
      const migrated = yield* runhook(["migrate"], settings)
      const again = yield* runhook(["migrate"], settings)
      const api = yield* runningServer({ ...settings, RUNHOOK_ROLES: "api" })
      const dispatcher = yield* runningServer({ ...settings, RUNHOOK_ROLES: "dispatcher" })
      const make = makeBy(apiAt(api.baseUrl), adminKey)
      const { apiKey: key } = yield* Effect.promise(() => makeTenant(make))
      const tested = "/api/v1/integrations/webhooks/test"

      const accepted = yield* request(api.baseUrl + tested, jsonWith(key, { callback_url: receiver.url }))

      assert.strictEqual(accepted.status, 202)
      yield* receiver.eventIds(1)
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
    })
  )
})
