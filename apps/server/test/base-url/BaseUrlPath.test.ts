/** The service at a base URL with a path, behind a proxy that takes it off, and at one without. */
import { execFileSync } from "node:child_process"
import { randomInt } from "node:crypto"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { RunhookAdmin } from "@runhook/sdk/admin"
import type { Environment } from "@runhook/test-support/world/ServiceProcess"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Page } from "playwright-core"
import { demoOf } from "../Demo.ts"
import { crawl } from "../docs/Crawl.ts"
import { bodyOf, request } from "../Http.ts"
import { developmentServer } from "../RunhookProcess.ts"
import { testBrowser } from "../TestBrowser.ts"
import { proxyTo } from "./PathProxy.ts"

/** Milliseconds: a browser shares its machine with other tests. */
const patience = 120_000

const adminKey = "rhadmin_the_key_of_whoever_runs_these_tests_0123456789"

/** None, and one that is like a path of the service itself. */
const paths = ["", "/teams/integrations"]

/** A service that its callers know below a path of a proxy. */
const servedBelow = Effect.fnUntraced(function* (path: string, environment: Environment = {}) {
  const port = randomInt(20_000, 30_000)
  const origin = yield* proxyTo(port, path)
  const baseUrl = origin + path
  const server = yield* developmentServer({
    RUNHOOK_ADMIN_KEY: adminKey,
    RUNHOOK_BASE_URL: baseUrl,
    RUNHOOK_PORT: String(port),
    ...environment
  })
  return { ...server, origin, baseUrl, admin: new RunhookAdmin({ baseUrl, adminKey }) }
})

const Document = Schema.Struct({ servers: Schema.Array(Schema.Struct({ url: Schema.String })) })
const SearchHits = Schema.Array(Schema.Struct({ path: Schema.String }))

/** A window, and what its pages were refused or found elsewhere. */
const windowAt = Effect.fnUntraced(function* (baseUrl: string) {
  const browser = yield* Effect.promise(testBrowser)
  const context = yield* Effect.acquireRelease(
    Effect.promise(() => browser.newContext()),
    (each) => Effect.promise(() => each.close())
  )
  context.setDefaultTimeout(patience / 2)
  const problems: Array<string> = []
  context.on("request", (each) => {
    if (!each.url().startsWith(`${baseUrl}/`)) problems.push(`asked ${each.url()}`)
  })
  context.on("response", (each) => {
    // Whoever is not signed in yet asks for the session and is told so.
    const isSession = each.url().endsWith("/api/v1/admin/session") && each.status() === 401
    if (each.status() >= 400 && !isSession) problems.push(`${each.status()} ${each.url()}`)
  })
  context.on("weberror", (thrown) => problems.push(thrown.error().message))
  context.on("console", (line) => {
    if (line.type() === "error" && !line.location().url.endsWith("/session")) problems.push(line.text())
  })
  return { context, page: yield* Effect.promise(() => context.newPage()), problems }
})

/** By a link, as a person does. */
const signIn = async (page: Page, url: string) => {
  await page.goto(url)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
}

