/** The form that is made from the schema of a task, and runs it. */
import { assert, beforeAll, describe, it } from "vitest"
import { checkView } from "./CheckView.ts"
import { consoleSuite } from "./ConsoleSuite.ts"
import { holdNext } from "./Held.ts"

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

describe("tasks in their form", () => {
  const { accountId, admin, openConsole } = consoleSuite()

  beforeAll(async () => {
    const account = admin().account(await accountId())
    await account.agents.create({ name: "Portal EU 1" })
    await account.keys.create({ name: "Warehouse ERP" })
  })

  const makeTask = async (slug: string) => {
    const account = admin().account(await accountId())
    const task = await account.tasks.create({ slug, name: "Download carrier invoices" })
    await account.tasks.publish(task.id, { params_schema: paramsSchema })
    return { account, task }
  }

  it("are run by a form made from their schema, on which the service's own words land at the fields", async () => {
    const { account, task } = await makeTask("run-me")
    const page = await openConsole(`/tasks/${task.slug}`, { expects: /422/ })
    const form = page.getByRole("region", { name: "Run it" })
    await form.getByLabel("period").fill("October")
    // Somebody makes another version current meanwhile: nothing typed is lost, and it stays for its version,
    // also while the list of versions is on its way.
    const list = /\/versions\?/
    const { promise: asserted, resolve: answer } = Promise.withResolvers<void>()
    await page.route(list, (route) => asserted.then(() => route.continue()))
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
    answer()
    await page
      .getByRole("rowheader")
      .first()
      .filter({ hasText: `${later.number}` })
      .waitFor()
    assert.strictEqual(await form.getByLabel("Version").inputValue(), before)
    await page.unroute(list)
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
  })

  it("are run in the version that an address names, however many came after it", async () => {
    const { account, task } = await makeTask("of-old")
    const old = (await account.tasks.get(task.id)).current_version?.id ?? ""
    for (let count = 0; count < 51; count++) {
      await account.tasks.publish(task.id, { params_schema: { type: "object", title: `${count}` } })
    }
    const newest = (await account.tasks.get(task.id)).latest_version?.id ?? ""
    await account.tasks.setCurrent(task.id, { version_id: newest })
    const page = await openConsole(`/tasks/${task.id}?version=${old}`)
    const form = page.getByRole("region", { name: "Run it" })
    await form.getByLabel("period").waitFor()
    assert.strictEqual(await form.getByLabel("Version").inputValue(), old)
  })

  it("are run as their form shows it, whatever version, agent and key are newer by then", async () => {
    const { account, task } = await makeTask("as-shown")
    const page = await openConsole("/tasks")
    const names = await holdNext(page, /\/keys\?limit=/)
    await page.locator(`a[href$="${task.id}"]`).click()
    const form = page.getByRole("region", { name: "Run it" })
    await names.isAnswered
    await form.getByLabel("period").waitFor()
    // There is no request to copy yet: it has no key.
    const curl = form.getByRole("button", { name: "Copy this request as curl" })
    assert.strictEqual(await curl.count(), 0)
    await names.letGo()
    await curl.waitFor()
    const key = form.getByLabel("Run as key")
    const options = (name: string) => form.getByRole("option", { name }).waitFor({ state: "attached" })
    await options("Warehouse ERP")
    await form.getByLabel("Carrier").selectOption("kestrel")
    await form.getByLabel("period").fill("2026-10")
    const begunAs = await key.inputValue()
    await account.keys.create({ name: "Newer than that" })
    await options("Newer than that")
    assert.strictEqual(await key.inputValue(), begunAs)

    const begunWith = (await account.tasks.get(task.id)).current_version?.id
    await page.getByRole("button", { name: /^Live/ }).click()
    const later = await account.tasks.publish(task.id, { params_schema: { type: "object" } })
    await account.tasks.setCurrent(task.id, { version_id: later.id })
    await form.getByRole("button", { name: "Run", exact: true }).click()
    await form.getByRole("link", { name: "Open the execution" }).waitFor()

    const [run] = (await account.executions.list({ task_id: task.id }).page()).data
    assert.strictEqual((await account.executions.get(run?.id ?? "")).task_version_id, begunWith)
    await page.getByRole("button", { name: /^Paused/ }).click()
  })

  it("have fields for what is nullable, for variants, and for lists of objects, with each error in its place", async () => {
    const account = admin().account(await accountId())
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
  })

  it("are only looked at by viewers, who may check but not run", async () => {
    const { task } = await makeTask("look-only")
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
  })
})
