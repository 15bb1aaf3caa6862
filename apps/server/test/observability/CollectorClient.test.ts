import { assert, describe, it } from "@effect/vitest"
import { answering, start } from "@runhook/test-support/receivers/Receiver"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as CollectorClient from "../../src/observability/CollectorClient.ts"

const nobody = "http://127.0.0.1:1"

describe("requests to a collector", () => {
  it.live("tell the operator once that it takes none, and once that it does again", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logger = Logger.layer([
        Logger.make(({ logLevel, message }) => void lines.push(`${logLevel} ${String(message)}`))
      ])
      const [refusing, taking] = [yield* start(answering(401)), yield* start(answering(200))]
      const send = (url: string) => Effect.exit(HttpClient.post(url))

      yield* Effect.forEach([taking.url, nobody, nobody, refusing.url, taking.url, refusing.url], send).pipe(
        Effect.provide(Layer.merge(CollectorClient.layer, logger))
      )

      const away =
        "Warn The collector of OpenTelemetry does not take what is sent to it, which is lost there: it"
      assert.deepStrictEqual(lines, [
        `${away} cannot be reached: start it, or correct OTEL_EXPORTER_OTLP_ENDPOINT`,
        "Info The collector of OpenTelemetry takes again what is sent to it",
        `${away} answers 401: correct OTEL_EXPORTER_OTLP_HEADERS`
      ])
    })
  )
})