describe.each(paths)("a base URL with the path '%s'", (path) => {
  it.live("has every link of every page, and every redirect, below it", () =>
    Effect.gen(function* () {
      const { baseUrl, origin } = yield* servedBelow(path)

      const visited = yield* crawl(
        origin,
        ["/", "/docs", "/docs/guides/webhooks/", "/demo/inbox", "/demo/page", "/integrations"].map(
          (each) => path + each
        )
      )

      const all = [...visited.values()]
      assert.isAbove(all.length, 80)
      assert.deepStrictEqual(
        all.filter(({ status }) => status >= 400).map((each) => each.path),
        []
      )
      const kinds = ["/docs/guides/webhooks", "/docs/assets/docs.js", "/favicon.svg", "/integrations/sign-in"]
      assert.includeMembers(
        all.map((each) => each.path),
        kinds.map((each) => path + each)
      )
      assert.isTrue(all.some((each) => each.path.startsWith(`${path}/integrations/assets/index-`)))
      for (const name of ["integrations", "runner", "admin"]) {
        const at = `${baseUrl}/api/v1/${name}/openapi.json`
        const { servers } = yield* Effect.flatMap(request(at), bodyOf(Document))
        assert.deepStrictEqual(
          servers.map(({ url }) => new URL(url, at).href.replace(/\/$/, "")),
          [baseUrl]
        )
      }
      const found = yield* Effect.flatMap(request(`${baseUrl}/docs/search.json?q=replay`), bodyOf(SearchHits))
      assert.isNotEmpty(found)
      for (const each of found) assert.isTrue(each.path.startsWith(`${path}/docs/`), each.path)
      const keys = yield* request(`${baseUrl}/.well-known/runhook/jwks.json`)
      assert.strictEqual(keys.status, 200)
    })
  )

  it.live("leads from its root to the documentation where there is no demo", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* servedBelow(path, { RUNHOOK_DEMO: "off" })

      const answer = yield* request(`${baseUrl}/`)

      assert.strictEqual(answer.status, 302)
      assert.strictEqual(answer.headers.get("location"), `${path}/docs`)
      const text = yield* Effect.promise(() => answer.text())
      assert.include(text, `Documentation: ${path}/docs\n`)
    })
  )

  it.live("lets the pages of its own origin call, and no other's", () =>
    Effect.gen(function* () {
      const { baseUrl, banner, origin } = yield* servedBelow(path)
      const { headers } = demoOf({ banner, baseUrl })
      const ping = (from: string) =>
        request(`${baseUrl}/mcp`, {
          method: "POST",
          headers: { ...headers, accept: "application/json, text/event-stream", origin: from },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })
        })

      const answers = [yield* ping(origin), yield* ping("https://elsewhere.example.com")]

      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 403]
      )
    })
  )

  it.live(
    "runs the demo, the search and the Integrations page in a browser, which keeps the session there alone",
    () =>
      Effect.gen(function* () {
        execFileSync(process.execPath, [
          fileURLToPath(new URL("../../../../packages/console/build.mjs", import.meta.url))
        ])
        const { baseUrl, admin } = yield* servedBelow(path)
        const { context, page, problems } = yield* windowAt(baseUrl)
        yield* Effect.promise(async () => {
          await page.goto(`${baseUrl}/`)
          await page.getByRole("button", { name: "Run" }).click()
          await page.getByRole("status").getByText("Completed", { exact: true }).waitFor()
          await page.getByText("execution.completed").waitFor()
          await page.goto(`${baseUrl}/demo/inbox`)
          await page.getByText("signature verified").first().waitFor()

          await page.goto(`${baseUrl}/docs`)
          await page.getByRole("searchbox").fill("replay")
          await page.locator(".search a").first().click()
          await page.waitForURL(`${baseUrl}/docs/**`)

          const [account] = (await admin.accounts.list().page()).data
          const { url } = await admin
            .account(account?.id ?? "")
            .consoleLinks.create({ role: "admin", name: "Jana" })
          await signIn(page, url)
          assert.strictEqual(page.url(), `${baseUrl}/integrations`)
          await page.getByRole("button", { name: /^Live\./ }).waitFor()

          await page.getByRole("link", { name: "Executions" }).first().click()
          await page.getByRole("heading", { level: 1, name: "Executions" }).waitFor()
          assert.strictEqual(page.url(), `${baseUrl}/integrations/executions`)
          const current = page.locator("nav a[aria-current=page]")
          assert.strictEqual(await current.getAttribute("href"), `${path}/integrations/executions`)
          await page.reload()
          await page.locator("tbody a").first().click()
          const download = page.locator("a[download]").first()
          await download.waitFor()
          const file = await page.request.get(
            new URL((await download.getAttribute("href")) ?? "", baseUrl).href
          )
          assert.strictEqual(file.status(), 200)

          await page.getByRole("button", { name: /Demo.*Jana/ }).click()
          await page.getByRole("link", { name: "Documentation" }).click()
          await page.waitForURL(`${baseUrl}/docs`)
        })
        const cookies = yield* Effect.promise(() => context.cookies(`${baseUrl}/`))
        assert.deepStrictEqual(
          cookies.map((cookie) => [cookie.name, cookie.path]),
          [["runhook", path === "" ? "/" : path]]
        )
        assert.deepStrictEqual(problems, [])
      })
  )
})
