import { execFile } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { promisify } from "node:util"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { demoOf } from "../Demo.ts"
import { bodyOf, request } from "../Http.ts"
import { SharedServer } from "../RunhookProcess.ts"
import { attributes, crawl } from "./Crawl.ts"

const textOf = (answer: Response) => Effect.promise(() => answer.text())

const page = (url: string) => Effect.flatMap(request(url, { headers: { accept: "text/html" } }), textOf)

const Found = Schema.Array(Schema.Struct({ path: Schema.String, title: Schema.String }))

describe("the documentation of a running service", () => {
  it.layer(SharedServer.layer, { excludeTestServices: true })((it) => {
    it.effect("has no link that leads nowhere, and asks nobody else for anything", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* SharedServer

        const visited = yield* crawl(baseUrl, ["/docs", "/"])

        const pages = [...visited.values()].filter(({ contentType }) => contentType.startsWith("text/html"))
        assert.isAbove(pages.length, 80)
        assert.deepStrictEqual(
          [...visited.values()].filter(({ status }) => status >= 400).map(({ path }) => path),
          []
        )
        for (const { html, path, policy } of pages) {
          assert.lengthOf(html.match(/<h1[ >]/g) ?? [], 1, path)
          assert.match(html, /<html lang="en">[^]*<title>[^<]+<\/title>/, path)
          assert.match(policy, /^default-src 'none'/, path)
          const ids = attributes(html, "id")
          assert.strictEqual(new Set(ids).size, ids.length, `${path}: ${ids.join(" ")}`)
          for (const url of attributes(html, "src")) assert.strictEqual(new URL(url, baseUrl).origin, baseUrl)
          for (const link of attributes(html, "href")) {
            const { hash, origin, pathname, search } = new URL(link, baseUrl + path)
            if (origin !== baseUrl || hash === "") continue
            const there = visited.get(pathname + search)?.html ?? ""
            assert.include(
              attributes(there, "id"),
              decodeURIComponent(hash.slice(1)),
              `${path} leads to ${link}`
            )
          }
        }
      })
    )

    it.effect("runs and shows nothing that is not its own file", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* SharedServer

        const answer = yield* request(`${baseUrl}/docs/api/executions.create`)

        const policy = answer.headers.get("content-security-policy") ?? ""
        const html = yield* textOf(answer)
        assert.include(policy, "script-src 'self'; style-src 'self'; img-src 'self' data:;")
        assert.notInclude(policy, "unsafe")
        assert.notMatch(html, /<style|<script>| style="| on[a-z]+="/)
      })
    )

    it.effect("has a guide for every document but the decisions and the pictures", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* SharedServer
        const documents = readdirSync("docs", { recursive: true, encoding: "utf8" }).filter(
          (file) => file.endsWith(".md") && !/^(?:adr|screenshots)\//.test(file)
        )

        const html = yield* page(`${baseUrl}/docs`)

        const guides = attributes(html, "href").filter((href) => href.startsWith("/docs/guides/"))
        for (const file of documents) {
          assert.include(guides, `/docs/guides/${file.replace(/(?:\/README)?\.md$/, "")}`)
        }
      })
    )

    it.effect(
      "gives commands that bash and the service understand, for every operation of an integration key",
      () =>
        Effect.gen(function* () {
          const server = yield* SharedServer
          const { key } = demoOf(server)
          const reference = yield* page(`${server.baseUrl}/docs/api`)
          const operations = attributes(reference, "href").filter((href) =>
            /^\/docs\/api\/[a-z]+\.(?!$)/.test(href)
          )

          assert.isAbove(new Set(operations).size, 15)
          for (const path of new Set(operations)) {
            const curl = codeOf(yield* page(server.baseUrl + path))
            if (curl === undefined) continue
            const { stdout } = yield* Effect.promise(() =>
              promisify(execFile)("bash", ["-c", `cd "$(mktemp -d)"; ${curl} -w '\\n%{http_code}'`], {
                env: { ...process.env, RUNHOOK_API_KEY: key }
              })
            )
            const status = Number(stdout.trim().split("\n").at(-1))
            // The ids of the examples do not exist: a request that is refused for that was understood.
            assert.include([200, 201, 202, 204, 404, 422], status, `${path}: ${curl}\n${stdout}`)
          }
        })
    )

    it.effect("finds with and without its script, and repeats a query as the text it is", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* SharedServer
        const hostile = `"><script>alert(1)</script>`

        const html = yield* page(`${baseUrl}/docs/search?q=reseal`)
        const found = yield* Effect.flatMap(request(`${baseUrl}/docs/search.json?q=reseal`), bodyOf(Found))
        const repeated = yield* page(`${baseUrl}/docs/search?q=${encodeURIComponent(hostile)}`)

        assert.include(html, 'href="/docs/guides/operating/secure#replace-the-secret-key"')
        assert.include(
          found.map(({ path }) => path),
          "/docs/guides/operating/secure#replace-the-secret-key"
        )
        assert.notInclude(repeated, "<script>alert")
        assert.include(repeated, "&lt;script&gt;alert(1)")
      })
    )

    it.effect("takes a slash too many, and tells browsers and programs of a page that is not there", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* SharedServer

        const [slash, guide, missing, error] = yield* Effect.all([
          request(`${baseUrl}/docs/`),
          request(`${baseUrl}/docs/guides/operating//`),
          request(`${baseUrl}/docs/%3Cb%3E`, { headers: { accept: "text/html" } }),
          request(`${baseUrl}/docs/nowhere`)
        ])

        assert.deepStrictEqual([slash.status, slash.headers.get("location")], [308, "/docs"])
        assert.deepStrictEqual([guide.status, guide.headers.get("location")], [308, "/docs/guides/operating"])
        assert.strictEqual(missing.status, 404)
        assert.include(yield* textOf(missing), "There is no such page")
        assert.strictEqual(error.status, 404)
        assert.include(yield* textOf(error), '"code":"not_found"')
      })
    )

    it.effect("is compressed, and not sent again to those who have it", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* SharedServer
        const url = `${baseUrl}/docs/guides/webhooks`

        const first = yield* request(url, { headers: { "accept-encoding": "gzip" } })
        const again = yield* request(url, {
          headers: { "accept-encoding": "gzip", "if-none-match": first.headers.get("etag") ?? "" }
        })

        assert.deepStrictEqual([first.headers.get("content-encoding"), again.status], ["gzip", 304])
      })
    )

    it("has less than 4 kB of script and of style each, compressed", () => {
      for (const name of ["docs.js", "docs.css"]) {
        assert.isBelow(gzipSync(readFileSync(`packages/docs-site/src/assets/${name}`)).length, 4_096, name)
      }
    })

    it.effect("has an icon for browsers that ask for one by themselves", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* SharedServer

        const icon = yield* request(`${baseUrl}/favicon.ico`)

        const bytes = Buffer.from(yield* Effect.promise(() => icon.arrayBuffer()))
        assert.deepStrictEqual([icon.status, icon.headers.get("content-type")], [200, "image/x-icon"])
        assert.strictEqual(bytes.subarray(22, 30).toString("latin1"), "\x89PNG\r\n\x1a\n")
      })
    )
  })
})

/** The command on the page of an operation; none on that of a callback. */
const codeOf = (html: string): string | undefined =>
  /<code>(curl [^]*?)<\/code>/
    .exec(html)?.[1]
    ?.replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
