/** Counts requests and measures their duration, for Prometheus. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import type { AfterAnswer } from "./answer/AfterAnswer.ts"

/** Upper bounds of the buckets, in seconds. The last ones are for long polls, which wait up to a minute. */
const boundaries = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 65]

/** None, unless the host wants them. */
export const RequestMetrics = Context.Reference<AfterAnswer>("@runhook/http/pipeline/RequestMetrics", {
  defaultValue: () => () => Effect.void
})

/**
 * Provide it to `Pipeline.layer`. The labels have few values, whatever is asked:
 * the API (`integrations`, `runner`, `admin`, or `other`), the method and the
 * status.
 */
export const layer = Layer.sync(RequestMetrics, () => {
  const seriesOf = makeSeries()
  return ({ begunAt, request }, status) => {
    const histogram = seriesOf(apiOf(request.url), methodOf(request.method), status)
    return Effect.flatMap(Clock.currentTimeMillis, (now) => Metric.update(histogram, (now - begunAt) / 1_000))
  }
})

/** A histogram for each set of labels, kept because making one costs more than updating it. */
const makeSeries = () => {
  const kept = new Map<string, ReturnType<typeof series>>()
  return (api: string, method: string, status: number) => {
    const labels = `${api} ${method} ${status}`
    const histogram = kept.get(labels) ?? series({ api, method, status: `${status}` })
    kept.set(labels, histogram)
    return histogram
  }
}

const series = (attributes: Readonly<Record<string, string>>) =>
  Metric.histogram("runhook_http_request_duration_seconds", {
    description: "Seconds from the head of a request to its answer; a long poll counts as long as it waits",
    boundaries,
    attributes
  })

const apiOf = (url: string): string =>
  /^\/api\/v1\/(integrations|runner|admin)(?:[/?]|$)/.exec(url)?.[1] ?? "other"

const known = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** A caller may send any word as a method. */
const methodOf = (method: string): string => (known.has(method) ? method : "other")
