import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { errorOf, id, keys, sending, testHost } from "../../Hosts.ts"

const secret = "the-value-nobody-repeats"

it.layer(keys)("the rules of requests", (it) => {
  it.effect.each([
    {
      what: "an unknown field",
      body: { name: "a", color: secret },
      path: ["body", "color"],
      rule: "is not a known field"
    },
    { what: "a missing field", body: {}, path: ["body", "name"], rule: "is required" },
    {
      what: "a field of another type",
      body: { name: { secret } },
      path: ["body", "name"],
      rule: "Expected string"
    },
    {
      what: "a number out of range",
      body: { name: "a", priority: 99 },
      path: ["body", "priority"],
      rule: "between -5 and 5"
    },
    {
      what: "no object where one may be null",
      body: { name: "a", size: secret },
      path: ["body", "size"],
      rule: "Expected object | null"
    },
    {
      what: "no object where any object will do",
      body: { name: "a", notes: [secret] },
      path: ["body", "notes"],
      rule: "Expected object"
    },
    { what: "a text that is too long", body: { name: secret }, path: ["body", "name"], rule: "10" },
    { what: "a body that is no object", body: [secret], path: ["body"], rule: "Expected object" }
  ])("tell the field and the rule of $what, but not the value", ({ body, path, rule }) =>
    Effect.gen(function* () {
      const send = yield* testHost

      const answer = yield* send(`/api/test/things/${id}`, sending("PATCH", JSON.stringify(body)))

      const { code, details, message } = yield* errorOf(answer)
      assert.strictEqual(answer.status, 400)
      assert.strictEqual(code, "invalid_request")
      assert.isTrue(message.startsWith(`${path.join(".")}: `), message)
      assert.include(message, rule)
      assert.deepStrictEqual(firstPath(details), path)
      assert.notInclude(JSON.stringify(details) + message, secret)
    })
  )

  it.effect("list every issue, and name the first in the message", () =>
    Effect.gen(function* () {
      const send = yield* testHost

      const answer = yield* send("/api/test/things", sending("POST", `{"priority": 1.5, "x": 1}`))

      const { details, message } = yield* errorOf(answer)
      assert.lengthOf(issuesIn(details), 3)
      assert.match(message, / \(and 2 more\)$/)
    })
  )

  it.effect("answer 422 where the endpoint says so, once the body is JSON", () =>
    Effect.gen(function* () {
      const send = yield* testHost

      const answer = yield* send("/api/test/things", sending("POST", "{}"))

      assert.strictEqual(answer.status, 422)
      assert.strictEqual((yield* errorOf(answer)).code, "invalid_request")
    })
  )

  it.effect.each(["", "{", `{"name": "${secret}"`, `{name: 1}`, "\u0000", "undefined"])(
    "answer the body %j with 400, since it is no JSON",
    (body) =>
      Effect.gen(function* () {
        const send = yield* testHost

        const answer = yield* send("/api/test/things", sending("POST", body))

        const { details, message } = yield* errorOf(answer)
        assert.strictEqual(answer.status, 400)
        assert.strictEqual(message, "body: must be valid JSON")
        assert.deepStrictEqual(firstPath(details), ["body"])
      })
  )

  it.effect.each([
    { path: "/api/test/things/not-a-uuid", at: ["path", "id"] },
    { path: `/api/test/things/${id}?limit=0`, at: ["query", "limit"] },
    { path: `/api/test/things/${id}?limit=1&limit=2`, at: ["query", "limit"] },
    { path: `/api/test/things/${id}?limt=1`, at: ["query", "limt"] }
  ])("point at what is wrong with $path", ({ at, path }) =>
    Effect.gen(function* () {
      const send = yield* testHost

      const answer = yield* send(path)

      assert.strictEqual(answer.status, 400)
      assert.deepStrictEqual(firstPath((yield* errorOf(answer)).details), at)
    })
  )

  it.effect("cut names of fields and lists of issues to a sensible length", () =>
    Effect.gen(function* () {
      const send = yield* testHost
      const names = Array.from({ length: 1_000 }, (_, index) => [`${index}-${"x".repeat(500)}`, 0])

      const answer = yield* send(
        "/api/test/things",
        sending("POST", JSON.stringify(Object.fromEntries(names)))
      )

      assert.isBelow(JSON.stringify(yield* errorOf(answer)).length, 20_000)
    })
  )

  it.effect.each([
    { "content-type": "text/plain" },
    { "content-type": "application/x-www-form-urlencoded" },
    { "content-type": "application/jsonp" },
    { "content-type": "application/json", "content-encoding": "gzip" }
  ])("answer a body with %j with 415", (headers) =>
    Effect.gen(function* () {
      const send = yield* testHost

      const answer = yield* send("/api/test/things", { method: "POST", body: `{"name": "a"}`, headers })

      assert.strictEqual(answer.status, 415)
      assert.strictEqual((yield* errorOf(answer)).code, "invalid_request")
    })
  )

  it.effect("take JSON with a charset", () =>
    Effect.gen(function* () {
      const send = yield* testHost
      const headers = { "content-type": "Application/JSON; charset=utf-8" }

      const answer = yield* send("/api/test/things", { method: "POST", body: `{"name": "a"}`, headers })

      assert.strictEqual(answer.status, 200)
    })
  )

  it.effect("answer callers that accept no JSON with 406", () =>
    Effect.gen(function* () {
      const send = yield* testHost

      const answer = yield* send(`/api/test/things/${id}`, { headers: { accept: "text/html" } })

      assert.strictEqual(answer.status, 406)
      assert.include((yield* errorOf(answer)).message, "application/json")
    })
  )

  it.effect("let a redirect go to callers that accept anything", () =>
    Effect.gen(function* () {
      const send = yield* testHost

      const answer = yield* send(`/api/test/things/${id}/file`, { headers: { accept: "image/png" } })

      assert.strictEqual(answer.status, 302)
    })
  )

  it.effect.prop(
    "answer whatever bytes are sent with JSON, and never with 500",
    [Schema.Uint8Array, Schema.Literals(["POST", "PATCH"])],
    ([bytes, method]) =>
      Effect.gen(function* () {
        const send = yield* testHost
        const path = method === "POST" ? "/api/test/things" : `/api/test/things/${id}`

        const answer = yield* send(path, sending(method, new Uint8Array(bytes)))

        assert.oneOf(answer.status, [400, 422])
        yield* errorOf(answer)
      })
  )

  it.effect.prop("answer whatever JSON is sent with JSON, and never with 500", [Schema.Json], ([json]) =>
    Effect.gen(function* () {
      const send = yield* testHost

      const answer = yield* send(
        "/api/test/things",
        sending("POST", JSON.stringify({ name: "a", data: json }))
      )

      assert.oneOf(answer.status, [200, 422])
    })
  )

  it.effect.each(["[", `{"data":`])("survive a body of half a megabyte of %s", (brace) =>
    Effect.gen(function* () {
      const send = yield* testHost
      const closing = brace === "[" ? "]" : "}"
      const depth = Math.floor(500_000 / (brace.length + 1))
      const nested = `${brace.repeat(depth)}1${closing.repeat(depth)}`

      const answer = yield* send(
        "/api/test/things",
        sending("POST", `{"name": "a", "data": {"x": ${nested}}}`)
      )

      assert.oneOf(answer.status, [200, 400, 422])
    })
  )
})

const decodeDetails = Schema.decodeUnknownSync(
  Schema.Struct({
    issues: Schema.Array(Schema.Struct({ path: Schema.Array(Schema.String), message: Schema.String }))
  })
)

const issuesIn = (details: unknown) => decodeDetails(details).issues

const firstPath = (details: unknown) => issuesIn(details)[0]?.path
