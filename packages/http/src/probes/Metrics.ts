/** `/metrics`: what the process measures, for Prometheus. It needs no key and shows nothing of any account. */
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"

export const layer = PrometheusMetrics.layerHttp()
