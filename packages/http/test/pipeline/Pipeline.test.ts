import { assert, describe, it } from "@effect/vitest"
import { StoreUnavailable } from "@runhook/core/engine/StoreUnavailable"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { enveloped, errorOf, hostOf, id, jsonOf, keys, recordedLogs, sending, testHost } from "../Hosts.ts"

const bare = hostOf(
  Layer.mergeAll(
    HttpRouter.add("GET", "/text-error", HttpServerResponse.text("go away", { status: 418 })),
    HttpRouter.add(
      "GET",
      "/empty-error",
      HttpServerResponse.empty({ status: 426, headers: { upgrade: "x" } })
    ),
    HttpRouter.add("GET", "/cached", HttpServerResponse.empty({ headers: { "cache-control": "private" } })),
    HttpRouter.add("GET", "/interrupted", Effect.interrupt),
    HttpRouter.add(
      "GET",
      "/store-away",
      Effect.die(new StoreUnavailable({ reason: "ECONNREFUSED 10.0.0.7" }))
    ),
    HttpRouter.add("PUT", "/files/*", HttpServerResponse.empty())
  ).pipe(Layer.provide(enveloped))
)

it.layer(keys)("the envelope of requests", (it) => {
  it.effect("gives every answer the request id of its body", () =>
    Effect.gen(function* () {
      const send = yield* testHost

      const answer = yield* send("/api/test/things", sending("POST", `{"name": "a"}`))

      const { request_id } = yield* jsonOf(answer)
      assert.match(String(request_id), /^req_[0-9a-z]{20}$/)
      assert.strictEqual(answer.headers.get("x-request-id"), request_id)
    })
  )

  it.effect("answers an unknown path with 404", () =>
    Effect.gen(function* () {
      const send = yield* testHost

      const answer = yield* send("/api/test/nothing?here=1")

      assert.strictEqual(answer.status, 404)
      assert.strictEqual((yield* errorOf(answer)).code, "not_found")
    })
  )

  it.effect.each([`/api/test/things/${id}/`, "/API/test/broken", "/api//test/broken"])(
    "takes %s for another path than the one it resembles",
    (path) =>
      Effect.gen(function* () {
        const send = yield* testHost

        const answer = yield* send(path)

        assert.strictEqual(answer.status, 404)
      })
  )

  it.effect("answers a path that is not UTF-8 with 400", () =>
    Effect.gen(function* () {
      const send = yield* testHost

      const answer = yield* send("/api/test/things/%E0%A4%A")

      assert.strictEqual(answer.status, 400)
      assert.include((yield* errorOf(answer)).message, "path:")
    })
  )

  it.effect("answers an id of any length, since its schema can say what is wrong", () =>
    Effect.gen(function* () {
      const send = yield* testHost

      const answer = yield* send(`/api/test/things/${"a".repeat(8_000)}`)

      assert.strictEqual(answer.status, 400)
      assert.include((yield* errorOf(answer)).message, "path.id:")
    })
  )

  it.effect.each(["PUT", "POST", "DELETE", "QUERY", "PROPFIND"])(
    "answers %s with 405 and the methods there are",
    (method) =>
      Effect.gen(function* () {
        const send = yield* testHost

        const answer = yield* send(`/api/test/things/${id}`, { method })

        assert.strictEqual(answer.status, 405)
        assert.strictEqual(answer.headers.get("allow"), "GET, PATCH, HEAD, OPTIONS")
        assert.strictEqual((yield* errorOf(answer)).code, "invalid_request")
      })
  )

  it.effect("answers OPTIONS with 204 and the methods there are", () =>
    Effect.gen(function* () {
      const send = yield* testHost

      const answer = yield* send("/api/test/things", { method: "OPTIONS" })

      assert.strictEqual(answer.status, 204)
      assert.strictEqual(answer.headers.get("allow"), "POST, OPTIONS")
      assert.strictEqual(yield* Effect.promise(() => answer.text()), "")
    })
  )

  it.effect("answers HEAD as GET without the body", () =>
    Effect.gen(function* () {
      const send = yield* testHost
      const path = `/api/test/things/${id}`

      const [head, get] = [yield* send(path, { method: "HEAD" }), yield* send(path)]

      assert.strictEqual(head.status, get.status)
      assert.strictEqual(head.headers.get("content-length"), get.headers.get("content-length"))
      assert.strictEqual(yield* Effect.promise(() => head.text()), "")
    })
  )

  it.effect("answers a body of more than 1 MiB with 413", () =>
    Effect.gen(function* () {
      const send = yield* testHost
      const body = JSON.stringify({ name: "a", data: { text: "x".repeat(1_048_576) } })

      const answer = yield* send("/api/test/things", sending("POST", body))

      assert.strictEqual(answer.status, 413)
      assert.include((yield* errorOf(answer)).message, "1048576 bytes")
    })
  )

  it.effect("answers a defect with 500, and logs it under the request id without the caller's key", () => {
    const logs = recordedLogs()
    return Effect.gen(function* () {
      const send = yield* testHost

      const answer = yield* send("/api/test/broken?q=secret", {
        headers: { authorization: "Bearer top-secret" }
      })

      const error = yield* errorOf(answer)
      assert.strictEqual(answer.status, 500)
      assert.deepInclude(error, { code: "internal_error", details: null })
      assert.notInclude(JSON.stringify(error), "fire")
      const [line = ""] = logs.lines
      assert.include(line, "the disk is on fire")
      assert.include(line, error.request_id)
      assert.notInclude(line, "secret")
    }).pipe(Effect.provide(logs.layer))
  })

  it.effect("takes an answer that breaks the contract for a defect", () =>
    Effect.gen(function* () {
      const send = yield* testHost

      const answer = yield* send("/api/test/misshapen")

      assert.strictEqual(answer.status, 500)
      assert.strictEqual((yield* errorOf(answer)).details, null)
    }).pipe(Effect.provide(recordedLogs().layer))
  )

  it.effect("answers a request that is interrupted by the service with 503 and Retry-After", () =>
    Effect.gen(function* () {
      const send = yield* bare

      const answer = yield* send("/interrupted")

      assert.strictEqual(answer.status, 503)
      assert.strictEqual(answer.headers.get("retry-after"), "5")
      assert.strictEqual((yield* errorOf(answer)).code, "internal_error")
    })
  )

  it.effect("answers 503 and Retry-After while the store is away, and says nothing about where it is", () => {
    const logs = recordedLogs()
    return Effect.gen(function* () {
      const send = yield* bare

      const answer = yield* send("/store-away")

      const { code, message } = yield* errorOf(answer)
      assert.strictEqual(answer.status, 503)
      assert.strictEqual(answer.headers.get("retry-after"), "5")
      assert.strictEqual(code, "internal_error")
      assert.notInclude(message, "10.0.0.7")
      assert.include(logs.lines[0], "10.0.0.7")
    }).pipe(Effect.provide(logs.layer))
  })

  it.effect.each(["/text-error", "/empty-error"])("tells the error of %s in the error object", (path) =>
    Effect.gen(function* () {
      const send = yield* bare

      const answer = yield* send(path)

      assert.isAtLeast(answer.status, 418)
      assert.strictEqual((yield* errorOf(answer)).code, "invalid_request")
    })
  )

  it.effect("keeps answers of every kind out of the pages of other sites, and to their own type", () =>
    Effect.gen(function* () {
      const [send, plain] = [yield* testHost, yield* bare]

      const answers = [
        yield* send("/api/test/things", sending("POST", `{"name": "a"}`)),
        yield* send("/api/test/nothing"),
        yield* plain("/text-error"),
        yield* plain("/cached"),
        yield* plain("/store-away")
      ]

      for (const { headers } of answers) {
        assert.strictEqual(headers.get("cross-origin-resource-policy"), "same-origin")
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
      }
    })
  )

  it.effect("forbids to store answers unless they say otherwise", () =>
    Effect.gen(function* () {
      const send = yield* bare

      const [silent, outspoken] = [yield* send("/nothing"), yield* send("/cached")]

      assert.strictEqual(silent.headers.get("cache-control"), "no-store")
      assert.strictEqual(outspoken.headers.get("cache-control"), "private")
    })
  )

  it.effect("knows the methods of paths below a wildcard", () =>
    Effect.gen(function* () {
      const send = yield* bare

      const answer = yield* send("/files/a/b")

      assert.strictEqual(answer.status, 405)
      assert.strictEqual(answer.headers.get("allow"), "PUT, OPTIONS")
    })
  )
})

it.layer(keys)("any URL", (it) => {
  it.effect.prop("is answered in JSON, and never with 500", [Schema.String, Schema.String], ([path, query]) =>
    Effect.gen(function* () {
      const send = yield* testHost

      const answer = yield* send(`/api/test/things/${path}?${query}`)

      assert.oneOf(answer.status, [400, 404])
      yield* errorOf(answer)
    })
  )
})

describe("a request that was abandoned", () => {
  it.effect("is not answered", () =>
    Effect.gen(function* () {
      const send = yield* testHost
      const logs = recordedLogs()

      const answer = yield* send("/api/test/slow", { signal: AbortSignal.abort() }).pipe(
        Effect.provide(logs.layer)
      )

      assert.strictEqual(answer.status, 499)
      assert.deepStrictEqual(logs.lines, [])
    }).pipe(Effect.provide(keys))
  )
})
