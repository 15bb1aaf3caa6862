/** `/metrics`: what the process measures, for Prometheus. It needs no key, and of accounts it shows nothing but ids of agents. */
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"

export const layer = PrometheusMetrics.layerHttp()
