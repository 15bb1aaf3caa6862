import { assert, describe, it } from "@effect/vitest"
import { JsonObject } from "@runhook/core/shared/json/Json"
import type { UsageStore } from "@runhook/core/usage/UsageStore"
import type { Accounts } from "@runhook/core/accounts/Accounts"
import type { Authentication } from "@runhook/core/keys/Authentication"
import type { PersonSessions } from "@runhook/core/people/PersonSessions"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as Schema from "effect/Schema"
import type { BaseUrl } from "../../src/BaseUrl.ts"
import * as AccessLog from "../../src/pipeline/AccessLog.ts"
import { enveloped, hostOf, keys, makeKey, recordedLogs, testRoutes } from "../Hosts.ts"

const host = hostOf(
  Layer.mergeAll(
    HttpRouter.add("GET", "/things", HttpServerResponse.empty()),
    HttpRouter.add("GET", "/endless", Effect.never)
  ).pipe(Layer.provide(enveloped.pipe(Layer.provide(AccessLog.layer))))
)

const Line = Schema.fromJsonString(
  Schema.Struct({ message: Schema.Tuple([Schema.Literal("Request"), JsonObject]) })
)

const fieldsOf = (line: string) => Schema.decodeSync(Line)(line).message[1]

/** What the only line says. */
const only = (lines: ReadonlyArray<string>) => {
  assert.lengthOf(lines, 1)
  return fieldsOf(lines[0] ?? "")
}

describe("the access log", () => {
  it.effect("has a line for each request, without its query and its secret", () => {
    const logs = recordedLogs()
    return Effect.gen(function* () {
      const send = yield* host
      const { key, record } = yield* makeKey()

      const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-00`
      const answer = yield* send("/things?q=secret", {
        headers: { authorization: `bearer ${key}`, traceparent }
      })

      assert.deepStrictEqual(only(logs.lines), {
        method: "GET",
        path: "/things",
        status: 204,
        duration_ms: 0,
        key_prefix: record.prefix,
        trace_id: "a".repeat(32),
        request_id: answer.headers.get("x-request-id")
      })
    }).pipe(Effect.provide(Layer.merge(keys, logs.layer)))
  })

  it.effect("says whose the key was", () => {
    const logs = recordedLogs()
    return Effect.gen(function* () {
      const services = yield* Effect.context<
        Accounts | Authentication | BaseUrl | PersonSessions | UsageStore
      >()
      const around = enveloped.pipe(Layer.provide(AccessLog.layer))
      const send = yield* hostOf(
        testRoutes.pipe(Layer.provide([around, HttpServer.layerServices, Layer.succeedContext(services)]))
      )
      const { key, record } = yield* makeKey()

      yield* send("/api/test/me", { headers: { authorization: `Bearer ${key}` } })
      yield* send("/api/test/me", { headers: { authorization: `Bearer ${key.slice(0, -1)}` } })

      const [known, stranger] = logs.lines.map(fieldsOf)
      assert.deepInclude(known, { status: 200, account_id: record.accountId })
      assert.deepInclude(stranger, { status: 401 })
      assert.notProperty(stranger, "account_id")
    }).pipe(Effect.provide(Layer.merge(keys, logs.layer)))
  })

  it.effect("is silent about probes, but for who debugs", () => {
    const logs = recordedLogs()
    return Effect.gen(function* () {
      const send = yield* host

      yield* send("/livez")
      assert.deepStrictEqual(logs.lines, [])
      yield* Effect.flatMap(host, (debugged) => debugged("/readyz")).pipe(
        Effect.provideService(References.MinimumLogLevel, "Debug")
      )

      assert.deepInclude(only(logs.lines), { path: "/readyz" })
    }).pipe(Effect.provide(logs.layer))
  })

  it.effect("shows the status that the caller saw", () => {
    const logs = recordedLogs()
    return Effect.gen(function* () {
      const send = yield* host

      yield* send("/nothing")

      assert.deepInclude(only(logs.lines), { path: "/nothing", status: 404 })
    }).pipe(Effect.provide(logs.layer))
  })

  it.effect("tells requests that were abandoned", () => {
    const logs = recordedLogs()
    return Effect.gen(function* () {
      const send = yield* host

      yield* send("/endless", { signal: AbortSignal.abort() })

      assert.deepInclude(only(logs.lines), { status: 499 })
    }).pipe(Effect.provide(logs.layer))
  })
})
