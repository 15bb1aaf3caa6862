import { assert, describe, it } from "@effect/vitest"
import { answering, start } from "@runhook/test-support/receivers/Receiver"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { developmentServer } from "../RunhookProcess.ts"

describe("a collector of OpenTelemetry", () => {
  it.live("gets what the service measures, with the headers and names of the settings", () =>
    Effect.gen(function* () {
      const { port, received } = yield* start(answering(200))
      const server = yield* developmentServer({
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/otlp`,
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20a-token",
        OTEL_METRIC_EXPORT_INTERVAL: "100",
        OTEL_SERVICE_NAME: "runhook-of-acme",
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=trial"
      })

      const { body, headers, path } = yield* Queue.take(received)
      server.signal("SIGTERM")
      yield* server.ended

      assert.deepStrictEqual([path, headers["authorization"]], ["/otlp/v1/metrics", "Bearer a-token"])
      for (const word of ["runhook-of-acme", "service.instance.id", "deployment.environment.name"])
        assert.include(body, word)
      assert.include(body, '"name":"runhook_executions_created_total"')
      assert.include(body, '"name":"process_resident_memory_bytes"')
      assert.notInclude(body + server.log(), "a-token")
    })
  )
})
