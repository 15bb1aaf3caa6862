/** The pages in a browser, as newcomers use them. */
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { developmentServer } from "../RunhookProcess.ts"
import { testBrowser } from "../TestBrowser.ts"
import { findings } from "./Axe.ts"

/** Milliseconds: a browser shares its machine with other tests. */
const patience = 120_000

/** One service for all of them. */
class Shown extends Context.Service<Shown, { readonly baseUrl: string; readonly browser: Browser }>()(
  "@runhook/server/test/Shown"
) {
  static readonly layer = Layer.effect(
    Shown,
    Effect.gen(function* () {
      const { baseUrl } = yield* developmentServer()
      const browser = yield* Effect.promise(testBrowser)
      return { baseUrl, browser }
    })
  )
}

/** A page in a window of its own, and what it asked of others than the service. */
const opened = Effect.fnUntraced(function* (options: BrowserContextOptions = {}) {
  const { baseUrl, browser } = yield* Shown
  const context = yield* Effect.acquireRelease(
    Effect.promise(() => browser.newContext(options)),
    (window) => Effect.promise(() => window.close())
  )
  context.setDefaultTimeout(patience / 2)
  const page = yield* Effect.promise(() => context.newPage())
  const problems: Array<string> = []
  page.on("request", (request) => {
    if (!request.url().startsWith(baseUrl)) problems.push(`asked ${request.url()}`)
  })
  page.on("pageerror", ({ message }) => problems.push(message))
  page.on("console", (line) => {
    if (line.type() === "error") problems.push(line.text())
  })
  return { baseUrl, context, page, problems }
})

const kinds = [
  "/",
  "/demo/inbox",
  "/demo/page",
  "/docs",
  "/docs/api",
  "/docs/api/executions.create",
  "/docs/api/on.execution.completed",
  "/docs/api/admin",
  "/docs/guides/webhooks",
  "/docs/guides/operating/settings",
  "/docs/search?q=replay",
  "/docs/search?q=nothingatall"
]

/** Queues the demo by the keyboard alone, and waits for its end. */
const run = async (page: Page) => {
  await page.getByRole("button", { name: "Run" }).focus()
  await page.keyboard.press("Enter")
  await page.getByRole("status").getByText("Completed", { exact: true }).waitFor()
  await page.getByText("execution.completed").waitFor()
}

/** Shuts nobody out in any colours, and does not scroll sideways, on a phone and on a desk. */
const check = async (page: Page, what: string) => {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme })
      const where = `${what} at ${width} pixels, ${colorScheme}`
      // From light to dark, colours alone change.
      const rules = colorScheme === "light" ? "all" : "of colours"
      assert.deepStrictEqual(await findings(page, rules), [], where)
      const wider = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
      assert.strictEqual(wider, 0, where)
    }
  }
}

describe("the pages in a browser", () => {
  it.layer(Shown.layer, { excludeTestServices: true, timeout: patience })((it) => {
    it.effect(
      "shut nobody out, scroll in one direction and ask nobody else, in light and dark on a phone and on a desk",
      () =>
        Effect.gen(function* () {
          const { baseUrl, page, problems } = yield* opened()
          yield* Effect.promise(async () => {
            await page.goto(baseUrl)
            await run(page)
            await check(page, "the welcome page after a run")

            for (const kind of kinds) {
              await page.goto(baseUrl + kind)
              if (kind === "/demo/inbox") await page.getByText("signature verified").first().waitFor()
              await check(page, kind)
            }
          })
          assert.deepStrictEqual(problems, [])
        })
    )

    it.effect("run the demo: callbacks, result and print, and again", () =>
      Effect.gen(function* () {
        const { baseUrl, page } = yield* opened()
        yield* Effect.promise(async () => {
          await page.goto(baseUrl)
          await run(page)

          assert.deepStrictEqual(await page.locator("#steps li").allTextContents(), [
            "execution.queued",
            "execution.started",
            "execution.completed"
          ])
          assert.include(await page.locator("#result").innerText(), "A page worth fetching")
          await page.getByRole("group", { name: "report.txt" }).getByText("status        200").waitFor()
          await page.getByRole("button", { name: "Run again" }).press("Enter")
          await page.waitForFunction("document.getElementById('status').textContent !== 'Completed'")
          await page.getByRole("status").getByText("Completed", { exact: true }).waitFor()
          await page.getByText("execution.completed").waitFor()
          assert.strictEqual(await page.locator("#steps li").count(), 3)
        })
      })
    )

    it.effect("copy their commands, and remember the colours that were chosen", () =>
      Effect.gen(function* () {
        const { baseUrl, context, page } = yield* opened({ colorScheme: "light" })
        yield* Effect.promise(async () => {
          await context.grantPermissions(["clipboard-read", "clipboard-write"])
          await page.goto(`${baseUrl}/docs/api/executions.list`)

          await page.getByRole("button", { name: "Copy: shell command" }).click()
          await page.getByRole("status").getByText("Copied").waitFor()
          const copied = String(await page.evaluate("navigator.clipboard.readText()"))
          await page.getByRole("button", { name: "Dark colours" }).click()
          await page.goto(`${baseUrl}/docs`)

          assert.match(copied, /^curl -sS 'http[^]*\$RUNHOOK_API_KEY"$/)
          assert.strictEqual(
            await page.evaluate("getComputedStyle(document.body).backgroundColor"),
            "rgb(20, 22, 26)"
          )
        })
      })
    )

    it.effect("find by the keyboard while one types, and without a script", () =>
      Effect.gen(function* () {
        const { baseUrl, page } = yield* opened()
        const { page: plain } = yield* opened({ javaScriptEnabled: false })
        yield* Effect.promise(async () => {
          await page.goto(`${baseUrl}/docs`)
          await page.keyboard.press("/")
          await page.keyboard.type("reseal")
          await page.locator(".found a").first().waitFor()
          assert.deepStrictEqual(await findings(page), [])
          await page.keyboard.press("ArrowDown")
          const found = await page.locator(".found a:focus").getAttribute("href")
          await page.keyboard.press("Enter")
          await page.waitForURL(`${baseUrl}${found}`)

          await plain.goto(`${baseUrl}/docs`)
          await plain.getByRole("searchbox").fill("reseal")
          await plain.keyboard.press("Enter")
          await plain
            .locator('.results a[href="/docs/guides/operating/secure#replace-the-secret-key"]')
            .click()
          assert.strictEqual(await plain.locator("h1").innerText(), "Secure it")
        })
      })
    )
  })
})
