import { assert, describe, it } from "@effect/vitest"
import { JsonObject } from "@runhook/core/domain/Json"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as AccessLog from "../src/AccessLog.ts"
import { aKey, enveloped, hostOf, keys, recordedLogs } from "./Harness.ts"

const host = hostOf(
  Layer.mergeAll(
    HttpRouter.add("GET", "/things", HttpServerResponse.empty()),
    HttpRouter.add("GET", "/endless", Effect.never)
  ).pipe(Layer.provide(enveloped.pipe(Layer.provide(AccessLog.layer))))
)

const Line = Schema.fromJsonString(
  Schema.Struct({ message: Schema.Tuple([Schema.Literal("Request"), JsonObject]) })
)

/** What the only line says. */
const only = (lines: ReadonlyArray<string>) => {
  assert.lengthOf(lines, 1)
  return Schema.decodeSync(Line)(lines[0] ?? "").message[1]
}

describe("the access log", () => {
  it.effect("has a line for each request, without its query and its secret", () => {
    const logs = recordedLogs()
    return Effect.gen(function* () {
      const send = yield* host
      const { key, record } = yield* aKey()

      const answer = yield* send("/things?q=secret", { headers: { authorization: `bearer ${key}` } })

      assert.deepStrictEqual(only(logs.lines), {
        method: "GET",
        path: "/things",
        status: 204,
        ms: 0,
        key: record.prefix,
        request_id: answer.headers.get("x-request-id")
      })
    }).pipe(Effect.provide(Layer.merge(keys, logs.layer)))
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
