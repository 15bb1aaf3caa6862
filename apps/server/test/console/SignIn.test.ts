/** How people sign in to the Integrations page, stay signed in, and leave. */
import type { BrowserContext, Page, Route } from "playwright-core"
import { assert, describe, it } from "vitest"
import { checkView, keepShot } from "./CheckView.ts"
import { consoleSuite } from "./ConsoleSuite.ts"
import { holdNext } from "./Held.ts"

/** The browser's messages about calls that were refused without a session. */
const refused = /401/

describe("signing in", () => {
  const { accountId, admin, baseUrl, openConsole } = consoleSuite()

  const makeLink = async (
    account: string,
    fields: { readonly role?: "viewer"; readonly name?: string } = {}
  ) => (await admin().account(account).consoleLinks.create(fields)).url

  /** A link that the signed-in person makes for another browser. */
  const linkFrom = async (page: Page, account: string): Promise<string> => {
    const answer = await page.request.post(`${baseUrl()}/api/v1/admin/accounts/${account}/console-links`, {
      headers: { origin: baseUrl(), "x-runhook-console": "1" },
      data: { name: "Grace" }
    })
    return (await answer.json()).url
  }

  const pathOf = (link: string) => link.slice(`${baseUrl()}/integrations`.length)

  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()

  const overview = (page: Page) => page.getByRole("heading", { level: 1, name: "Overview" }).waitFor()

  /** Signs in by a link in another tab of the same window. */
  const signInBeside = async (context: BrowserContext, link: string) => {
    const page = await context.newPage()
    await page.goto(link)
    await press(page, "Sign in")
    await overview(page)
    return page
  }

  /** Holds the next call of an address, and answers late that no one is signed in. */
  const held = async (page: Page, address: string) => {
    const asked = Promise.withResolvers<Route>()
    let isHeld = false
    await page.route(address, (route) => {
      if (isHeld) return route.continue()
      isHeld = true
      asked.resolve(route)
    })
    return {
      isAsked: asked.promise,
      refuse: async () => {
        const route = await asked.promise
        const error = { code: "unauthorized", message: "Nobody", details: null, request_id: "req_1" }
        await route.fulfill({ status: 401, json: { error } })
      }
    }
  }

  it("takes a button, so that whoever only looks at a link uses nothing up", async () => {
    const link = await makeLink(await accountId())
    const looked = await openConsole(pathOf(link), { role: null, expects: refused })
    await checkView(looked, "sign-in")
    const page = await openConsole(pathOf(link), { role: null })

    await press(page, "Sign in")
    await overview(page)

    const [cookie] = await page.context().cookies()
    assert.strictEqual(page.url(), `${baseUrl()}/integrations`)
    assert.deepInclude(cookie, { name: "runhook", httpOnly: true, sameSite: "Strict" })
    assert.notInclude(await page.evaluate("JSON.stringify(localStorage)"), cookie?.value ?? "?")
  })

  it("leaves nothing of the link in the address, the history or what the browser keeps", async () => {
    const link = await makeLink(await accountId())
    const token = new URL(link).hash.slice(1)

    const page = await openConsole(pathOf(link), { role: null })

    assert.strictEqual(page.url(), `${baseUrl()}/integrations/sign-in`)
    const kept = await page.evaluate(
      "JSON.stringify([document.documentElement.outerHTML, history.state, localStorage, sessionStorage])"
    )
    assert.notInclude(String(kept), token)
  })

  it("says that a link was used, and takes the next one in the same tab", async () => {
    const used = await makeLink(await accountId())
    await press(await openConsole(pathOf(used), { role: null }), "Sign in")
    const page = await openConsole(pathOf(used), { role: null, expects: refused })

    await press(page, "Sign in")
    await page.getByRole("heading", { name: "This link no longer works" }).waitFor()
    await checkView(page, "sign-in-used")
    await page.goto(await makeLink(await accountId()))
    await press(page, "Sign in")

    await overview(page)
  })

  it("says how to come by a link, wherever in the page one arrives", async () => {
    const page = await openConsole("/deliveries?state=dead", { role: null, expects: refused })

    await page.getByText("runhook console-link").waitFor()
    await checkView(page, "sign-in-without-link")

    assert.strictEqual(page.url(), `${baseUrl()}/integrations/deliveries?state=dead`)
    assert.strictEqual(await page.getByText("company account").count(), 0)
  })

  it("again in another tab goes on in the first one, with all that was typed", async () => {
    const page = await openConsole("/tasks/new", { expects: refused })
    const typed = page.getByLabel("Name", { exact: true })
    await typed.fill("half a thought")
    const beside = await page.context().newPage()
    await beside.goto(`${baseUrl()}/integrations`)
    await overview(beside)
    await beside.getByRole("button", { name: /Demo/ }).click()
    await press(beside, "Sign out")
    const question = page.getByRole("dialog", { name: "You were signed out" })
    await question.waitFor()
    await checkView(page, "signed-out")
    await page.keyboard.press("Escape")
    await question.waitFor()

    await signInBeside(page.context(), await makeLink(await accountId()))

    await question.waitFor({ state: "detached" })
    assert.strictEqual(await typed.inputValue(), "half a thought")
    assert.strictEqual(page.url(), `${baseUrl()}/integrations/tasks/new`)
  })

  it("to another account does not send there what was typed for the first", async () => {
    const page = await openConsole("/deliveries", { expects: refused })
    const other = await admin().accounts.create({ name: "Somebody else" })
    await page.context().clearCookies()

    const beside = await signInBeside(page.context(), await makeLink(other.id))

    const question = page.getByRole("dialog", { name: "This is another account" })
    await question.waitFor()
    await checkView(page, "signed-in-elsewhere")
    await press(page, "Show Somebody else")
    await question.waitFor({ state: "detached" })
    assert.isTrue(await page.getByRole("button", { name: /Somebody else/ }).isVisible())
    await beside.close()
  })

  it("is not undone by the refusal of a call that was sent before", async () => {
    const page = await openConsole("/deliveries", { expects: refused })
    const keys = await held(page, "**/accounts/*/keys?*")
    await page.getByRole("link", { name: "API keys" }).click()

    const asked = page.waitForResponse("**/admin/session")
    await keys.refuse()

    assert.strictEqual((await asked).status(), 200)
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.getByRole("button", { name: /^Live/ }).waitFor()
  })

  it("is asked about once and not on and on while calls are refused all the same", async () => {
    const page = await openConsole("/deliveries", { expects: refused })
    await page.clock.setFixedTime(new Date())
    let asked = 0
    page.on("request", (request) => {
      if (request.url().endsWith("/admin/session")) asked += 1
    })
    await page.route("**/changes", (route) => route.fulfill({ status: 401 }))
    const keys = await held(page, "**/accounts/*/keys?*")
    await page.getByRole("link", { name: "API keys" }).click()

    const followed = page.waitForResponse("**/changes")
    await keys.refuse()
    await followed
    await page.getByRole("dialog", { name: "You were signed out" }).waitFor()
    await page.evaluate("fetch('/integrations').then((answer) => answer.text())")

    assert.strictEqual(asked, 1)
  })

  it("is not undone by an answer to an earlier question of who that is", async () => {
    const page = await openConsole("/deliveries", { expects: refused })
    const question = await held(page, "**/admin/session")
    const lookAgain = () => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await lookAgain()
    await question.isAsked
    const later = page.waitForResponse("**/admin/session")
    await lookAgain()
    await (await later).finished()

    await question.refuse()
    await page.evaluate("fetch('/integrations').then((answer) => answer.text())")

    assert.strictEqual(await page.getByRole("dialog").count(), 0)
  })

  it("to a second account adds it, and the menu goes from one to the other with the role in each", async () => {
    const { id } = await admin()
      .account(await accountId())
      .agents.create({ name: "Portal of Demo" })
    const page = await openConsole(`/agents/${id}`, { expects: /404/ })
    await page.locator("h1").getByText("Portal of Demo").waitFor()
    const long = "Meridian Freight and Forwarding of the Northern Provinces, Customs Department"
    const other = await admin().accounts.create({ name: long })

    await signInBeside(page.context(), await makeLink(other.id, { role: "viewer", name: "Ada Lovelace" }))
    await page.getByRole("button", { name: /Demo/ }).click()
    await checkView(page, "account-menu")
    const missing = await holdNext(page, new RegExp(`${other.id}/agents/${id}$`))
    await page.getByRole("button", { name: /^Meridian/ }).click()
    // Nothing of the first is shown as if it were of the second.
    await missing.isAnswered
    assert.strictEqual(await page.getByText("Portal of Demo").count(), 0)
    await missing.letGo()
    await page.keyboard.press("/")
    await page.getByRole("option").first().waitFor()
    assert.strictEqual(await page.getByText("Portal of Demo").count(), 0)
    await page.keyboard.press("Escape")

    const shown = page.getByRole("button", { name: /Meridian.*Ada Lovelace, viewer/ })
    await shown.waitFor()
    await shown.click()
    await page.getByRole("button", { name: /^Demo/ }).click()
    await page.getByRole("button", { name: /Demo.*Ada Lovelace, admin/ }).waitFor()
    await page.setViewportSize({ width: 360, height: 800 })
    await page.getByRole("button", { name: "Menu", exact: true }).click()
    await page.getByRole("button", { name: /Demo/ }).click()
    await page.getByRole("button", { name: "Sign out", exact: true }).waitFor()
    await keepShot(page, "account-menu-on-a-phone")
    await page.waitForFunction("document.title.endsWith(' - Demo - Runhook')")
  })

  it("everywhere ends by one button", async () => {
    const account = await accountId()
    const first = await openConsole(pathOf(await makeLink(account, { name: "Grace" })), {
      role: null
    })
    await press(first, "Sign in")
    await overview(first)
    const second = await openConsole(pathOf(await linkFrom(first, account)), {
      role: null,
      expects: refused
    })
    await press(second, "Sign in")
    await overview(second)

    await first.getByRole("button", { name: /Grace/ }).click()
    await press(first, "Sign out everywhere…")
    await first.setViewportSize({ width: 360, height: 900 })
    await first.getByRole("dialog", { name: "Sign out everywhere?" }).waitFor()
    await checkView(first, "sign-out-everywhere")
    await press(first, "Sign out everywhere")
    await first.getByRole("heading", { level: 1, name: "Sign in" }).waitFor()
    // As when a person comes back to the tab.
    await second.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    await second.getByRole("dialog", { name: "You were signed out" }).waitFor()
  })
})
