/** How an account fares: the overview, its receivers and what was counted, for who begins and for who has trouble. */
import { answering, type Receiver, startReceiver } from "@runhook/test-support/receivers/Receiver"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { checkView, keepShot } from "./CheckView.ts"
import { consoleSuite, patience } from "./ConsoleSuite.ts"
import { assertHarmless, hostileName } from "./Hostile.ts"
import { tryNow } from "./TryNow.ts"

describe("a newcomer", () => {
  const { admin, openConsole } = consoleSuite({})

  it("makes the four first steps, each of which ticks itself", async () => {
    const page = await openConsole("/")
    const steps = page.locator("main ol.steps > li")
    await page.getByText("Welcome to Runhook").waitFor()
    await page.getByRole("heading", { name: /^A runner is online \(done\)$/ }).waitFor()
    const command = await page.getByRole("region", { name: "command that queues an execution" }).innerText()
    assert.match(command, /\/api\/v1\/integrations\/executions'/)
    assert.match(command, /"agent_id":"[0-9a-f-]{36}","task_id":"[0-9a-f-]{36}"/)
    await checkView(page, "overview-first-steps")

    await page.getByRole("button", { name: "Run it from here" }).click()
    await page.getByRole("heading", { name: /^Queue an execution \(done\)$/ }).waitFor()
    await page.getByRole("heading", { name: /^Watch the callbacks arrive \(done\)$/ }).waitFor()
    assert.strictEqual(await steps.filter({ has: page.locator("h3 .hide") }).count(), 4)
    await keepShot(page, "overview-first-steps-done")
    await page.getByRole("button", { name: "Show the overview" }).click()

    await page.getByText("Nothing needs you.").waitFor()
  })

  it("has the keyboard where it was when the steps come in place of nothing", async () => {
    const other = await admin().accounts.create({ name: "Somebody new" })
    const page = await openConsole("/deliveries", { accountId: other.id })
    await page.keyboard.press("g")
    await page.keyboard.press("o")

    await page.getByText("Welcome to Runhook").waitFor()

    assert.strictEqual(await page.evaluate("document.activeElement.textContent"), "Overview")
  })
})

describe("an account with receivers", () => {
  const { accountId, admin, baseUrl, openConsole } = consoleSuite()
  let refusing: Receiver
  let taking: Receiver
  let keyId: string
  beforeAll(async () => {
    refusing = await startReceiver(answering(401))
    taking = await startReceiver()
    const account = admin().account(await accountId())
    const { id } = await account.keys.create({ name: hostileName })
    keyId = id
    for (const receiver of [taking, refusing, refusing, refusing]) {
      await account.webhooks.test({ key_id: id, callback_url: receiver.url })
    }
    for (const receiver of [taking, refusing]) {
      await untilCalled(receiver)
    }
    await untilCounted(() => account.usage.receivers().then(({ data }) => data.length >= 2))
  })
  afterAll(() => {
    refusing?.close()
    taking?.close()
  })

  it("says what is wrong first, and leads to what was sent", async () => {
    const page = await openConsole("/")

    const need = page.locator(".needs li").first()
    await need.getByText(new RegExp(`${refusing.origin}.*refuses the signature \\(401\\)`)).waitFor()
    await page
      .getByRole("img", { name: /^Delivery success rate, as a chart/ })
      .locator("svg")
      .waitFor()
    await checkView(page, "overview-trouble")
    await need.getByRole("link", { name: refusing.origin }).click()

    await page.getByRole("heading", { level: 1, name: "Deliveries" }).waitFor()
    assert.strictEqual(new URL(page.url()).searchParams.get("origin"), refusing.origin)
  })

  it("sends a test webhook from there, and shows what becomes of it as it happens", async () => {
    const receiver = await startReceiver(answering(503))
    try {
      const page = await openConsole("/")
      const open = page.getByRole("button", { name: "Send test webhook" })
      await open.click()
      const test = page.getByRole("region", { name: "Test webhook" })
      await test.getByLabel("Send to").fill(receiver.url)
      await test.getByRole("button", { name: "Send", exact: true }).click()
      await test.getByText(/^503 after /).waitFor()
      await tryNow({
        button: test.getByRole("button", { name: "Try now" }),
        mend: () => receiver.answer(answering(204)),
        shown: test.getByText(/^204 in .+: it works/)
      })

      assert.isAtLeast(receiver.received.length, 2)
      await checkView(page, "overview-test-webhook")
      assert.strictEqual(new URL(page.url()).pathname, "/integrations")
      await open.click()
      await test.waitFor({ state: "detached" })
    } finally {
      receiver.close()
    }
  })

  it("has a table behind each chart", async () => {
    const page = await openConsole("/?span=7d")
    const charts = page.locator("figure.chart")
    await charts.first().locator("svg").waitFor()

    for (const chart of await charts.all()) {
      await chart.getByText("Show the numbers").click()
      await chart
        .locator("tbody tr")
        .nth(7 * 24 - 1)
        .waitFor({ state: "attached" })
    }

    assert.strictEqual(await charts.count(), 4)
    await checkView(page, "overview-numbers")
  })

  it("asks for every number once, and again only for what a change is about", async () => {
    // One whose only delivery is over: an attempt meanwhile would be a reason to ask again.
    const quiet = await admin().accounts.create({ name: "Quiet" })
    const account = admin().account(quiet.id)
    const key = await account.keys.create({ name: "Quiet" })
    await account.webhooks.test({ key_id: key.id, callback_url: taking.url })
    await untilCounted(() =>
      account.usage
        .receivers()
        .then(({ data }) => data.some(({ last_success_at }) => last_success_at !== null))
    )
    const page = await openConsole("/receivers", { accountId: quiet.id })
    await page.getByText("Live", { exact: true }).waitFor()
    // By the page's own clock: the view before may ask until the very moment of the click.
    const clicked = await page.evaluate<number>(
      "(() => { const at = performance.now(); document.querySelector('nav a[href=\"/integrations\"]').click(); return at })()"
    )
    await page.locator("figure.chart .plot svg").first().waitFor()

    const askedSince = (at: number) =>
      page.evaluate<ReadonlyArray<string>>(
        `performance.getEntriesByType("resource").filter(({ initiatorType, startTime }) => initiatorType === "fetch" && startTime >= ${at}).map(({ name }) => new URL(name).pathname.split("/").at(-1)).sort()`
      )
    assert.deepStrictEqual(await askedSince(clicked), [
      "agents",
      "audit",
      "deliveries",
      "executions",
      "keys",
      "overview",
      "receivers",
      "tasks",
      "usage"
    ])
    const chosen = await page.evaluate<number>("performance.now()")
    await page.getByRole("link", { name: "30 days" }).click()
    await page.getByRole("heading", { name: "Last 30 days" }).waitFor()
    await page.locator("figure.chart .plot svg").first().waitFor()

    assert.deepStrictEqual(await askedSince(chosen), ["audit", "usage"])
  })

  it("lists receivers, the worst first", async () => {
    const page = await openConsole("/receivers")
    await page.getByRole("row", { name: new RegExp(taking.origin) }).waitFor()

    const origins = await page.locator("tbody th").allInnerTexts()

    assert.strictEqual(origins[0], refusing.origin)
    assert.strictEqual(origins.at(-1), taking.origin)
    assert.match(await page.locator("tbody tr").first().innerText(), /Refuses the signature \(401\)/)
    await checkView(page, "receivers")
  })

  it("shows what was counted of each key, whatever it is called", async () => {
    const page = await openConsole("/usage?group=key&span=24h")
    await page.locator("figure.chart .plot svg").first().waitFor()
    await page.locator(`tbody a[href="/integrations/keys/${keyId}"]`).waitFor()

    await assertHarmless(page)
    await checkView(page, "usage")
    await page.getByLabel("Scope", { exact: true }).selectOption("none")
    await page.getByLabel("Time", { exact: true }).selectOption("90d")

    await page.waitForURL(`${baseUrl()}/integrations/usage?group=none&span=90d`)
  })
})

describe("an account in which nothing was ever done", () => {
  const { admin, openConsole } = consoleSuite()

  it("says on every view how it begins", async () => {
    const { id } = await admin().accounts.create({ name: "Meridian Freight" })
    const page = await openConsole("/", { accountId: id })
    await page.getByRole("heading", { name: "Create an API key" }).waitFor()
    await checkView(page, "overview-empty")

    await page.goto(page.url().replace(/\/integrations.*/, "/integrations/receivers"))
    await page.getByRole("heading", { name: "No receiver yet" }).waitFor()
    await checkView(page, "receivers-empty")
    await page.goto(page.url().replace(/\/integrations.*/, "/integrations/usage"))
    await page.getByRole("heading", { name: "No usage yet" }).waitFor()
    await checkView(page, "usage-empty")
  })
})

const untilCalled = (receiver: Receiver) => untilCounted(() => Promise.resolve(receiver.received.length > 0))

/** Asks again and again, as counts are a second late. */
const untilCounted = (isSo: () => Promise<boolean>) =>
  vi.waitFor(async () => assert.isTrue(await isSo()), { timeout: patience, interval: 200 })
