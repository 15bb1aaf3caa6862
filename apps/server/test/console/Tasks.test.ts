/** Tasks: made, given versions, run from the page. */
import { assert, beforeAll, describe, it, vi } from "vitest"
import { checkView } from "./CheckView.ts"
import { consoleSuite, patience } from "./ConsoleSuite.ts"

const paramsSchema = {
  type: "object",
  required: ["carrier", "period"],
  properties: {
    carrier: { type: "string", enum: ["kestrel", "northquay"], title: "Carrier" },
    period: { type: "string", pattern: "^[0-9]{4}-[0-9]{2}$", description: "Month of the invoices" },
    copies: { type: "integer", minimum: 1, maximum: 9, default: 2 },
    hasPdf: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    address: { type: "object", properties: { city: { type: "string" } }, additionalProperties: false },
    extra: {}
  },
  additionalProperties: false
}

const deepSchema = {
  type: "object",
  required: ["kind"],
  additionalProperties: false,
  properties: {
    password: { type: "string", format: "password", title: "Portal password" },
    note: { type: ["string", "null"] },
    kind: {
      oneOf: [
        {
          title: "Invoice",
          type: "object",
          required: ["type", "number"],
          properties: { type: { const: "invoice" }, number: { type: "string" } },
          additionalProperties: false
        },
        {
          title: "Everything",
          type: "object",
          properties: { type: { const: "all" } },
          additionalProperties: false
        }
      ]
    },
    lines: {
      type: "array",
      items: { type: "object", required: ["sku"], properties: { sku: { type: "string" } } }
    },
    to: { $ref: "#/$defs/to" },
    speed: {
      title: "Speed",
      oneOf: [
        { const: 1, title: "Whenever" },
        { const: 2, title: "As fast as possible" }
      ]
    }
  },
  $defs: {
    to: {
      type: "object",
      properties: {
        address: {
          type: "object",
          properties: { place: { type: "object", properties: { city: { type: "string" } } } }
        }
      }
    }
  }
}

const hostile = { name: "<img src=x onerror=alert(1)>", description: "\u202egnp.exe \u001b[31m<b>red</b>" }

