/** Jobs that were a mistake are stopped. No dispatcher runs meanwhile, so that they are still under way. */
import { answering, startReceiver } from "@runhook/test-support/receivers/Receiver"
import type { Environment } from "@runhook/test-support/world/ServiceProcess"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { runningServer, temporaryDirectory } from "../RunhookProcess.ts"
import { testPostgres } from "../TestPostgres.ts"
import { checkView } from "./CheckView.ts"
import { consoleSuite } from "./ConsoleSuite.ts"
import { deadLetters } from "./Dead.ts"

describe("a job under way", () => {
  let shared: Environment = {}
  const { accountId, admin, openConsole } = consoleSuite(
    Effect.gen(function* () {
      const { url } = yield* Effect.orDie(testPostgres)
      shared = {
        RUNHOOK_DATABASE_URL: url,
        RUNHOOK_SECRET_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        RUNHOOK_STORE: "postgres"
      }
      return { ...shared, RUNHOOK_ROLES: "api" }
    })
  )

  /** Works while there is a dispatcher, which is gone after it. */
  const withDispatcher = <A>(work: () => Promise<A>): Promise<A> =>
    Effect.gen(function* () {
      const dispatcher = yield* runningServer({
        ...shared,
        RUNHOOK_MODE: "development",
        RUNHOOK_DATA_DIR: yield* temporaryDirectory,
        RUNHOOK_DEMO: "off",
        RUNHOOK_ROLES: "dispatcher"
      })
      const done = yield* Effect.promise(work)
      dispatcher.signal("SIGTERM")
      yield* dispatcher.ended
      return done
    }).pipe(Effect.scoped, Effect.runPromise)

  it("that replays ends when somebody presses Stop, and replays nothing more", async () => {
    const receiver = await startReceiver(answering(401))
    try {
      const account = admin().account(await accountId())
      const { id: keyId } = await account.keys.create({ name: "Warehouse ERP" })
      const [one = ""] = await withDispatcher(() =>
        deadLetters(account, { url: receiver.url, keyId, count: 2 })
      )
      const page = await openConsole("/dead-letters")
      await page.getByRole("button", { name: /^Replay 2/ }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Replay 2", exact: true }).click()
      await page.getByRole("heading", { name: /^Replaying: / }).waitFor()
      await checkView(page, "dead-letters-replaying")

      await page.getByRole("button", { name: "Stop" }).click()
      await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" })
      await page.getByRole("row", { name: /Stopped/ }).waitFor()

      const [job] = (await account.replays.list().page()).data
      assert.deepStrictEqual([job?.status, job?.replayed], ["cancelled", 0])
      await checkView(page, "dead-letters-stopped")
      await page.getByRole("link", { name: /refuses the signature/ }).click()
      await page.getByRole("heading", { level: 2, name: /^Stopped: / }).waitFor()
      assert.strictEqual((await account.deliveries.get(one)).state, "dead")
    } finally {
      receiver.close()
    }
  })

  it("that cancels is found again after a reload, and ends when somebody presses Stop", async () => {
    const account = admin().account(await accountId())
    const task = await account.tasks.create({ slug: "bills", name: "Fetch bills" })
    await account.tasks.publish(task.id, { params_schema: {} })
    const agent = await account.agents.create({ name: "Portal EU 1" })
    const { id: keyId } = await account.keys.create({ name: "Back office" })
    const { execution_id } = await account.executions.create({
      agent_id: agent.id,
      task_id: task.id,
      key_id: keyId,
      reference: "INV-STAYS"
    })
    const { job_id } = await account.executions.cancelAll({ reference: "INV-STAYS" })
    const page = await openConsole(`/cancels/${job_id}`)
    await page.getByText("0 cancelled, 1 to go").waitFor()
    await page.reload()
    await page.getByText("0 cancelled, 1 to go").waitFor()
    await page.getByRole("progressbar", { name: "Cancelling executions" }).waitFor()
    await checkView(page, "executions-cancelling")

    await page.getByRole("button", { name: "Stop" }).click()
    await page.getByRole("heading", { level: 2, name: "Stopped: 0 executions cancelled" }).waitFor()
    assert.strictEqual(await page.getByRole("button", { name: "Stop" }).count(), 0)
    assert.strictEqual((await account.executions.jobs.get(job_id ?? "")).status, "cancelled")
    assert.strictEqual((await account.executions.get(execution_id)).status, "queued")
  })
})
