import { gunzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BaseUrl } from "../src/BaseUrl.ts"
import * as OpenApiRoutes from "../src/documents/OpenApiRoutes.ts"
import { enveloped, errorOf, hostOf, jsonOf } from "./Hosts.ts"
import { Host, test } from "./Service.ts"
import { TestApi } from "./TestApi.ts"

const host = hostOf(
  OpenApiRoutes.layer(TestApi, "/openapi.json").pipe(
    Layer.provide([enveloped, Layer.succeed(BaseUrl, "https://runhook.example.com")])
  )
)

describe("the OpenAPI document", () => {
  test.each(["integrations", "runner", "admin"])(
    "of %s is served beside its API, without a key",
    function* (api) {
      const send = yield* Host

      const answer = yield* send(`/api/v1/${api}/openapi.json`)

      const { paths } = yield* jsonOf(answer)
      assert.include(Object.keys(paths ?? {}), `/api/v1/${api}/openapi.json`)
    }
  )

  it.effect("describes the API", () =>
    Effect.gen(function* () {
      const send = yield* host

      const answer = yield* send("/openapi.json")

      const document = yield* jsonOf(answer)
      assert.strictEqual(document["openapi"], "3.1.0")
      assert.isTrue(answer.headers.get("content-type")?.startsWith("application/json"))
    })
  )

  it.effect("is compressed for those who take that", () =>
    Effect.gen(function* () {
      const send = yield* host
      const [plain, gzipped] = [
        yield* send("/openapi.json"),
        yield* send("/openapi.json", { headers: { "accept-encoding": "br, gzip" } })
      ]

      const [text, bytes] = yield* Effect.promise(() => Promise.all([plain.text(), gzipped.arrayBuffer()]))

      assert.strictEqual(gzipped.headers.get("content-encoding"), "gzip")
      assert.strictEqual(gzipped.headers.get("vary"), "Accept-Encoding")
      assert.strictEqual(gunzipSync(bytes).toString(), text)
      assert.notStrictEqual(gzipped.headers.get("etag"), plain.headers.get("etag"))
    })
  )

  it.effect("is not sent again to those who have it", () =>
    Effect.gen(function* () {
      const send = yield* host
      const etag = (yield* send("/openapi.json")).headers.get("etag") ?? ""

      const answer = yield* send("/openapi.json", { headers: { "if-none-match": etag } })

      assert.strictEqual(answer.status, 304)
      assert.strictEqual(answer.headers.get("etag"), etag)
    })
  )
})

describe("the OpenAPI document, asked for with a parameter", () => {
  it.effect("refuses it by name, as endpoints do", () =>
    Effect.gen(function* () {
      const send = yield* host

      const answer = yield* send("/openapi.json?version=2")

      assert.strictEqual(answer.status, 400)
      assert.strictEqual((yield* errorOf(answer)).message, "query.version: is not a known field")
    })
  )
})
