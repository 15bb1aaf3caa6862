/** What an execution says while it is at work, and which others wait for it. */
import { createRunner, type Runner } from "@runhook/sdk/runner"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { checkView } from "./CheckView.ts"
import { consoleSuite } from "./ConsoleSuite.ts"
import { assertHarmless, hostileName } from "./Hostile.ts"

describe("an execution at work", () => {
  const { accountId, admin, baseUrl, openConsole } = consoleSuite()
  let runner: Runner
  let goOn = () => {}
  let run: (what: string, fields?: object) => Promise<string>

  beforeAll(async () => {
    const account = admin().account(await accountId())
    const agent = await account.agents.create({ name: "Portal EU 1", capacity: 2 })
    const task = await account.tasks.create({ slug: "logs", name: "Write a log" })
    await account.tasks.publish(task.id, { params_schema: { type: "object" } })
    const key = await account.keys.create({ name: "Warehouse ERP" })
    const { key: apiKey } = await account.runnerKeys.create({ name: "eu-1", agent_ids: [agent.id] })
    const ids = { key_id: key.id, agent_id: agent.id, task_id: task.id }
    run = async (what, fields) =>
      (await account.executions.create({ ...ids, params: { do: what }, ...fields })).execution_id
    runner = createRunner({
      baseUrl: baseUrl(),
      apiKey,
      capacity: 2,
      log: () => {},
      tasks: {
        logs: async ({ log, params, signal }) => {
          if (params["do"] === "wait")
            await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }))
          if (params["do"] === "nothing") return {}
          if (params["do"] === "talk") {
            log.info("Opened the portal")
            log.warn(hostileName)
          }
          await new Promise<void>((resolve) => {
            goOn = resolve
          })
          if (params["do"] !== "talk") return {}
          for (let page = 1; page <= 1_200; page++) log.debug(`Page ${page}`)
          log.error("No more pages")
          return {}
        }
      }
    })
    await runner.start()
  })

  afterAll(() => runner.stop())

  it("has its log read while it is written, by level, the newest 1,000 lines of it", async () => {
    const page = await openConsole(`/executions/${await run("talk")}`)
    const log = page.getByRole("log", { name: "Log" })
    await log.getByText("Opened the portal").waitFor()
    await page.getByText("2 lines, and more as its runner logs them.").waitFor()
    await assertHarmless(page)
    await checkView(page, "log")

    await page.evaluate(observeEnd)
    goOn()
    await log.getByText("No more pages").waitFor()
    await page.getByText("1,000 lines: the newest, older ones are gone.").waitFor()
    assert.strictEqual(await log.locator("p").count(), 1_000)
    // The last one stays in sight, also while others follow it at once.
    assert.isTrue(await page.evaluate(isAtEnd))
    assert.isTrue(await page.evaluate("wasAlwaysAtEnd"))
    await page.getByLabel("Level").selectOption("From warn")
    await page.getByText("1 line: the newest").waitFor()
    assert.match(await log.innerText(), /^\S+ error No more pages$/)
  })

  it("says that its runner logged nothing, once its log was read to the end", async () => {
    const page = await openConsole("/executions")
    const id = await run("listen")
    const rest = Promise.withResolvers<void>()
    await page.goto(`${baseUrl()}/integrations/executions/${id}`)
    await page.getByText("Nothing yet.").waitFor()
    await page.route(/\/logs\?/, (route) => rest.promise.then(() => route.continue()))
    goOn()
    await page.locator("h1").getByText("Completed").waitFor()
    const nothing = page.getByText("Its runner logged nothing.")
    assert.strictEqual(await nothing.count(), 0)
    rest.resolve()
    await nothing.waitFor()
    assert.strictEqual(await page.getByRole("log").count(), 0)
  })

  it("has the seat that another one waits for, which leads to it and can cancel it", async () => {
    const seat = { concurrency_key: "portal <b>", concurrency_limit: 1 }
    const holder = await run("wait", { ...seat, reference: "INV-1" })
    const first = await openConsole(`/executions/${holder}`)
    await first.getByText("Running").first().waitFor()
    const page = await openConsole(`/executions/${await run("nothing", seat)}`)
    await page.getByRole("heading", { name: "It waits for a seat" }).waitFor()
    await page
      .getByText("1 execution of the concurrency key portal <b> may be at work at once, and 1 is.")
      .waitFor()
    const row = page.getByRole("row", { name: /Running.*Write a log.*INV-1/ })
    assert.include(await row.getByRole("link").getAttribute("href"), holder)
    await checkView(page, "waits-for-a-seat")
    await row.getByRole("button", { name: "Cancel INV-1" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Cancel execution" }).click()
    await page.getByText("Its runner logged nothing.").waitFor()
  })
})

/** Whether the box of the log is scrolled to its end. */
const isAtEnd = `(() => {
  const box = document.querySelector("[role=log]")
  return box.scrollHeight > box.clientHeight && box.scrollTop + box.clientHeight > box.scrollHeight - 2
})()`

/** Notes whether it is so whenever lines have come, before anything is drawn. */
const observeEnd = `{
  const box = document.querySelector("[role=log]")
  globalThis.wasAlwaysAtEnd = true
  new MutationObserver(() => {
    wasAlwaysAtEnd &&= box.scrollTop + box.clientHeight > box.scrollHeight - 2
  }).observe(box, { childList: true })
}`
