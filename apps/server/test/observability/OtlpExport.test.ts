import { assert, describe, it } from "@effect/vitest"
import { answering, type Received, start } from "@runhook/test-support/receivers/Receiver"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import { demoOf } from "../Demo.ts"
import { request } from "../Http.ts"
import { developmentServer } from "../RunhookProcess.ts"

const Span = Schema.Struct({
  traceId: Schema.String,
  spanId: Schema.String,
  parentSpanId: Schema.optionalKey(Schema.String),
  name: Schema.String
})

const Traces = Schema.fromJsonString(
  Schema.Struct({
    resourceSpans: Schema.Array(
      Schema.Struct({ scopeSpans: Schema.Array(Schema.Struct({ spans: Schema.Array(Span) })) })
    )
  })
)

const spansIn = ({ body }: Received) =>
  Schema.decodeUnknownSync(Traces)(body).resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans)
  )

const caller = "b7ad6b7169203331"
const traceparentOf = (trace: string, flags = "01") => `00-${trace.repeat(32)}-${caller}-${flags}`

/** A service that sends everything to a collector, and what the collector gets until the service has stopped. */
const collected = Effect.fnUntraced(function* (settings: Readonly<Record<string, string>>) {
  const { port, received } = yield* start(answering(200))
  const server = yield* developmentServer({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/otlp`,
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20a-token",
    ...settings
  })
  const all = Effect.gen(function* () {
    server.signal("SIGTERM")
    yield* server.ended
    return yield* Queue.takeAll(received)
  })
  return { all, received, server }
})

describe("a collector of OpenTelemetry", () => {
  it.live("that refuses is named in the log, once, with what to correct", () =>
    Effect.gen(function* () {
      const { received, url } = yield* start(answering(403))
      const server = yield* developmentServer({
        OTEL_EXPORTER_OTLP_ENDPOINT: url,
        OTEL_METRIC_EXPORT_INTERVAL: "100"
      })

      yield* Queue.take(received)
      server.signal("SIGTERM")
      const { stderr } = yield* server.ended

      const said = stderr.split("\n").filter((line) => line.includes("collector of OpenTelemetry"))
      assert.lengthOf(said, 1)
      const { level, message, module } = JSON.parse(said[0] ?? "")
      assert.deepStrictEqual([level, module], ["warn", undefined])
      assert.match(message, /: it answers 403: correct OTEL_EXPORTER_OTLP_HEADERS$/)
    })
  )

  it.live("gets what the service measures, with the headers and names of the settings", () =>
    Effect.gen(function* () {
      const { all, received, server } = yield* collected({
        OTEL_METRIC_EXPORT_INTERVAL: "100",
        OTEL_SERVICE_NAME: "runhook-of-acme",
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=trial"
      })

      // The first may leave before everything is there that measures.
      const { body, headers, path } = yield* Effect.repeat(Queue.take(received), {
        until: (each) => each.body.includes('"name":"runhook_executions_created_total"')
      })
      yield* all

      assert.deepStrictEqual([path, headers["authorization"]], ["/otlp/v1/metrics", "Bearer a-token"])
      for (const word of ["runhook-of-acme", "service.instance.id", "deployment.environment.name"])
        assert.include(body, word)
      assert.include(body, '"name":"process_resident_memory_bytes"')
      assert.notInclude(body + server.log(), "a-token")
    })
  )

  it.live("gets the trace of a caller from the create to the callbacks, and none that nobody records", () =>
    Effect.gen(function* () {
      const receiver = yield* start(answering(200))
      const { all, server } = yield* collected({})
      const demo = demoOf(server)
      const created = (traceparent: string) => demo.create({ callback_url: receiver.url }, { traceparent })

      const { execution_id: id } = yield* created(traceparentOf("a"))
      const unrecorded = yield* created(traceparentOf("c", "00"))
      for (const each of [id, unrecorded.execution_id])
        yield* Effect.andThen(demo.finished(each), demo.settled(each))
      const callbacks = yield* Queue.takeAll(receiver.received)
      const traces = (yield* all).filter(({ path }) => path === "/otlp/v1/traces")
      const spans = traces.flatMap(spansIn)

      assert.deepStrictEqual(new Set(spans.map(({ traceId }) => traceId)), new Set(["a".repeat(32)]))
      const called = (name: string) => spans.filter((span) => span.name === name)
      const create = spans.find((span) => span.name === "POST" && span.parentSpanId === caller)
      assert.isDefined(create)
      assert.deepStrictEqual(
        called("Executions.create").map(({ parentSpanId }) => parentSpanId),
        [create?.spanId]
      )
      for (const [name, times] of [
        ["execution queued", 1],
        ["execution running", 1],
        ["Runs.start", 1],
        ["callback", 3]
      ] as const)
        assert.lengthOf(called(name), times, name)
      assert.sameMembers(
        callbacks.map(({ headers }) => headers["traceparent"] ?? "").filter((each) => each.endsWith("-01")),
        called("callback").map(({ spanId }) => `00-${"a".repeat(32)}-${spanId}-01`)
      )
      assert.lengthOf(callbacks, 6)
      for (const secret of [demo.key, receiver.url]) assert.notInclude(JSON.stringify(traces), secret)
    })
  )

  it.live("gets what no caller began, if the sampler says so, without what is in its query", () =>
    Effect.gen(function* () {
      const { all, server } = yield* collected({ OTEL_TRACES_SAMPLER: "parentbased_traceidratio" })

      yield* request(`${server.baseUrl}/storage?grant=nobody-else-may-see`)
      const traces = (yield* all).filter(({ path }) => path === "/otlp/v1/traces")

      assert.include(
        traces.flatMap(spansIn).map(({ name }) => name),
        "GET"
      )
      assert.notInclude(JSON.stringify(traces), "nobody-else-may-see")
    })
  )
})
