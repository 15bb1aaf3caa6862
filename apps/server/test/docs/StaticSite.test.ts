/** What `npm run docs` writes, below a path of a web server that has files alone. */
import { execFile } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { BrowserContextOptions } from "playwright-core"
import { temporaryDirectory } from "../RunhookProcess.ts"
import { testBrowser } from "../TestBrowser.ts"
import { attributes, crawl } from "./Crawl.ts"
import { staticHost } from "./StaticHost.ts"

/** Milliseconds: a browser shares its machine with other tests. */
const patience = 120_000

const below = "/teams/docs"

const service = "https://service.example.com"

/** The site, written once for all of them. */
class Written extends Context.Service<Written, { readonly folder: string; readonly origin: string }>()(
  "@runhook/server/test/Written"
) {
  static readonly layer = Layer.effect(
    Written,
    Effect.gen(function* () {
      const folder = join(yield* temporaryDirectory, "site")
      yield* Effect.promise(() =>
        promisify(execFile)("npm", ["run", "docs", "--", "--out", folder, "--base-url", service])
      )
      return { folder, origin: yield* staticHost(folder, below) }
    })
  )
}

/** A page in a window of its own, and what went wrong there or was asked of others. */
const opened = Effect.fnUntraced(function* (options: BrowserContextOptions = {}) {
  const { origin } = yield* Written
  const browser = yield* Effect.promise(testBrowser)
  const context = yield* Effect.acquireRelease(
    Effect.promise(() => browser.newContext(options)),
    (window) => Effect.promise(() => window.close())
  )
  context.setDefaultTimeout(patience / 2)
  const page = yield* Effect.promise(() => context.newPage())
  const problems: Array<string> = []
  page.on("request", (request) => {
    if (!request.url().startsWith(`${origin}${below}/`)) problems.push(`asked ${request.url()}`)
  })
  page.on("pageerror", ({ message }) => problems.push(message))
  page.on("response", (answer) => {
    if (answer.status() >= 400 && !answer.request().isNavigationRequest()) problems.push(`no ${answer.url()}`)
  })
  return { page, problems, site: `${origin}${below}` }
})

const Index = Schema.fromJsonString(Schema.Array(Schema.Struct({ path: Schema.String })))
const Document = Schema.fromJsonString(
  Schema.Struct({ servers: Schema.Array(Schema.Struct({ url: Schema.String })) })
)