describe("tasks in the console", () => {
  const { accountId, admin, openConsole } = consoleSuite()

  beforeAll(async () => {
    const account = admin().account(await accountId())
    await account.agents.create({ name: "Portal EU 1" })
    await account.keys.create({ name: "Warehouse ERP" })
  }, patience)

  const aTask = async (
    slug: string,
    { name = "Download carrier invoices", description = "Once a month" } = {}
  ) => {
    const account = admin().account(await accountId())
    const task = await account.tasks.create({ slug, name, description })
    await account.tasks.publish(task.id, { params_schema: paramsSchema, tags: ["stable"] })
    return { account, task }
  }

  it(
    "are listed, strangers' words and all, and shut nobody out",
    async () => {
      await aTask("carrier-invoices")
      await aTask("hostile", hostile)
      const page = await openConsole("/tasks")

      await page.getByRole("link", { name: "Download carrier invoices" }).waitFor()

      await checkView(page, "tasks")
    },
    patience
  )

  it(
    "are run by a form made from their schema, on which the service's own words land at the fields",
    async () => {
      const { account, task } = await aTask("run-me")
      const page = await openConsole(`/tasks/${task.slug}`, { expects: /422/ })
      const form = page.getByRole("region", { name: "Run it" })
      await form.getByLabel("period").fill("October")
      // Somebody makes another version current meanwhile: nothing typed is lost, and it stays for its version.
      const before = (await account.tasks.get(task.id)).current_version?.id
      const later = await account.tasks.publish(task.id, {
        params_schema: { type: "object", properties: {} }
      })
      await account.tasks.setCurrent(task.id, { version_id: later.id })
      await form
        .getByRole("option", { name: /^Current/ })
        .filter({ hasText: `${later.number}` })
        .waitFor({ state: "attached" })
      assert.strictEqual(await form.getByLabel("period").inputValue(), "October")
      assert.strictEqual(await form.getByLabel("Version").inputValue(), before)
      await form.getByLabel("extra").fill("{")
      await form.getByText("Must be JSON").waitFor()
      await form.getByLabel("extra").fill('{"deep": [1]}')

      await form.getByRole("button", { name: "Validate" }).click()
      await form.getByText("Must match pattern").first().waitFor()
      await form.getByText("This field is required.").first().waitFor()
      await form.getByText("Each marked field says what is wrong.").waitFor()
      await form.getByLabel("Carrier").and(page.locator(":focus")).waitFor()
      await checkView(page, "task-refused")
      await form.getByLabel("Carrier").selectOption("kestrel")
      await form.getByLabel("period").fill("2026-10")
      await form.getByRole("button", { name: "Add one to tags" }).click()
      await form.getByRole("textbox", { name: "tags 1" }).fill("urgent")
      await form.getByRole("button", { name: "Validate" }).click()
      await form.getByText("The request is valid").waitFor()
      await form.getByRole("button", { name: "Run", exact: true }).click()
      await form.getByRole("link", { name: "Open the execution" }).waitFor()

      const [execution] = (await account.executions.list({ task_id: task.id }).page()).data
      const { params } = await account.executions.get(execution?.id ?? "")
      assert.deepStrictEqual(params, {
        carrier: "kestrel",
        period: "2026-10",
        copies: 2,
        tags: ["urgent"],
        extra: { deep: [1] }
      })
      await checkView(page, "task")
    },
    patience
  )

  it(
    "are made, get a version that the service has checked, tags that move, and another current version",
    async () => {
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
      await dialog.getByText("The schemas are valid.").waitFor()
      await checkView(page, "task-publish")
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
    },
    patience
  )

  it(
    "are changed in what is said of them, in their time limit and in their attempts",
    async () => {
      const { account, task } = await aTask("change-me")
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
    },
    patience
  )

  it(
    "have fields for what is nullable, for variants, and for lists of objects, with each error in its place",
    async () => {
      const { account } = await aTask("deep")
      const task = await account.tasks.create({ slug: "deeper", name: "Deeper" })
      await account.tasks.publish(task.id, { params_schema: deepSchema })
      const page = await openConsole(`/tasks/${task.id}`, { expects: /422/ })
      const form = page.getByRole("region", { name: "Run it" })
      await form.getByLabel("Portal password").fill("s3cret")
      await form.getByLabel("null for note").check()
      await form.getByLabel("Variant of kind").selectOption("Invoice")
      await form.getByRole("button", { name: "Add one to lines" }).click()
      await form.getByLabel(/^sku/).fill("KE-1")
      await form.getByLabel(/^city/).fill("Hamburg")
      await form.getByLabel("Speed").selectOption("As fast as possible")

      await form.getByRole("button", { name: "Validate" }).click()
      const number = form.locator(".field").filter({ has: page.getByLabel("number") })
      await number.getByText("This field is required.").waitFor()
      await checkView(page, "task-deep")
      await form.getByLabel("number").fill("4711")
      await form.getByRole("button", { name: "Run", exact: true }).click()
      await form.getByRole("link", { name: "Open the execution" }).waitFor()

      assert.strictEqual(await form.getByPlaceholder("JSON").count(), 0)
      const [execution] = (await account.executions.list({ task_id: task.id }).page()).data
      assert.deepStrictEqual((await account.executions.get(execution?.id ?? "")).params, {
        password: "s3cret",
        note: null,
        kind: { type: "invoice", number: "4711" },
        lines: [{ sku: "KE-1" }],
        to: { address: { place: { city: "Hamburg" } } },
        speed: 2
      })
    },
    patience
  )

  it(
    "are only looked at by viewers, who may check but not run",
    async () => {
      const { task } = await aTask("look-only")
      const page = await openConsole(
        `/tasks/${task.id}?params=${encodeURIComponent('{"carrier":"kestrel","period":"2026-10"}')}`,
        {
          role: "viewer"
        }
      )
      const run = page.getByRole("button", { name: "Run", exact: true })
      await page.getByRole("button", { name: "Validate" }).click()
      await page.getByText("The request is valid").waitFor()

      assert.strictEqual(await run.getAttribute("aria-disabled"), "true")
      assert.strictEqual(await page.getByLabel("period").inputValue(), "2026-10")
    },
    patience
  )

  it(
    "that are not here are said so",
    async () => {
      const page = await openConsole("/tasks/nothing-like-it", { expects: /404/ })

      const said = page.getByRole("heading", { name: "This task is not here" })
      await said.waitFor()
      assert.isTrue(await page.getByRole("link", { name: "All tasks" }).isVisible())
    },
    patience
  )
})
