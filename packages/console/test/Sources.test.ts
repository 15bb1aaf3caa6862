/** What no source of the page may hold, also where lint is told to look away. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"

const root = join(import.meta.dirname, "..")

const files = [...globSync("src/**/*.{ts,tsx,css}", { cwd: root }), "index.html"]
const read = (file: string) => readFileSync(join(root, file), "utf8")

/** Files that hold what is forbidden. */
const holding = (forbidden: RegExp, except: ReadonlyArray<string> = []) =>
  files.filter((file) => !except.includes(file) && forbidden.test(read(file)))

describe("the sources of the page", () => {
  it("make no HTML of a text", () => {
    const ways =
      /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|DOMParser|srcdoc|document\.write|createContextualFragment|HTMLUnsafe|new Function|\beval\(/

    assert.deepStrictEqual(holding(ways), [])
  })

  it("run nothing of others, and load nothing from elsewhere", () => {
    assert.deepStrictEqual(
      holding(
        /<script(?! type="module" src="\/src)|<iframe|<object|<embed|@import|url\(\s*["']?(?:https?:)?\/\//
      ),
      []
    )
  })

  it("keep nothing in the browser but choices of how to look", () => {
    assert.deepStrictEqual(
      holding(/localStorage|sessionStorage|indexedDB|document\.cookie/, ["src/data/Preferences.ts"]),
      []
    )
  })

  it("name no path of the service as if it were at the root of its host", () => {
    assert.deepStrictEqual(
      holding(/["'`]\/(?:api|demo|docs|integrations)\b/, ["index.html", "src/shell/Paths.ts"]),
      []
    )
  })

  it("look at nobody's lint away", () => {
    assert.deepStrictEqual(holding(/(?:ox|es)lint-disable(?!-next-line no-control-regex)/), [])
  })

  it("use colours by their tokens alone, so that both schemes have them", () => {
    const sheets = files.filter((file) => file.endsWith(".css") && !file.endsWith("/tokens.css"))
    const coloured = sheets.filter((file) =>
      // What lies behind a dialog or casts a shadow is dark in both.
      /#[\da-f]{3,8}\b|\brgba?\(|\bhsl\(/i.test(read(file).replaceAll(/#0006|#0b0d11[\da-f]{2}/g, ""))
    )

    assert.deepStrictEqual(coloured, [])
  })
})
