/** What a lifecycle asks of the database when there is little to do. */
import { assert, describe, it } from "@effect/vitest"
import { Runhook } from "@runhook/sdk"
import { RunhookAdmin } from "@runhook/sdk/admin"
import { createRunner } from "@runhook/sdk/runner"
import * as Effect from "effect/Effect"
import { runningServer, temporaryDirectory } from "../RunhookProcess.ts"
import { countedPostgres, type Statements } from "./CountedPostgres.ts"

const adminKey = "an-admin-key-of-the-operator-himself"

/** Statements that a lifecycle may ask. */
const statementsMax = 4.5

const lifecycles = 100

/** An account with work to do, and a runner that takes so much of it at once. */
const aWorkshop = Effect.fnUntraced(function* (baseUrl: string, capacity: number) {
  const admin = new RunhookAdmin({ baseUrl, adminKey })
  const made = yield* Effect.promise(async () => {
    const { id } = await admin.accounts.create({ name: "Acme" })
    const account = admin.account(id)
    const { id: agent_id } = await account.agents.create({ name: "Press", capacity: 100 })
    const { id: task_id } = await account.tasks.create({ slug: "print", name: "Print" })
    await account.tasks.publish(task_id, { params_schema: { type: "object" } })
    const { key } = await account.keys.create({ name: "Back office" })
    const { key: runnerKey } = await account.runnerKeys.create({ name: "Cellar" })
    return { work: { agent_id, task_id, params: {} }, key, runnerKey }
  })
  let ended = () => {}
  const runner = createRunner({
    baseUrl,
    apiKey: made.runnerKey,
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
  const client = new Runhook({ baseUrl, apiKey: made.key })
  /** One execution from its creation until its runner has told how it ended. */
  return Effect.promise(async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    ended = resolve
    await Promise.all([client.executions.create(made.work), promise])
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
      const lifecycle = yield* aWorkshop(baseUrl, capacity)
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
