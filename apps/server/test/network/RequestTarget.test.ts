import { request } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { bodyOf, request as fetched } from "../Http.ts"
import { SharedServer } from "../RunhookProcess.ts"

const Document = Schema.Struct({
  paths: Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Json))
})
const Refusal = Schema.Struct({ error: Schema.Struct({ code: Schema.String, message: Schema.String }) })
const decodeRefusal = Schema.decodeUnknownSync(Schema.fromJsonString(Refusal))

const documents = ["integrations", "runner", "admin"].map((api) => `/api/v1/${api}/openapi.json`)

/** What the documents do not name. */
const others = [
  "/",
  "/livez",
  "/readyz",
  "/metrics",
  "/mcp",
  "/.well-known/runhook/jwks.json",
  "/storage",
  "/docs",
  "/docs/search",
  "/docs/search.json",
  "/docs/assets/docs.css",
  "/integrations",
  "/integrations/oidc/start",
  "/integrations/oidc/callback",
  "/demo/inbox",
  "/demo/inbox/events",
  "/demo/page",
  "/demo/run",
  "/demo/integrations"
]

/** Sends a target as it is, which `fetch` would put in order. */
const answerTo = (baseUrl: string, method: string, path: string) =>
  Effect.callback<{ readonly status: number; readonly body: string }>((resume) => {
    const { hostname, port } = new URL(baseUrl)
    const sent = request({ hostname, port, method, path }, (answer) => {
      let body = ""
      answer.setEncoding("utf8").on("data", (text: string) => (body += text))
      answer.on("end", () => resume(Effect.succeed({ status: answer.statusCode ?? 0, body })))
    })
    sent.end()
  })

/** All routes of the service, with their methods. */
const routesOf = Effect.fnUntraced(function* (baseUrl: string) {
  const described = yield* Effect.forEach(documents, (path) =>
    Effect.flatMap(fetched(baseUrl + path), bodyOf(Document))
  )
  return [
    ...[...others, ...documents].map((path) => ["GET", path] as const),
    ...described.flatMap(({ paths }) =>
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map(
          (method) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, "1")] as const
        )
      )
    )
  ]
})

describe("a request whose path ends early for some, and later for others", () => {
  it.layer(SharedServer.layer, { excludeTestServices: true })((it) => {
    it.effect("is refused at every route", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* SharedServer
        const routes = yield* routesOf(baseUrl)

        for (const [method, path] of routes) {
          for (const ending of [";x", "#x", ";/a/b", ";?a=b", "#", ";"]) {
            const { body, status } = yield* answerTo(baseUrl, method, path + ending)
            assert.strictEqual(status, 400, `${method} ${path}${ending}`)
            assert.deepStrictEqual(decodeRefusal(body).error, {
              code: "invalid_request",
              message: "The path of the URL must not have ; or #: write %3B or %23"
            })
          }
        }
        assert.isAbove(routes.length, 100)
      })
    )

    it.effect("is another path where it is encoded, and its query may have what it likes", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* SharedServer

        // The page answers for all paths below its own.
        for (const path of others.filter((each) => each !== "/" && !each.startsWith("/integrations/"))) {
          for (const ending of ["%3bx", "%3Bx", "%23x", "%3b/a/b", "%3fx", "%2f"]) {
            assert.strictEqual((yield* answerTo(baseUrl, "GET", path + ending)).status, 404, path + ending)
          }
        }
        assert.strictEqual((yield* answerTo(baseUrl, "GET", "/livez?a=;b#c")).status, 200)
      })
    )

    it.effect("is refused as a whole URL that has to be put in order", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* SharedServer
        const statusOf = (target: string) =>
          Effect.map(answerTo(baseUrl, "GET", target), ({ status }) => status)

        const asWritten = yield* Effect.forEach(
          [`${baseUrl}/livez`, `${baseUrl}/livez?a=b`, `http://example.com/livez`],
          statusOf
        )
        const ambiguous = yield* Effect.forEach(
          [
            `${baseUrl}/livez#a`,
            `${baseUrl}/livez;a`,
            `${baseUrl}/a/../livez`,
            `${baseUrl}/%2e/livez`,
            `${baseUrl}\\livez`,
            "http://[/livez",
            "ftp://localhost/livez"
          ],
          statusOf
        )

        assert.deepStrictEqual(asWritten, [200, 200, 200])
        assert.deepStrictEqual(ambiguous, [400, 400, 400, 400, 400, 400, 400])
      })
    )
  })
})
