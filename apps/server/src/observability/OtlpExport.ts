/** Sends what `/metrics` shows, and spans, to a collector of OpenTelemetry, if there is one. */
import { randomUUID } from "node:crypto"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as UrlParams from "effect/http/UrlParams"
import * as Layer from "effect/Layer"
import * as OtlpExporter from "effect/observability/OtlpExporter"
import * as OtlpMetrics from "effect/observability/OtlpMetrics"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import * as OtlpTracer from "effect/observability/OtlpTracer"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"
import { samplerOf } from "./Sampler.ts"
import type { ServerSettings } from "../settings/ServerSettings.ts"
import { version } from "../Version.ts"
import * as CollectorClient from "./CollectorClient.ts"

const instance = randomUUID()

const transport = Layer.mergeAll(
  OtlpExporter.layerFlusher,
  OtlpSerialization.layerJson,
  CollectorClient.layer
)

/** Where measurements of a kind go, and who sends them. */
const collector = (settings: ServerSettings, signal: "metrics" | "traces") => ({
  url: `${settings.otlpEndpoint}/v1/${signal}`,
  headers: settings.otlpHeaders === undefined ? undefined : Redacted.value(settings.otlpHeaders),
  resource: {
    serviceName: settings.otelServiceName,
    serviceVersion: version,
    attributes: { ...settings.otelResource, "service.instance.id": instance }
  }
})

export const metrics = (settings: ServerSettings): Layer.Layer<never> =>
  settings.otlpEndpoint === undefined
    ? Layer.empty
    : OtlpMetrics.layer({
        ...collector(settings, "metrics"),
        exportInterval: Duration.millis(settings.metricInterval)
      }).pipe(Layer.provide(transport))

/** Spans are made only where they are sent, since making them costs a request a sixteenth of its CPU time. */
export const traces = (settings: ServerSettings): Layer.Layer<never> =>
  settings.otlpEndpoint === undefined || settings.tracesSampler === "always_off"
    ? Layer.empty
    : Layer.mergeAll(
        Layer.effect(Tracer.Tracer, sampling(settings)).pipe(Layer.provide(transport)),
        Layer.succeed(References.TracerEnabled, true),
        // URLs of files carry a grant, and filters of lists what only their account should see.
        Layer.succeed(UrlParams.CurrentRedactedNames, [/^/])
      )

const sampling = Effect.fnUntraced(function* (settings: ServerSettings) {
  const random = yield* Random.Random
  const tracer = yield* OtlpTracer.make(collector(settings, "traces"))
  const isSampled = samplerOf(settings.tracesSampler, settings.tracesShare, () => random.nextDoubleUnsafe())
  return Tracer.make({
    ...tracer,
    span: (options) => {
      const sampled = isSampled(Option.getOrUndefined(options.parent))
      return tracer.span(sampled === undefined ? options : Object.assign({}, options, { sampled }))
    }
  })
})
