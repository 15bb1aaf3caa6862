/** Schedules, as somebody makes, watches, pauses and removes them on the page. */
import { assert, describe, it, vi } from "vitest"
import { checkView } from "./CheckView.ts"
import { consoleSuite, patience } from "./ConsoleSuite.ts"
import { holdNext } from "./Held.ts"
import { hostileName } from "./Hostile.ts"

describe("schedules in the console", () => {
  const { accountId, admin, baseUrl, openConsole } = consoleSuite()

  const makeTask = async () => {
    const account = admin().account(await accountId())
    const task = await account.tasks.create({ slug: `bills-${crypto.randomUUID()}`, name: "Fetch bills" })
    await account.tasks.publish(task.id, {
      params_schema: {
        type: "object",
        required: ["carrier"],
        properties: { carrier: { type: "string", minLength: 3 } }
      }
    })
    const agent = await account.agents.create({ name: "Portal EU 1" })
    const key = await account.keys.create({ name: "Warehouse ERP" })
    return { account, agent, key, task }
  }

  it("are made by a form whose errors land at their fields, and then show when they are due", async () => {
    await makeTask()
    const page = await openConsole("/schedules", { expects: /422/ })
    await page.getByRole("heading", { name: "No schedules yet" }).waitFor()
    await checkView(page, "schedules-none")
    await page.getByRole("button", { name: "New schedule" }).first().click()
    const form = page.getByRole("dialog", { name: "New schedule" })
    await form.getByLabel("Name").fill("Bills of the night")
    const schema = await holdNext(page, /\/tasks\/.*\/versions\//)
    await form.getByLabel("Task").selectOption({ label: "Fetch bills" })
    await schema.isAnswered
    const create = form.getByRole("button", { name: "Create schedule" })
    assert.strictEqual(await create.getAttribute("aria-disabled"), "true")
    await schema.letGo()
    await form.getByLabel("Agent").selectOption({ label: "Portal EU 1" })
    await form.getByLabel("Run as key").selectOption({ label: "Warehouse ERP" })
    await form.getByLabel("Cron expression").fill("61 2 * * *")
    await form.getByLabel("Time zone").fill("Europe/Berlin")
    await form.getByLabel("carrier").fill("ab")
    await form.getByRole("button", { name: "Create schedule" }).click()
    await form.getByRole("alert").waitFor()
    await checkView(page, "schedule-wrong")
    assert.strictEqual(await form.getByLabel("Cron expression").getAttribute("aria-invalid"), "true")

    await form.getByLabel("Cron expression").fill("30 2 * * 1-5")
    await form.getByText("Monday to Friday at 02:30").waitFor()
    await form.getByRole("button", { name: "Create schedule" }).click()
    await form.getByLabel("carrier").and(form.locator("[aria-invalid]")).waitFor()
    await form.getByLabel("carrier").fill("kestrel")
    await form.getByRole("button", { name: "Create schedule" }).click()

    await page.getByRole("heading", { level: 1, name: "Bills of the night" }).waitFor()
    const due = page.getByRole("region", { name: "Next due times by day" }).getByRole("row")
    assert.strictEqual(await due.count(), 6)
    await page.getByText("In Europe/Berlin, without jitter.").waitFor()
    await checkView(page, "schedule")
    await page.goBack()
    await page.getByRole("row", { name: /Active.*Bills of the night.*Monday to Friday at 02:30/ }).waitFor()
    await checkView(page, "schedules")
  })

  it("are triggered, paused, changed and removed, each time with what follows from it", async () => {
    const { account, agent, key, task } = await makeTask()
    const { id } = await account.schedules.create({
      name: hostileName,
      key_id: key.id,
      cron: "0 4 * * *",
      time_zone: "UTC",
      execution: {
        agent_id: agent.id,
        task_id: task.id,
        params: { carrier: "kestrel" },
        metadata: { team: "night" },
        callback_events: ["execution.completed"]
      }
    })
    const page = await openConsole("/schedules")
    const none = await holdNext(page, /\/executions\?schedule_id=/)
    await page.locator(`a[href$="${id}"]`).first().click()
    await page.getByRole("heading", { name: "Next due times" }).waitFor()
    await none.isAnswered
    assert.strictEqual(await page.getByText("None yet.").count(), 0)
    await none.letGo()
    await page.getByText("None yet.").waitFor()
    await page.getByRole("button", { name: "Trigger now" }).click()
    await page.getByRole("link", { name: "Open the execution" }).waitFor()
    const runs = page.getByRole("region", { name: "Its latest executions" })
    await runs.getByRole("row", { name: /Queued/ }).waitFor()
    await page.getByRole("link", { name: "All of its executions" }).waitFor()

    // What was asked for before a change does not take the place of its answer.
    const before = await holdNext(page, /\/schedules\/[^/]+$/)
    await page.getByRole("button", { name: "Pause" }).click()
    await page.getByText("None while it is paused.").waitFor()
    await before.isAnswered
    await page.keyboard.press(".")
    await page.getByRole("button", { name: "Resume" }).click()
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor()
    await before.letGo()
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor()
    await page.keyboard.press(".")
    await page.getByRole("button", { name: "Pause" }).waitFor()

    await page.getByRole("button", { name: "Change…" }).click()
    const form = page.getByRole("dialog", { name: "Change this schedule" })
    await form.getByText("At a distance").click()
    await form.getByLabel("Seconds between due times").fill("86400")
    await form.getByLabel("carrier").fill("tern")
    await form.getByRole("button", { name: "Save" }).click()
    await form.waitFor({ state: "detached" })
    await page.getByText("every 1 d").first().waitFor()
    const changed = await account.schedules.get(id)
    assert.deepInclude(changed, { every_seconds: 86_400, cron: null })
    assert.deepInclude(changed.execution, {
      params: { carrier: "tern" },
      metadata: { team: "night" },
      callback_events: ["execution.completed"]
    })

    await page.getByRole("button", { name: "Remove…" }).click()
    const question = page.getByRole("dialog", { name: "Remove this schedule" })
    await question.getByText(/It is due every 1 d, next at .*Executions that it created stay/).waitFor()
    await checkView(page, "schedule-remove")
    await question.getByRole("button", { name: "Remove" }).click()
    await page.getByRole("heading", { level: 1, name: "Schedules" }).waitFor()
    const left = await account.schedules.list().toArray({ limit: 10 })
    assert.notInclude(
      left.map((each) => each.id),
      id
    )
  })

  it("show by day what came of their runs, and when they are due, in the zone that the page names", async () => {
    const { account, agent, key, task } = await makeTask()
    const { id } = await account.schedules.create({
      name: "Bills of the week",
      key_id: key.id,
      cron: "0 4 * * *",
      time_zone: "UTC",
      execution: { agent_id: agent.id, task_id: task.id, params: { carrier: "kestrel" } }
    })
    const { execution_id } = await account.schedules.trigger(id)
    await account.executions.cancel(execution_id, {})
    const page = await openConsole("/schedules", { timezoneId: "Pacific/Apia" })
    const days = page.getByRole("region", { name: /^Schedules by day, in / }).getByRole("row")

    await page.getByRole("region", { name: "Schedules by day, in Pacific/Apia" }).waitFor()
    await days
      .filter({ hasText: "today" })
      .getByRole("link", { name: /Cancelled/ })
      .waitFor()
    assert.strictEqual(await days.count(), 14)
    // Four in the morning of UTC is in the afternoon there.
    assert.isAtLeast(await days.filter({ hasText: "due 17:00" }).count(), 5)
    await page.keyboard.press("t")
    await page.getByRole("region", { name: "Schedules by day, in UTC" }).waitFor()
    const due = days.filter({ hasText: "Bills of the week" }).filter({ hasText: "due 04:00" })
    assert.isAtLeast(await due.count(), 5)
    await due.last().getByText("due 04:00 …").waitFor()
    await page.getByText("Of each schedule the next 5 due times are known.").waitFor()
    await checkView(page, "schedules-week")
    // What comes of them is seen as it happens.
    const next = await account.schedules.trigger(id)
    const now = page.locator(`a[href$="${next.execution_id}"]`)
    await now.getByText(/Queued|Running|Completed/).waitFor()
    await account.executions.cancel(execution_id, {}).catch(() => {})
    await days
      .filter({ hasText: "today" })
      .getByRole("link", { name: /Cancelled/ })
      .first()
      .click()
    await page.waitForURL(`**/executions/${execution_id}`)

    // A week in which clocks go back has seven days as well.
    const autumn = await openConsole("/schedules", { timezoneId: "Europe/Berlin" })
    await autumn.clock.setFixedTime("2026-10-23T12:00:00Z")
    await autumn.reload()
    const heads = autumn.getByRole("region", { name: /^Schedules by day, in Europe/ }).getByRole("rowheader")
    await heads.nth(12).waitFor()
    const names = await heads.allInnerTexts()
    assert.include(names, "Sun 25 Oct")
    assert.strictEqual(new Set(names).size, 13)
    await account.schedules.remove(id)
  })

  it("show by day what they did in a busy account too, and where there is more than is shown", async () => {
    const { account, agent, key, task } = await makeTask()
    const makeSchedule = (name: string) =>
      account.schedules.create({
        name,
        key_id: key.id,
        cron: "0 4 1 1 *",
        time_zone: "UTC",
        execution: { agent_id: agent.id, task_id: task.id, params: { carrier: "kestrel" } }
      })
    const rare = await makeSchedule("Rarely due")
    const often = await makeSchedule("Often due")
    const { execution_id } = await account.schedules.trigger(rare.id)
    // More than are asked for at once, of all schedules together.
    for (let count = 0; count < 204; count += 12)
      await Promise.all(Array.from({ length: 12 }, () => account.schedules.trigger(often.id)))
    const page = await openConsole("/schedules")
    const today = page
      .getByRole("region", { name: /^Schedules by day, in / })
      .getByRole("row")
      .filter({ hasText: "today" })

    await today.locator(`a[href$="${execution_id}"]`).waitFor()
    const more = today.getByRole("link", { name: "More before" })
    assert.strictEqual(await more.count(), 1)
    await more.click()
    await page.waitForURL(new RegExp(`/executions\\?schedule=${often.id}&from=.*&to=`))
    await page.getByText("50 shown").waitFor()
    await Promise.all([rare, often].map(({ id }) => account.schedules.remove(id)))
  })

  it("ask for the names of their task, agent and key together, and again when there is a new one", async () => {
    const { account, agent, key, task } = await makeTask()
    const { id } = await account.schedules.create({
      name: "Named",
      key_id: key.id,
      every_seconds: 86_400,
      execution: { agent_id: agent.id, task_id: task.id, params: { carrier: "kestrel" } }
    })
    const page = await openConsole("/schedules")
    const names: Array<string> = []
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url())
      if (search === "?limit=200") names.push(pathname.slice(pathname.lastIndexOf("/") + 1))
    })
    page.on("response", (response) => {
      if (response.url().endsWith("/changes")) names.push("changes")
    })

    // They wait for the stream of changes for no more than a second, which may pass on a busy machine.
    await vi.waitFor(
      async () => {
        names.length = 0
        await page.goto(`${baseUrl()}/integrations/schedules/${id}`)
        await page.locator(`a[href$="${agent.id}"]`).getByText(agent.name).waitFor()
        assert.strictEqual(names.shift(), "changes")
        assert.deepStrictEqual(names.toSorted(), ["agents", "keys", "tasks"])
      },
      { timeout: patience / 2, interval: 1 }
    )

    await account.agents.create({ name: "One more" })
    await vi.waitFor(() => assert.strictEqual(names.length, 6), { timeout: patience })
    await account.schedules.remove(id)
  })

  it("are only looked at by viewers, who see why the last due time created nothing", async () => {
    const { account, agent, key, task } = await makeTask()
    const { id } = await account.schedules.create({
      name: "Every second",
      key_id: key.id,
      every_seconds: 1,
      execution: { agent_id: agent.id, task_id: task.id, params: { carrier: "kestrel" } }
    })
    await account.tasks.update(task.id, { enabled: false })
    const page = await openConsole(`/schedules/${id}`, { role: "viewer" })
    await page.getByRole("heading", { name: "The last due time created nothing" }).waitFor()
    await checkView(page, "schedule-refused")
    await page.getByRole("button", { name: "Trigger now" }).hover()
    await page.getByText("You have the role viewer").first().waitFor()
    await account.schedules.remove(id)
  })
})