describe("the documentation as files", () => {
  it.layer(Written.layer, { excludeTestServices: true, timeout: patience })((it) => {
    it.effect("has no link that leads nowhere, and leads to each of its files", () =>
      Effect.gen(function* () {
        const { folder, origin } = yield* Written

        const visited = yield* crawl(origin, [`${below}/`, `${below}/404.html`, `${below}/search.html`])

        const all = [...visited.values()]
        assert.deepStrictEqual(
          all
            .filter(({ path, status }) => status >= 400 || !path.startsWith(`${below}/`))
            .map(({ path }) => path),
          []
        )
        const reached = new Set(all.map(({ path }) => decodeURIComponent(path.slice(below.length + 1))))
        const files = readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, "/").length))
        assert.sameMembers(
          files.filter((file) => !reached.has(file)),
          // Of these, the next run, browsers and the search know by themselves.
          [".runhook-docs", "favicon.ico", "assets/search.json"]
        )
        for (const { html, path } of all) {
          for (const link of attributes(html, "href")) {
            const { hash, origin: there, pathname } = new URL(link, origin + path)
            if (there !== origin || hash === "") continue
            assert.include(
              attributes(visited.get(pathname)?.html ?? "", "id"),
              decodeURIComponent(hash.slice(1)),
              `${path} leads to ${link}`
            )
          }
          for (const action of attributes(html, "action"))
            assert.strictEqual(new URL(action, origin + path).pathname, `${below}/search.html`)
        }
      })
    )

    it.effect("has an index of places that are there, and examples and documents that name the service", () =>
      Effect.gen(function* () {
        const { folder } = yield* Written
        const textOf = (file: string) => readFileSync(join(folder, file), "utf8")

        const index = yield* Schema.decodeEffect(Index)(textOf("assets/search.json"))

        assert.isAbove(index.length, 1000)
        const pages = new Map<string, string>()
        for (const { path } of index) {
          const [link = "", anchor] = path.split("#")
          const page = pages.get(link) ?? textOf(decodeURIComponent(link))
          pages.set(link, page)
          assert.include(page, anchor === undefined ? '<main id="main"' : ` id="${anchor}"`, path)
        }
        assert.include(pages.get("api/executions.create.html"), `${service}/api/v1/integrations/executions`)
        for (const name of ["integrations", "runner", "admin"]) {
          const { servers } = yield* Schema.decodeEffect(Document)(textOf(`openapi/${name}.json`))
          assert.deepStrictEqual(servers, [{ url: service }])
        }
      })
    )

    it.effect("finds while one types, from a page at any depth", () =>
      Effect.gen(function* () {
        const { page, problems, site } = yield* opened()
        yield* Effect.promise(async () => {
          await page.goto(`${site}/api/admin/document.get.html`)
          await page.keyboard.press("/")
          await page.keyboard.type("python")
          await page.locator(".found a").first().click()
          await page.waitForURL(`${site}/guides/sdk-python.html`)

          assert.strictEqual(await page.locator("h1").innerText(), "runhook")
          assert.deepStrictEqual(problems, [])
        })
      })
    )

    it.effect("shows all results on a page, and repeats a query as the text it is", () =>
      Effect.gen(function* () {
        const { page, problems, site } = yield* opened()
        yield* Effect.promise(async () => {
          await page.goto(`${site}/guides/operating/secure.html`)
          await page.getByRole("searchbox").fill("python")
          await page.getByRole("button", { name: "Search" }).click()
          await page.locator(".results a").first().waitFor()
          const [first] = await page.locator(".results a").evaluateAll((links) => links.map(String))
          await page.goto(`${site}/search.html?q=${encodeURIComponent('<img src="x" onerror="throw 1">')}`)
          await page.getByText('Nothing has all of these words: <img src="x"').waitFor()

          assert.strictEqual(first, `${site}/guides/sdk-python.html`)
          assert.deepStrictEqual(problems, [])
        })
      })
    )

    it.effect("says where the search needs a script, and that it was not loaded", () =>
      Effect.gen(function* () {
        const { page: plain } = yield* opened({ javaScriptEnabled: false })
        const { page, site } = yield* opened()
        yield* Effect.promise(async () => {
          await plain.goto(`${site}/search.html?q=python`)
          await plain.getByText("The search runs in your browser, and needs JavaScript.").waitFor()
          await page.route("**/search.json", (route) => route.abort())
          await page.goto(`${site}/search.html?q=python`)
          await page.getByText("The search could not be loaded. Try it again.").waitFor()

          assert.strictEqual(await page.getByRole("searchbox").inputValue(), "python")
        })
      })
    )

    it.effect("has a page for what is missing, which works at any address", () =>
      Effect.gen(function* () {
        const { page, site } = yield* opened()
        for (const path of ["/nowhere", "/guides/old/page.html", "/api/admin/gone"]) {
          yield* Effect.promise(async () => {
            const answer = await page.goto(site + path)

            assert.strictEqual(answer?.status(), 404)
            assert.strictEqual(await page.locator("h1").innerText(), "There is no such page")
            assert.strictEqual(await page.evaluate("document.styleSheets[0].href"), `${site}/assets/docs.css`)
            assert.strictEqual(
              await page.locator(".skip").evaluate((link) => String(link)),
              `${site}${path}#main`
            )
            await page.getByRole("searchbox").fill("python")
            await page.locator(".found a").first().waitFor()
            await page.keyboard.press("Escape")
            await page.getByRole("link", { name: "the first page" }).click()
            await page.waitForURL(`${site}/index.html`)
          })
        }
      })
    )
  })
})
