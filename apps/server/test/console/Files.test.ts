/** How the page and its files are served. */
import { execFileSync } from "node:child_process"
import { request as nodeRequest } from "node:http"
import { fileURLToPath } from "node:url"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { assert, beforeAll, describe, it } from "vitest"
import { sharedService } from "./SharedService.ts"

interface Answer {
  readonly status: number | undefined
  readonly headers: NodeJS.Dict<string | Array<string>>
  readonly body: Buffer
}

let baseUrl: string

beforeAll(async () => {
  const build = fileURLToPath(new URL("../../../../packages/console/build.mjs", import.meta.url))
  execFileSync(process.execPath, [build], { stdio: "inherit" })
  baseUrl = (await sharedService()).baseUrl
})

/** Without the help of `fetch`, which undoes compression. */
const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    nodeRequest(baseUrl + path, { headers }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) })
      )
    })
      .on("error", reject)
      .end()
  })

const assetOf = async (extension: string): Promise<string> => {
  const { body } = await get("/integrations")
  const [path] = new RegExp(`/integrations/assets/[^"]+\\.${extension}`).exec(body.toString()) ?? []
  return path ?? assert.fail(`the page has no .${extension}`)
}

describe("the page", () => {
  it.each([
    "/integrations",
    "/integrations/deliveries",
    "/integrations/keys/01a2?x=1",
    "/integrations/sign-in"
  ])("is what %s answers, since every view is a URL", async (path) => {
    const { body, headers, status } = await get(path)

    assert.strictEqual(status, 200)
    assert.strictEqual(headers["content-type"], "text/html; charset=utf-8")
    assert.include(body.toString(), '<div id="app">')
  })

  it("lets nothing run, load or frame it that is not its own", async () => {
    const { body, headers } = await get("/integrations")
    const policy = String(headers["content-security-policy"]).split("; ")

    assert.includeMembers(policy, [
      "default-src 'none'",
      "style-src 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'"
    ])
    const scripts = policy.find((each) => each.startsWith("script-src ")) ?? ""
    assert.match(scripts, /^script-src (?:\S+\/integrations\/assets\/ ?)+$/)
    assert.notInclude(String(headers["content-security-policy"]), "unsafe")
    assert.notMatch(body.toString(), /<script(?![^>]* src=)|<style|style=| on\w+=/)
    assert.strictEqual(headers["x-content-type-options"], "nosniff")
    assert.strictEqual(headers["referrer-policy"], "no-referrer")
    assert.strictEqual(headers["cross-origin-opener-policy"], "same-origin")
    assert.strictEqual(headers["cross-origin-resource-policy"], "same-origin")
  })

  it("is asked for anew each time, and sent again only when it has changed", async () => {
    const { headers } = await get("/integrations", { "accept-encoding": "br" })
    const again = await get("/integrations/tasks", {
      "accept-encoding": "br",
      "if-none-match": String(headers["etag"])
    })

    assert.strictEqual(headers["cache-control"], "no-cache")
    assert.strictEqual(again.status, 304)
    assert.strictEqual(again.body.length, 0)
  })
})

describe("a file of the page", () => {
  it.each([
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync]
  ] as const)("comes compressed as %s to who takes that", async (encoding, undo) => {
    const path = await assetOf("css")
    const plain = await get(path)
    const { body, headers } = await get(path, { "accept-encoding": encoding })

    assert.strictEqual(headers["content-encoding"], encoding)
    assert.strictEqual(headers["vary"], "Accept-Encoding")
    assert.isBelow(body.length, plain.body.length / 2)
    assert.isTrue(undo(body).equals(plain.body))
    assert.isUndefined(plain.headers["content-encoding"])
  })

  it("is kept for good, since another has another name", async () => {
    const { headers } = await get(await assetOf("css"))

    assert.strictEqual(headers["cache-control"], "public, max-age=31536000, immutable")
    assert.strictEqual(headers["content-type"], "text/css; charset=utf-8")
  })

  it.each(["/integrations/assets/none.js", "/integrations/assets/index.html", "/integrations/assets/"])(
    "that is none is an error and not the page: %s",
    async (path) => {
      const { body, headers, status } = await get(path)

      assert.strictEqual(status, 404)
      assert.strictEqual(headers["content-type"], "application/json")
      assert.include(body.toString(), '"not_found"')
    }
  )
})
