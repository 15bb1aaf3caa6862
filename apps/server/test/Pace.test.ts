/** What callers and receivers share a process for, when many ask at once. */
import { assert, describe, it } from "@effect/vitest"
import { silence, start } from "@runhook/test-support/receivers/Receiver"
import { apiAt } from "@runhook/test-support/world/Api"
import { makeBy, makeTenant, workOf } from "@runhook/test-support/world/Tenant"
import * as Effect from "effect/Effect"
import { runningServer, temporaryDirectory } from "./RunhookProcess.ts"
import { testPostgres } from "./TestPostgres.ts"

const adminKey = "an-admin-key-of-the-operator-himself"

const startServer = Effect.gen(function* () {
  const { url } = yield* testPostgres
  return yield* runningServer({
    RUNHOOK_ADMIN_KEY: adminKey,
    RUNHOOK_SECRET_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    RUNHOOK_CALLBACK_ALLOW: "127.0.0.0/8",
    RUNHOOK_RATE_LIMIT: "off",
    RUNHOOK_DATA_DIR: yield* temporaryDirectory,
    RUNHOOK_DATABASE_URL: url
  })
})

const callers = 64
const creates = 1_000

describe("A server that 64 callers ask at once", () => {
  it.live(
    "sends what they cause while it answers them, also to one receiver, beside another that hangs",
    () =>
      Effect.gen(function* () {
        const api = apiAt((yield* startServer).baseUrl)
        const { apiKey, ...tenant } = yield* Effect.promise(() => makeTenant(makeBy(api, adminKey)))
        const create = (callback_url: string) =>
          Effect.promise(() =>
            api.json({
              key: apiKey,
              path: "/integrations/executions",
              body: { ...workOf(tenant), callback_url }
            })
          )
        let arrived = 0
        const receiver = yield* start((response) => {
          arrived++
          response.end()
        })
        const silent = yield* start(silence)
        yield* Effect.forEach(Array.from({ length: callers }), () => create(silent.url), {
          concurrency: callers
        })

        yield* Effect.replicateEffect(create(receiver.url), creates, { concurrency: callers, discard: true })

        assert.isAbove(arrived, creates / 2)
      })
  )
})
