/** What a lifecycle asks of the database when there is little to do. */
import { assert, describe, it } from "@effect/vitest"
import { Runhook } from "@runhook/sdk"
import { createRunner } from "@runhook/sdk/runner"
import { apiAt } from "@runhook/test-support/world/Api"
import { makeBy, makeTenant, workOf } from "@runhook/test-support/world/Tenant"
import * as Effect from "effect/Effect"
import { runningServer, temporaryDirectory } from "../RunhookProcess.ts"
import { countedPostgres, type Statements } from "./CountedPostgres.ts"

const adminKey = "an-admin-key-of-the-operator-himself"

/** Statements that a lifecycle may ask. */
const statementsMax = 4.5

const lifecycles = 100

/** An account with work to do, and a runner that takes so much of it at once. */
const openWorkshop = Effect.fnUntraced(function* (baseUrl: string, capacity: number) {
  const make = makeBy(apiAt(baseUrl), adminKey)
  const tenant = yield* Effect.promise(() => makeTenant(make, { agent: { capacity: 100 } }))
  let ended = () => {}
  const runner = createRunner({
    baseUrl,
    apiKey: tenant.runnerKey,
    capacity,
    tasks: { print: () => ({ pages: 1 }) },
    log: ({ message }) => {
      if (message.startsWith("ends: ")) ended()
    }
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => runner.start()),
    () => Effect.promise(() => runner.stop())
  )
  const client = new Runhook({ baseUrl, apiKey: tenant.apiKey })
  /** One execution from its creation until its runner has told how it ended. */
  return Effect.promise(async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    ended = resolve
    await Promise.all([client.executions.create(workOf(tenant)), promise])
  })
})

const tableOf = (statements: Statements): string =>
  [...statements]
    .map(([text, count]) => `${count} x ${text.replaceAll(/\s+/g, " ").slice(0, 150)}`)
    .join("\n")

describe("one lifecycle after another", () => {
  it.live.each([1, 100])("asks the database little of each, of a runner that takes %d at once", (capacity) =>
    Effect.gen(function* () {
      const { sentWhile, url } = yield* countedPostgres
      const { baseUrl } = yield* runningServer({
        RUNHOOK_MODE: "production",
        RUNHOOK_ADMIN_KEY: adminKey,
        RUNHOOK_SECRET_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        RUNHOOK_DATA_DIR: yield* temporaryDirectory,
        RUNHOOK_DATABASE_URL: url,
        RUNHOOK_RATE_LIMIT: "off",
        RUNHOOK_RUNNER_RATE_LIMIT: "off"
      })
      const lifecycle = yield* openWorkshop(baseUrl, capacity)
      yield* Effect.replicateEffect(lifecycle, 3)

      const statements = yield* sentWhile(Effect.replicateEffect(lifecycle, lifecycles))

      // The service asks some by itself every few seconds, and nobody knows how long this took.
      const ofLifecycles = [...statements.values()].filter((count) => count >= lifecycles / 5)
      const sent = ofLifecycles.reduce((sum, count) => sum + count, 0)
      assert.isAtMost(sent / lifecycles, statementsMax, tableOf(statements))
      // There is nobody to tell.
      assert.notInclude(tableOf(statements), "pg_notify")
    })
  )
})
