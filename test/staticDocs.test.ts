/** What `npm run docs` writes, and where. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { siteOf } from "@runhook/docs-site/Site"
import * as Effect from "effect/Effect"
import { writeSite } from "../scripts/docs/OutputFolder.ts"
import { type Files, filesOf } from "../scripts/docs/StaticSite.ts"

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "runhook docs "))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== ".runhook-docs")
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, "/").length))
    .toSorted()

describe("the documentation as files", () => {
  it("shows as text what only a running service could answer", () => {
    const guide = { file: "docs/one.md", text: "# One\n[page](https://example.com/) and [two](two.md)" }
    const site = siteOf({ apis: [], guides: [guide], baseUrl: "" })
    const one = site.pages.get("/docs/guides/one") ?? assert.fail("There is no page")
    const page = { ...one, body: { ...one.body, text: '<a href="/integrations">Page</a>' } }

    const files = filesOf({
      site: { ...site, pages: new Map([[page.path, page]]) },
      documents: new Map(),
      searchScript: ""
    })

    assert.include(files.get("guides/one.html"), '<main id="main" tabindex="-1"><a>Page</a></main>')
  })
})

describe("the folder of the documentation", () => {
  const site = (...names: ReadonlyArray<string>): Files => new Map(names.map((name) => [name, `of ${name}`]))

  it.effect("is made with all that is above it", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "a", "b")

      writeSite(folder, site("index.html", "api/one.html"))

      assert.deepStrictEqual(filesIn(folder), ["api/one.html", "index.html"])
      assert.strictEqual(readFileSync(join(folder, "api/one.html"), "utf8"), "of api/one.html")
    })
  )

  it.effect("holds the second site alone after a second run, also after one that was cut short", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      writeSite(folder, site("index.html", "old/page.html"))
      assert.throws(() => writeSite(folder, site("index.html", "new/page.html", "index.html/impossible")))

      writeSite(folder, site("index.html", "newer/page.html"))

      assert.deepStrictEqual(filesIn(folder), ["index.html", "newer/page.html"])
      assert.notInclude(readdirSync(folder), "old")
    })
  )

  it.effect.each([
    { what: "files of its own", made: [] as ReadonlyArray<string>, own: "notes/todo.txt" },
    { what: "files beside those of an earlier run", made: ["index.html"], own: "CNAME" }
  ])("is refused with $what, and left as it is", ({ made, own }) =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      if (made.length > 0) writeSite(folder, site(...made))
      mkdirSync(join(folder, own, ".."), { recursive: true })
      writeFileSync(join(folder, own), "mine")

      assert.throws(
        () => writeSite(folder, site("other.html")),
        `${folder} holds ${own}, which npm run docs has not written. Name a new or empty folder`
      )
      assert.deepStrictEqual(filesIn(folder), [...made, own].toSorted())
    })
  )

  it.effect("is refused where there is a file", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryFolder, "site")
      writeFileSync(file, "mine")

      assert.throws(() => writeSite(file, site("index.html")), `${file} is a file. Name a folder.`)
    })
  )
})
