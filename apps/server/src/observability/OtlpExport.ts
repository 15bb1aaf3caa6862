/** Sends what `/metrics` shows to a collector of OpenTelemetry, if there is one. */
import { randomUUID } from "node:crypto"
import * as Duration from "effect/Duration"
import * as Layer from "effect/Layer"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as OtlpMetrics from "effect/observability/OtlpMetrics"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import * as Redacted from "effect/Redacted"
import type { ServerSettings } from "../settings/ServerSettings.ts"
import { version } from "../Version.ts"

export const layer = (settings: ServerSettings): Layer.Layer<never> => {
  const { metricInterval, otelResource, otelServiceName, otlpEndpoint, otlpHeaders } = settings
  if (otlpEndpoint === undefined) return Layer.empty
  return OtlpMetrics.layer({
    url: `${otlpEndpoint}/v1/metrics`,
    headers: otlpHeaders === undefined ? undefined : Redacted.value(otlpHeaders),
    resource: {
      serviceName: otelServiceName,
      serviceVersion: version,
      attributes: { ...otelResource, "service.instance.id": randomUUID() }
    },
    exportInterval: Duration.millis(metricInterval)
  }).pipe(Layer.provide([OtlpSerialization.layerJson, FetchHttpClient.layer]))
}
