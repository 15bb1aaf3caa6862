/** Counts requests and measures their duration, for Prometheus. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Metric from "effect/Metric"
import { abandoned } from "./AccessLog.ts"

/** Upper ends of the buckets, in seconds: the last ones are those of long polls, which wait up to a minute. */
const boundaries = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 65]

/**
 * Provide it to `RequestEnvelope.layer`, so that it counts answers as they are
 * sent. The labels have few values, whatever is asked: the API (`integrations`,
 * `runner`, `admin`, or `other`), the method and the status.
 */
export const layer = HttpRouter.middleware(
  Effect.sync(() => {
    const seriesOf = makeSeries()
    return (handler) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        Effect.clockWith((clock) => {
          const begun = clock.currentTimeMillisUnsafe()
          return Effect.onExit(handler, (exit) =>
            Metric.update(
              seriesOf(apiOf(request.url), methodOf(request.method), statusOf(exit)),
              (clock.currentTimeMillisUnsafe() - begun) / 1_000
            )
          )
        })
      )
  }),
  { global: true }
)

/** A histogram for each set of labels, kept, because making one costs more than updating it. */
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

const statusOf = (exit: Exit.Exit<HttpServerResponse.HttpServerResponse, unknown>): number =>
  Exit.isSuccess(exit) ? exit.value.status : abandoned
