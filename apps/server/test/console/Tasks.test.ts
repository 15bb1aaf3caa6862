/** Tasks: made, changed, and given versions. */
import { assert, describe, it, vi } from "vitest"
import { checkView } from "./CheckView.ts"
import { consoleSuite, patience } from "./ConsoleSuite.ts"

const hostile = { name: "<img src=x onerror=alert(1)>", description: "\u202egnp.exe \u001b[31m<b>red</b>" }

describe("tasks in the console", () => {
  const { accountId, admin, openConsole } = consoleSuite()

  const makeTask = async (
    slug: string,
    { name = "Download carrier invoices", description = "Once a month" } = {}
  ) => {
    const account = admin().account(await accountId())
    const task = await account.tasks.create({ slug, name, description })
    await account.tasks.publish(task.id, { params_schema: { type: "object" }, tags: ["stable"] })
    return { account, task }
  }

  it("are listed, strangers' words and all, and shut nobody out", async () => {
    await makeTask("carrier-invoices")
    await makeTask("hostile", hostile)
    const page = await openConsole("/tasks")

    await page.getByRole("link", { name: "Download carrier invoices" }).waitFor()

    await checkView(page, "tasks")
  })

  it("are made, get a version that the service has checked, tags that move, and another current version", async () => {
    const page = await openConsole("/tasks/new", { expects: /422/ })
    await page.getByLabel("Name", { exact: true }).fill("Book a dock slot")
    await checkView(page, "task-new")
    await page.getByRole("button", { name: "Create task" }).click()
    await page.getByRole("heading", { name: "No version yet" }).waitFor()
    await checkView(page, "task-empty")

    await page.getByRole("button", { name: "Publish…" }).first().click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Schema of params").fill('{"type": "teapot"}')
    await dialog.locator(".wrong").waitFor()
    await dialog.getByLabel("Schema of params").fill('{"type": "object", "required": ["dock"]}')
    const valid = dialog.getByText("The schemas are valid.")
    await valid.waitFor()
    await checkView(page, "task-publish")
    // Of what was typed since, nobody knows yet.
    const judged = Promise.withResolvers<void>()
    await page.route(/validate_only/, (route) => judged.promise.then(() => route.continue()))
    await dialog.getByLabel("Schema of params").fill('{"type": "object", "required": ["gate"]}')
    assert.strictEqual(await valid.count(), 0)
    judged.resolve()
    await dialog.getByLabel("Schema of params").fill('{"type": "object", "required": ["dock"]}')
    await dialog.getByLabel(/^Tags/).fill("stable")
    await dialog.getByRole("button", { name: "Publish" }).click()
    const versions = page.getByRole("region", { name: "Versions" })
    await versions.getByText("current", { exact: true }).waitFor()

    await page.getByRole("button", { name: "Publish…" }).click()
    await dialog.getByText("1, from which this one starts").waitFor()
    const begun = dialog.getByLabel("Schema of params")
    await vi.waitFor(async () => assert.match(await begun.inputValue(), /"dock"/), { timeout: patience })
    assert.deepStrictEqual(JSON.parse(await begun.inputValue()), { type: "object", required: ["dock"] })
    await checkView(page, "task-publish-next")
    await begun.fill('{"type": "object", "required": ["dock", "at"]}')
    await dialog.getByText("params.at is now required.").waitFor()
    await dialog.getByRole("region", { name: "Difference" }).getByText('+     "at"').waitFor()
    await checkView(page, "task-publish-breaks")
    await dialog.getByLabel("Make it the current version").uncheck()
    await dialog.getByRole("button", { name: "Publish" }).click()
    await versions.getByRole("button", { name: "Make version 2 current" }).click()
    await versions.getByRole("button", { name: "Make version 1 current" }).waitFor()
    await versions.getByRole("button", { name: "Move tag…" }).click()
    await dialog.getByLabel("Tag", { exact: true }).fill("stable")
    await dialog.getByText("It points to version 1 now.").waitFor()
    await dialog.getByRole("button", { name: "Move tag" }).click()
    await dialog.waitFor({ state: "hidden" })

    await page.getByText("Schemas", { exact: true }).click()
    await page.getByLabel("Compared with").selectOption({ index: 1 })
    await page.getByRole("region", { name: "Difference" }).waitFor()
    await checkView(page, "task-diff")
    const account = admin().account(await accountId())
    const made = (await account.tasks.list().page()).data.find(({ slug }) => slug === "book-a-dock-slot")
    assert.strictEqual(made?.current_version?.number, 2)
    assert.strictEqual(made?.tags["stable"], made?.current_version?.id)

    // What somebody else changes meanwhile closes nothing.
    const difference = await page.getByRole("region", { name: "Difference" }).elementHandle()
    await account.tasks.update(made?.id ?? "", { description: "By the gate" })
    await page.getByText("By the gate").waitFor()
    assert.strictEqual(await difference?.isVisible(), true)
  })

  it("are changed in what is said of them, in their time limit and in their attempts", async () => {
    const { account, task } = await makeTask("change-me")
    const page = await openConsole(`/tasks/${task.slug}`, { expects: /400/ })
    await page.getByRole("button", { name: "Change…" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Description").fill("Twice a month")
    await dialog.getByLabel("Time limit, in seconds").fill("900")
    await dialog.getByLabel("Max. attempts").fill("0")
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.locator(".field", { hasText: "Max. attempts" }).locator(".wrong").waitFor()
    await checkView(page, "task-change")

    await dialog.getByLabel("Max. attempts").fill("3")
    await dialog.getByLabel("First delay, in seconds").fill("20")
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.waitFor({ state: "hidden" })
    await page.getByText("Twice a month").waitFor()

    const changed = await account.tasks.get(task.id)
    assert.deepStrictEqual(
      [changed.name, changed.timeout_seconds, changed.retry.max_attempts, changed.retry.initial_seconds],
      [task.name, 900, 3, 20]
    )
    assert.strictEqual(changed.retry.jitter, task.retry.jitter)
    await page.getByRole("button", { name: "Disable" }).click()
    await page.getByRole("button", { name: "Enable" }).waitFor()
    assert.isFalse((await account.tasks.get(task.id)).enabled)
  })

  it("that are not here are said so", async () => {
    const page = await openConsole("/tasks/nothing-like-it", { expects: /404/ })

    const said = page.getByRole("heading", { name: "This task is not here" })
    await said.waitFor()
    assert.isTrue(await page.getByRole("link", { name: "All tasks" }).isVisible())
  })
})
