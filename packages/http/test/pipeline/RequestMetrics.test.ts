import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as TestClock from "effect/testing/TestClock"
import * as RequestMetrics from "../../src/pipeline/RequestMetrics.ts"
import * as Metrics from "../../src/probes/Metrics.ts"
import { enveloped, hostOf } from "../Hosts.ts"

const host = hostOf(
  Layer.mergeAll(
    Metrics.layer,
    HttpRouter.add(
      "GET",
      "/api/v1/runner/slow",
      Effect.as(TestClock.adjust("3 seconds"), HttpServerResponse.empty())
    ),
    HttpRouter.add("GET", "/endless", Effect.never)
  ).pipe(Layer.provide(enveloped.pipe(Layer.provide(RequestMetrics.layer))))
)

const name = "runhook_http_request_duration_seconds"

/** What `/metrics` shows, and nothing that other tests counted. */
const shown = Effect.fnUntraced(function* (send: Effect.Success<typeof host>) {
  const answer = yield* send("/metrics")
  assert.strictEqual(answer.status, 200)
  assert.match(answer.headers.get("content-type") ?? "", /^text\/plain/)
  return yield* Effect.promise(() => answer.text())
})

const counting = Effect.provideService(Metric.MetricRegistry, new Map())

describe("the metrics of requests", () => {
  it.effect("tell how long the requests of an API took", () =>
    Effect.gen(function* () {
      const send = yield* host

      yield* send("/api/v1/runner/slow?wait=3")

      const text = yield* shown(send)
      assert.include(text, `${name}_count{api="runner",method="GET",status="204"} 1`)
      assert.include(text, `${name}_sum{api="runner",method="GET",status="204"} 3`)
      assert.include(text, `${name}_bucket{api="runner",method="GET",status="204",le="2.5"} 0`)
      assert.include(text, `${name}_bucket{api="runner",method="GET",status="204",le="5"} 1`)
    }).pipe(counting)
  )

  it.effect("count what was refused or abandoned", () =>
    Effect.gen(function* () {
      const send = yield* host

      yield* send("/nothing")
      yield* send("/endless", { signal: AbortSignal.abort() })

      const text = yield* shown(send)
      assert.include(text, `${name}_count{api="other",method="GET",status="404"} 1`)
      assert.include(text, `${name}_count{api="other",method="GET",status="499"} 1`)
    }).pipe(counting)
  )

  it.effect("have one series for all the words that are no methods", () =>
    Effect.gen(function* () {
      const send = yield* host

      yield* send("/nothing", { method: "BREW" })
      yield* send("/nothing", { method: "STEEP" })

      assert.include(yield* shown(send), `${name}_count{api="other",method="other",status="404"} 2`)
    }).pipe(counting)
  )
})
