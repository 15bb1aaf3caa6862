/** Sends requests to a collector of OpenTelemetry, and tells the operator once that it takes none, and once that it does again. */
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as References from "effect/References"

const refusals: { readonly [status: number]: string } = {
  401: "correct OTEL_EXPORTER_OTLP_HEADERS",
  403: "correct OTEL_EXPORTER_OTLP_HEADERS",
  404: "correct OTEL_EXPORTER_OTLP_ENDPOINT"
}

const refusedBy = (status: number): string => `it answers ${status}: ${refusals[status] ?? "see its log"}`

const unreached = "it cannot be reached: start it, or correct OTEL_EXPORTER_OTLP_ENDPOINT"

export const layer: Layer.Layer<HttpClient.HttpClient> = Layer.effect(
  HttpClient.HttpClient,
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    let isTaking = true

    const tell = (problem: string | undefined) => {
      if (isTaking === (problem === undefined)) return Effect.void
      isTaking = problem === undefined
      const line =
        problem === undefined
          ? Effect.logInfo("The collector of OpenTelemetry takes again what is sent to it")
          : Effect.logWarning(
              `The collector of OpenTelemetry does not take what is sent to it, which is lost there: ${problem}`
            )
      // Without those of the exporter, which nobody else knows.
      return Effect.provideService(line, References.CurrentLogAnnotations, {})
    }

    return HttpClient.transformResponse(client, (sending) =>
      sending.pipe(
        Effect.tap(({ status }) => tell(status < 300 ? undefined : refusedBy(status))),
        Effect.tapError(() => tell(unreached))
      )
    )
  })
).pipe(Layer.provide(FetchHttpClient.layer))
